//! The loader on two threads.

use std::collections::VecDeque;
use std::thread;

use crossbeam_channel::{TryRecvError, bounded, select};
use importer::SoundFile;

use super::{Gone, Job, Loaded, Loader, PackageSource};

impl<L: Send + 'static, F: Send + 'static> Loader<L, F> {
    /// Lists all packages, then loads what is asked for, until nobody asks any more.
    pub(super) fn run<P: PackageSource<Listed = L, Unopenable = F>>(&self, packages: &P) -> Result<(), Gone> {
        let mut next = VecDeque::new();
        let mut last = None;
        for package in 0..packages.count() {
            // What is struck does not wait until all are listed.
            while let Ok(job) = self.urgent.try_recv() {
                if let Some((opened, job)) = self.open(packages, job)? {
                    let _ = self.work(opened.as_ref(), job);
                }
            }
            // Only one is open.
            drop(last.take());
            last = self.list_package(packages, package)?.map(|opened| (package, opened));
        }
        self.tell(Loaded::AllListed)?;
        if let Some((package, opened)) = last {
            next.extend(self.attend(package, opened.as_ref()));
        }
        loop {
            let job = match (self.urgent.try_recv(), next.pop_front()) {
                (Ok(job), deferred) => {
                    next.extend(deferred);
                    job
                }
                (Err(TryRecvError::Disconnected), _) => return Ok(()),
                (Err(TryRecvError::Empty), Some(job)) => job,
                (Err(TryRecvError::Empty), None) => select! {
                    recv(self.urgent) -> job => job.map_err(|_| Gone)?,
                    recv(self.ahead) -> job => job.map_err(|_| Gone)?,
                },
            };
            let package = job.package;
            if let Some((opened, job)) = self.open(packages, job)?
                && self.work(opened.as_ref(), job).is_ok()
                // Nobody listens for what was deferred while a package is attended to.
                && next.is_empty()
            {
                next.extend(self.attend(package, opened.as_ref()));
            }
        }
    }

    /// Loads from a package that is open, until something of another one is asked for; returns that.
    fn attend(&self, package: usize, file: &SoundFile) -> Vec<Job> {
        let (stop, stopped) = bounded::<()>(0);
        let (defer, deferred) = bounded(1);
        thread::scope(|scope| {
            let ahead = move || {
                loop {
                    select! {
                        recv(self.ahead) -> job => match job {
                            Ok(job) if job.package == package => drop(self.work(file, job)),
                            Ok(job) => {
                                // Whoever waits for it is there until this ends.
                                let _ = defer.send(job);
                                return;
                            }
                            Err(_) => return,
                        },
                        recv(stopped) -> _ => return,
                    }
                }
            };
            // Without a second thread one is opened for each job.
            let _ = thread::Builder::new().name("library ahead".into()).spawn_scoped(scope, ahead);
            let mut next = Vec::new();
            while next.is_empty() {
                select! {
                    recv(self.urgent) -> job => match job {
                        Ok(job) if job.package == package => drop(self.work(file, job)),
                        Ok(job) => next.push(job),
                        Err(_) => break,
                    },
                    recv(deferred) -> job => match job {
                        Ok(job) => next.push(job),
                        Err(_) => break,
                    },
                }
            }
            drop(stop);
            next
        })
    }
}
