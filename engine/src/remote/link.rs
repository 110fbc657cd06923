//! The control side: commands, and the banks that they need, become messages.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

use ringbuf::traits::{Consumer, Observer, Producer};

use super::wire::{self, FromProcessor, Id, ToProcessor, ValueWidth, WireError, WireTrack};
use crate::bank::{BankHandle, ChannelPlanes, Channels, Padded, PreparedSample};
use crate::rt::processor::{Processor, ProcessorEnds};

/// Bytes of values in a message, at most: a tenth of a millisecond of copying.
const PART: usize = 1 << 18;

/// What stands in for the processor where the controller is.
///
/// The owner calls [`send`](Self::send) after everything that commands may come of, and hands bytes that come back to
/// [`receive`](Self::receive). Without either nothing sounds, and the controller's queue fills.
///
/// # Real-time
/// Never: allocates.
pub struct RemoteLink {
    ends: ProcessorEnds,
    /// Banks that the processor has or will have, by their address, which nothing else gets as long as it is watched.
    banks: HashMap<usize, (Id, Weak<BankHandle>)>,
    /// Likewise planes.
    planes: HashMap<usize, (Id, WeakPlane)>,
    next: Id,
    waiting: VecDeque<Waiting>,
    /// Commands sent, and those of them that the processor has read.
    sent: u64,
    read: u64,
    cancelled_before: u64,
    is_paused: bool,
    /// Events that were lost and voices that could not begin elsewhere, as reported last.
    lost_events: u64,
    refused: u64,
}

/// What is not sent yet.
enum Waiting {
    Message(ToProcessor),
    /// Values of a plane from an index on.
    Values(Id, Plane, usize),
}

/// A plane of a recording.
enum Plane {
    I16(Arc<[i16]>),
    F32(Arc<[f32]>),
}

/// A plane that may be gone.
enum WeakPlane {
    I16(Weak<[i16]>),
    F32(Weak<[f32]>),
}

/// A value of a plane.
trait PlaneValue: Copy {
    fn plane(values: &Arc<[Self]>) -> Plane;
}

impl PlaneValue for i16 {
    fn plane(values: &Arc<[Self]>) -> Plane {
        Plane::I16(Arc::clone(values))
    }
}

impl PlaneValue for f32 {
    fn plane(values: &Arc<[Self]>) -> Plane {
        Plane::F32(Arc::clone(values))
    }
}

impl Plane {
    fn address(&self) -> usize {
        match self {
            Self::I16(values) => values.as_ptr().addr(),
            Self::F32(values) => values.as_ptr().addr(),
        }
    }

    fn downgrade(&self) -> WeakPlane {
        match self {
            Self::I16(values) => WeakPlane::I16(Arc::downgrade(values)),
            Self::F32(values) => WeakPlane::F32(Arc::downgrade(values)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::I16(values) => values.len(),
            Self::F32(values) => values.len(),
        }
    }

    const fn width(&self) -> ValueWidth {
        match self {
            Self::I16(_) => ValueWidth::I16,
            Self::F32(_) => ValueWidth::F32,
        }
    }

    /// Appends values from an index on, as many as are there of those that are asked for.
    fn write(&self, from: usize, values: usize, out: &mut Vec<u8>) {
        match self {
            Self::I16(plane) => {
                out.extend(plane.iter().skip(from).take(values).flat_map(|value| value.to_le_bytes()));
            }
            Self::F32(plane) => {
                out.extend(plane.iter().skip(from).take(values).flat_map(|value| value.to_le_bytes()));
            }
        }
    }
}

impl WeakPlane {
    fn is_gone(&self) -> bool {
        match self {
            Self::I16(values) => values.strong_count() == 0,
            Self::F32(values) => values.strong_count() == 0,
        }
    }
}

impl RemoteLink {
    /// Takes the place of a processor that nothing was rendered with.
    #[must_use]
    pub fn new(processor: Processor) -> Self {
        Self {
            ends: processor.into_ends(),
            banks: HashMap::new(),
            planes: HashMap::new(),
            next: 0,
            waiting: VecDeque::new(),
            sent: 0,
            read: 0,
            cancelled_before: 0,
            is_paused: false,
            lost_events: 0,
            refused: 0,
        }
    }

    /// Returns messages for the processor: all that are short, and at most one part of a plane. Nothing if there are
    /// none; otherwise there may be more.
    #[must_use]
    pub fn send(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let shared = &self.ends.shared;
        let (cancelled_before, is_paused) = (shared.cancelled_before(), shared.is_paused());
        if std::mem::replace(&mut self.cancelled_before, cancelled_before) != cancelled_before {
            out = wire::write(&ToProcessor::CancelBefore(cancelled_before), out);
        }
        if std::mem::replace(&mut self.is_paused, is_paused) != is_paused {
            out = wire::write(&ToProcessor::Pause(is_paused), out);
        }
        self.free();
        self.take_commands();
        while let Some(waiting) = self.waiting.pop_front() {
            match waiting {
                Waiting::Message(message) => out = wire::write(&message, out),
                Waiting::Values(id, plane, from) => {
                    let size = plane.width().bytes();
                    let values = (plane.len() - from).min(PART / size);
                    let message = ToProcessor::Values {
                        id,
                        // A plane has fewer values than 32 bits count.
                        from: u32::try_from(from).unwrap_or(u32::MAX),
                        bytes: (values * size) as u32,
                    };
                    out = wire::write(&message, out);
                    plane.write(from, values, &mut out);
                    if from + values < plane.len() {
                        self.waiting.push_front(Waiting::Values(id, plane, from + values));
                    }
                    break;
                }
            }
        }
        out
    }

    /// Queues the commands that have come, as many as the processor has room for.
    fn take_commands(&mut self) {
        let most = self.ends.commands.capacity().get() as u64;
        while self.sent - self.read < most
            && let Some(command) = self.ends.commands.try_pop()
        {
            self.sent += 1;
            let command = command.with_bank(|bank| Some(self.bank(&bank)));
            self.waiting.extend(command.map(ToProcessor::Command).map(Waiting::Message));
        }
    }

    fn number(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    /// Returns the number of a bank, which is sent before whatever waits from here on.
    fn bank(&mut self, handle: &Arc<BankHandle>) -> Id {
        let address = Arc::as_ptr(handle).addr();
        if let Some((id, _)) = self.banks.get(&address) {
            return *id;
        }
        let id = self.number();
        self.banks.insert(address, (id, Arc::downgrade(handle)));
        let bank = handle.bank();
        let tracks = bank.tracks.iter().map(|track| self.track(track)).collect();
        let articulations = bank.articulations.to_vec();
        self.waiting.push_back(Waiting::Message(ToProcessor::Bank { id, tracks, articulations }));
        id
    }

    fn track(&mut self, track: &PreparedSample) -> WireTrack {
        let PreparedSample {
            sample,
            rate,
            first,
            length,
            loop_region,
            loop_plan,
            tail,
            release_track,
            ref planes,
        } = *track;
        let channels = match planes {
            Padded::I16(channels) => self.channels(channels),
            Padded::F32(channels) => self.channels(channels),
        };
        WireTrack { sample, rate, first, length, loop_region, loop_plan, tail, release_track, channels }
    }

    fn channels<V: PlaneValue>(&mut self, channels: &Channels<V>) -> Vec<[Id; 2]> {
        let mut numbers = |channel: &ChannelPlanes<V>| {
            [&channel.main, &channel.looped].map(|plane| self.plane(V::plane(plane)))
        };
        match channels {
            Channels::Mono(one) => vec![numbers(one)],
            Channels::Stereo(one, two) => vec![numbers(one), numbers(two)],
        }
    }

    /// Returns the number of a plane, which is sent before whatever waits from here on.
    fn plane(&mut self, plane: Plane) -> Id {
        // What is empty has no address.
        let address = if plane.len() == 0 { plane.width().bytes() } else { plane.address() };
        if let Some((id, _)) = self.planes.get(&address) {
            return *id;
        }
        let id = self.number();
        self.planes.insert(address, (id, plane.downgrade()));
        let values = u32::try_from(plane.len()).unwrap_or(u32::MAX);
        let begin = ToProcessor::Plane { id, width: plane.width(), values };
        self.waiting.push_back(Waiting::Message(begin));
        if values > 0 {
            self.waiting.push_back(Waiting::Values(id, plane, 0));
        }
        id
    }

    /// Tells the processor what is gone here, so that the memory is not held any longer.
    fn free(&mut self) {
        let waiting = &mut self.waiting;
        self.banks.retain(|_, (id, bank)| {
            let is_there = bank.strong_count() > 0;
            if !is_there {
                waiting.push_back(Waiting::Message(ToProcessor::FreeBank(*id)));
            }
            is_there
        });
        self.planes.retain(|_, (id, plane)| {
            let is_there = !plane.is_gone();
            if !is_there {
                waiting.push_back(Waiting::Message(ToProcessor::FreePlane(*id)));
            }
            is_there
        });
    }

    /// Takes what the processor has reported.
    ///
    /// # Errors
    /// [`WireError`] for bytes of another build, or of a processor that has read more than was sent; messages before
    /// them are taken.
    pub fn receive(&mut self, mut bytes: &[u8]) -> Result<(), WireError> {
        while !bytes.is_empty() {
            match wire::read(&mut bytes)? {
                FromProcessor::Event(event) => {
                    if self.ends.events.try_push(event).is_err() {
                        self.ends.shared.lose_event();
                    }
                }
                FromProcessor::State { now, read, lost_events, refused } => {
                    if read > self.sent {
                        return Err(WireError);
                    }
                    let shared = &self.ends.shared;
                    self.read = read;
                    (self.lost_events..lost_events).for_each(|_| shared.lose_event());
                    (self.refused..refused).for_each(|_| shared.refuse(|| {}));
                    (self.lost_events, self.refused) = (lost_events, refused);
                    shared.set_now(now);
                }
                FromProcessor::Voices(voices) => self.ends.voice_positions.replace(&voices),
                FromProcessor::Frames { frames } => {
                    let values = wire::following(&mut bytes, frames as usize * 8)?;
                    let (pairs, _) = values.as_chunks::<8>();
                    for &[a, b, c, d, e, f, g, h] in pairs {
                        let (left, right) =
                            (f32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h]));
                        self.ends.tap.push(&[left], &[right]);
                    }
                }
            }
        }
        Ok(())
    }
}
