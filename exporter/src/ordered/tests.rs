use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use super::{MAX_BUFFERED, OutputStreams, WorkProgress, for_each};

/// What was reported, both outputs in one; it takes no more than `room` bytes of data.
struct Heard {
    text: Vec<u8>,
    room: usize,
}

impl Heard {
    fn all() -> Self {
        Self { text: Vec::new(), room: usize::MAX }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.text).unwrap()
    }
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = self.room.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutputStreams for Heard {
    fn message(&mut self, lines: &str) {
        self.text.extend(lines.bytes().chain(*b"\n"));
    }

    fn progress(&mut self, _: &WorkProgress<'_>) {}
}

fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

/// Things take different times, so that those after end before those in front.
fn dawdle(thing: usize) {
    thread::sleep(Duration::from_micros(((thing * 7919) % 13) as u64 * 50));
}

#[test]
fn all_is_written_in_order_whatever_the_number_of_threads() {
    let things: Vec<usize> = (0..500).collect();
    let written = |number| {
        let mut heard = Heard::all();
        for_each::<_, io::Error>(&things, threads(number), &mut heard, |thing, slot| {
            write!(slot, "{thing}: ")?;
            dawdle(*thing);
            slot.message("talk");
            slot.flush()?;
            writeln!(slot, "data")
        })
        .unwrap();
        heard.text().to_owned()
    };
    let expected: String = things.iter().map(|thing| format!("{thing}: talk\ndata\n")).collect();
    for number in [1, 2, 3, 16] {
        assert_eq!(written(number), expected, "{number} threads");
    }
}

#[test]
fn what_depends_on_the_order_runs_in_order_even_if_some_have_nothing_of_the_kind() {
    let things: Vec<usize> = (0..500).collect();
    let order = Mutex::new(Vec::new());
    for_each::<_, io::Error>(&things, threads(8), &mut Heard::all(), |thing, slot| {
        dawdle(*thing);
        if thing % 3 != 0 {
            slot.in_order(&mut || {
                order.lock().unwrap().push(*thing);
                true
            })?;
            dawdle(thing + 1);
        }
        Ok(())
    })
    .unwrap();
    let expected: Vec<usize> = things.iter().copied().filter(|thing| thing % 3 != 0).collect();
    assert_eq!(order.into_inner().unwrap(), expected);
}

#[test]
fn nothing_passes_one_whose_ordered_part_failed() {
    let things: Vec<usize> = (0..100).collect();
    for _ in 0..20 {
        let last = AtomicUsize::new(0);
        let result = for_each::<_, io::Error>(&things, threads(4), &mut Heard::all(), |thing, slot| {
            slot.in_order(&mut || {
                last.store(*thing, Ordering::Relaxed);
                *thing != 50
            })?;
            dawdle(*thing);
            if *thing == 50 { Err(io::Error::other("50")) } else { Ok(()) }
        });
        assert_eq!((result.unwrap_err().to_string().as_str(), last.into_inner()), ("50", 50));
    }
}

#[test]
fn the_first_error_in_order_ends_all_and_nothing_after_it_is_reported() {
    let things: Vec<usize> = (0..500).collect();
    for number in [1, 2, 8] {
        let mut heard = Heard::all();
        let result = for_each::<_, io::Error>(&things, threads(number), &mut heard, |thing, slot| {
            // The second error comes sooner.
            dawdle(if *thing == 50 { 12 } else { 0 });
            writeln!(slot, "{thing}")?;
            if thing % 50 == 1 && *thing > 1 { Err(io::Error::other(thing.to_string())) } else { Ok(()) }
        });
        assert_eq!(result.unwrap_err().to_string(), "51");
        assert_eq!(heard.text().lines().last(), Some("51"));
    }
}

#[test]
fn an_output_that_takes_no_more_ends_all() {
    let things: Vec<usize> = (0..10_000).collect();
    let begun = AtomicUsize::new(0);
    let mut heard = Heard { room: 100, ..Heard::all() };
    let result = for_each::<_, io::Error>(&things, threads(4), &mut heard, |_, slot| {
        begun.fetch_add(1, Ordering::Relaxed);
        slot.write_all(b"0123456789")
    });
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(heard.text().len(), 100);
    assert!(begun.into_inner() < 1000, "most were not even begun");
}

#[test]
fn who_has_too_much_to_say_waits_for_its_turn() {
    let said = AtomicUsize::new(0);
    let is_full = (Mutex::new(false), Condvar::new());
    let block = vec![b'x'; 1 << 20];
    let blocks = 3 * (MAX_BUFFERED >> 20);
    let mut heard = Heard::all();
    for_each::<_, io::Error>(&[0, 1], threads(2), &mut heard, |thing, slot| {
        if *thing == 0 {
            // Ends only after the other has said all that is kept.
            let full = is_full.1.wait_while(is_full.0.lock().unwrap(), |full| !*full).unwrap();
            drop(full);
            thread::sleep(Duration::from_millis(20));
            assert_eq!(said.load(Ordering::Relaxed), MAX_BUFFERED >> 20);
            return writeln!(slot, "first");
        }
        for _ in 0..blocks {
            slot.write_all(&block)?;
            if said.fetch_add(1, Ordering::Relaxed) + 1 == MAX_BUFFERED >> 20 {
                *is_full.0.lock().unwrap() = true;
                is_full.1.notify_all();
            }
        }
        Ok(())
    })
    .unwrap();
    assert!(heard.text.starts_with(b"first\nxxx"));
    assert_eq!(heard.text.len(), 6 + (blocks << 20));
}

#[test]
fn one_that_is_slow_keeps_the_others_from_running_far_ahead() {
    let things: Vec<usize> = (0..10_000).collect();
    let begun = AtomicUsize::new(0);
    for_each::<_, io::Error>(&things, threads(2), &mut Heard::all(), |thing, _| {
        begun.fetch_add(1, Ordering::Relaxed);
        if *thing == 0 {
            thread::sleep(Duration::from_millis(50));
            assert!(begun.load(Ordering::Relaxed) <= 2 * super::AHEAD);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(begun.into_inner(), things.len());
}

#[test]
fn a_panic_of_one_does_not_leave_the_others_waiting() {
    let things: Vec<usize> = (0..100).collect();
    let run = || {
        for_each::<_, io::Error>(&things, threads(4), &mut Heard::all(), |thing, slot| {
            assert!(*thing != 10, "on purpose");
            slot.in_order(&mut || true)
        })
    };
    assert!(std::panic::catch_unwind(run).is_err());
}
