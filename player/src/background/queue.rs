use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;

/// Work that was queued: nobody can wait for it.
pub(crate) struct Handle;

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Something was done.
    Worked,
    /// There was nothing to do.
    Idle,
    /// There will never be anything to do again.
    Over,
}

#[derive(Default)]
struct Queue {
    steps: Vec<Box<dyn FnMut() -> Step>>,
    once: VecDeque<Box<dyn FnOnce()>>,
}

thread_local! {
    static QUEUE: RefCell<Queue> = RefCell::default();
}

/// Queues some work, which comes after all steps that have something to do: it may need what they do.
///
/// # Errors
/// None.
pub(crate) fn run(_name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<Handle> {
    QUEUE.with_borrow_mut(|queue| queue.once.push_back(Box::new(work)));
    Ok(Handle)
}

/// Calls a function again and again that does one thing, until it says that all is over.
pub(crate) fn steps(step: impl FnMut() -> Step + 'static) {
    QUEUE.with_borrow_mut(|queue| queue.steps.push(Box::new(step)));
}

/// Does some of the work: a step of everything that goes on, or something that was queued once nothing does. Returns
/// whether anything was done.
pub fn work_once() -> bool {
    // Work may queue more.
    let mut steps = QUEUE.with_borrow_mut(|queue| std::mem::take(&mut queue.steps));
    let mut has_worked = false;
    steps.retain_mut(|step| {
        let done = step();
        has_worked |= done == Step::Worked;
        done != Step::Over
    });
    let once = QUEUE.with_borrow_mut(|queue| {
        steps.append(&mut queue.steps);
        queue.steps = steps;
        if has_worked { None } else { queue.once.pop_front() }
    });
    let Some(work) = once else { return has_worked };
    work();
    true
}

impl Handle {
    /// Returns whether nobody has to wait for it.
    pub(crate) const fn is_finished(&self) -> bool {
        true
    }

    /// Does not wait: nothing would be done meanwhile.
    ///
    /// # Errors
    /// None.
    #[expect(clippy::unnecessary_wraps, reason = "as with threads")]
    pub(crate) const fn join(self) -> Result<(), std::convert::Infallible> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn what_is_queued_waits_for_steps_that_have_something_to_do_and_those_that_are_over_are_gone() {
        let done = Arc::new(Mutex::new(Vec::new()));
        let note = |what| {
            let done = Arc::clone(&done);
            move || done.lock().unwrap().push(what)
        };
        let (step, once) = (note("step"), note("once"));
        let mut left = 2;
        steps(move || {
            step();
            left -= 1;
            if left > 0 { Step::Worked } else { Step::Over }
        });
        let handle = run("once", once).unwrap();
        let worked: Vec<bool> = (0..3).map(|_| work_once()).collect();
        assert_eq!(*done.lock().unwrap(), ["step", "step", "once"]);
        assert_eq!(worked, [true, true, false]);
        assert!(handle.is_finished() && handle.join().is_ok());
    }

    #[test]
    fn work_may_queue_more() {
        let done = Arc::new(Mutex::new(0));
        let count = Arc::clone(&done);
        run("first", move || {
            run("second", move || *count.lock().unwrap() += 1).map(drop).unwrap();
        })
        .map(drop)
        .unwrap();
        while work_once() {}
        assert_eq!(*done.lock().unwrap(), 1);
    }
}
