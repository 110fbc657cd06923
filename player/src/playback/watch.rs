//! A thread that asks now and then which device is the system's default.

use std::convert::Infallible;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::{Asker, Route};

/// What the thread reports. It ends soon after this is dropped.
pub(super) struct DefaultDeviceWatch {
    news: Receiver<String>,
    _hold: Sender<Infallible>,
}

impl DefaultDeviceWatch {
    /// None for a route that follows nothing; nor if there is no thread to be had, in which case nothing is followed.
    pub(super) fn of(route: &Route, period: Duration) -> Option<Self> {
        let ask = Arc::clone(route.default.as_ref()?);
        let (tell, news) = unbounded();
        let (hold, closed) = bounded(0);
        let watching = move || watch(&ask, &tell, &closed, period);
        thread::Builder::new().name("default device".into()).spawn(watching).ok()?;
        Some(Self { news, _hold: hold })
    }

    /// Returns the default of now, if it has changed, or when it is reported first.
    pub(super) fn news(&self) -> Option<String> {
        self.news.try_iter().last()
    }
}

fn watch(ask: &Asker, tell: &Sender<String>, closed: &Receiver<Infallible>, period: Duration) {
    let mut known = None;
    while closed.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
        // While there is none, the old one stays: if that is gone it says so itself.
        let Some(default) = ask() else { continue };
        if known.as_ref() != Some(&default) {
            known = Some(default.clone());
            if tell.send(default).is_err() {
                return;
            }
        }
    }
}
