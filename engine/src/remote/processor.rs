//! The audio side: messages become commands and banks in its own memory.

use std::collections::HashMap;
use std::sync::Arc;

use ringbuf::traits::{Consumer, Producer, Split};
use ringbuf::{HeapCons, HeapProd, HeapRb};
use song::{Frames, Hz};

use super::wire::{self, FromProcessor, Id, ToProcessor, ValueWidth, WireError, WireTrack};
use crate::bank::{Bank, BankHandle, ChannelPlanes, Channels, Padded, PreparedSample};
use crate::config::{Config, ConfigError, Interpolation};
use crate::message::{Command, Event};
use crate::rt::kernel::Kernels;
use crate::rt::processor::Processor;
use crate::rt::tap::Tap;
use crate::shared_state::SharedState;
use crate::voice_positions::VoicePositions;

/// What a tap holds between two reports, in frames: more than a second.
const TAP: usize = 1 << 16;

/// A processor whose controller has other memory.
///
/// # Real-time
/// [`process`](Self::process) is safe. What is received has to be put into memory on the same thread, as a browser's
/// audio thread has no other: messages are short, but for the beginning of a plane, which takes its memory.
pub struct RemoteProcessor {
    processor: Processor,
    commands: HeapProd<Command>,
    events: HeapCons<Event>,
    shared: Arc<SharedState>,
    voice_positions: Arc<VoicePositions>,
    planes: HashMap<Id, Plane>,
    banks: HashMap<Id, Arc<BankHandle>>,
    /// Banks that voices may still play from.
    freed: Vec<Arc<BankHandle>>,
    tap: Option<Tap>,
    /// The frame and the number of commands that were reported last.
    reported: Option<(u64, u64)>,
}

enum Plane {
    I16(Arc<[i16]>),
    F32(Arc<[f32]>),
}

impl RemoteProcessor {
    /// Creates a processor for a controller of the same configuration. With `tap`, what is rendered is reported as
    /// well. Takes a while: the tables of all interpolations are made.
    ///
    /// # Errors
    /// [`ConfigError`] if a field is zero or beyond its limit.
    pub fn new(config: Config, rate: Hz, tap: bool) -> Result<Self, ConfigError> {
        let config = config.check()?;
        // The controller prepares what notes ask for in its own memory only.
        Interpolation::ALL.into_iter().for_each(Kernels::prepare);
        let (commands, command_out) = HeapRb::new(config.command_queue).split();
        let (event_in, events) = HeapRb::new(config.event_queue).split();
        let shared = Arc::new(SharedState::default());
        let voice_positions = Arc::new(VoicePositions::new(config.slots()));
        let mut processor = Processor::new(
            config,
            rate,
            command_out,
            event_in,
            Arc::clone(&shared),
            Arc::clone(&voice_positions),
            // Banks are kept here.
            Arc::new(()),
        );
        let tap = tap.then(|| processor.tap(TAP));
        let (planes, banks, freed) = (HashMap::new(), HashMap::new(), Vec::new());
        Ok(Self {
            processor,
            commands,
            events,
            shared,
            voice_positions,
            planes,
            banks,
            freed,
            tap,
            reported: None,
        })
    }

    /// Takes messages of a [`RemoteLink`](super::RemoteLink).
    ///
    /// # Errors
    /// [`WireError`] for bytes of another build; messages before them are taken.
    pub fn receive(&mut self, mut bytes: &[u8]) -> Result<(), WireError> {
        while !bytes.is_empty() {
            match wire::read(&mut bytes)? {
                ToProcessor::Plane { id, width, values } => {
                    self.planes.insert(id, Plane::silent(width, values as usize));
                }
                ToProcessor::Values { id, from, bytes: length } => {
                    let values = wire::following(&mut bytes, length as usize)?;
                    self.planes.get_mut(&id).ok_or(WireError)?.fill(from as usize, values)?;
                }
                ToProcessor::Bank { id, tracks, articulations } => {
                    let tracks: Result<Vec<_>, _> =
                        tracks.into_iter().map(|track| self.track(track)).collect();
                    let (tracks, articulations) = (tracks?.into(), articulations.into());
                    let bank = Bank { tracks, articulations, ..Bank::default() };
                    self.banks.insert(id, Arc::new(BankHandle::new(Arc::new(bank))));
                }
                ToProcessor::Command(command) => {
                    let command = command.with_bank(|bank| self.banks.get(&bank).cloned());
                    // The link sends no more than there is room for.
                    self.commands.try_push(command.ok_or(WireError)?).map_err(|_| WireError)?;
                }
                ToProcessor::FreePlane(id) => drop(self.planes.remove(&id)),
                ToProcessor::FreeBank(id) => self.freed.extend(self.banks.remove(&id)),
                ToProcessor::CancelBefore(sent) => self.shared.cancel_before(sent),
                ToProcessor::Pause(is_paused) => self.shared.set_paused(is_paused),
            }
        }
        Ok(())
    }

    fn track(&self, track: WireTrack) -> Result<PreparedSample, WireError> {
        let WireTrack { sample, rate, first, length, loop_region, loop_plan, tail, release_track, channels } =
            track;
        let planes = match channels.first().and_then(|[main, _]| self.planes.get(main)) {
            Some(Plane::I16(_)) => Padded::I16(self.channels(&channels, Plane::as_i16)?),
            Some(Plane::F32(_)) => Padded::F32(self.channels(&channels, Plane::as_f32)?),
            None => return Err(WireError),
        };
        Ok(PreparedSample {
            sample,
            rate,
            first,
            length,
            loop_region,
            loop_plan,
            tail,
            release_track,
            planes,
        })
    }

    fn channels<V>(
        &self,
        numbers: &[[Id; 2]],
        values: impl Fn(&Plane) -> Option<Arc<[V]>>,
    ) -> Result<Channels<V>, WireError> {
        let plane = |id: &Id| self.planes.get(id).and_then(&values).ok_or(WireError);
        let channel =
            |[main, looped]: &[Id; 2]| Ok(ChannelPlanes { main: plane(main)?, looped: plane(looped)? });
        match numbers {
            [one] => Ok(Channels::Mono(channel(one)?)),
            [one, two] => Ok(Channels::Stereo(channel(one)?, channel(two)?)),
            _ => Err(WireError),
        }
    }

    /// Renders as [`Processor::process`] does: `frames × channels`, interleaved.
    ///
    /// # Real-time
    /// Safe.
    pub fn process(&mut self, out: &mut [f32], channels: usize) {
        self.processor.process(out, channels);
    }

    /// Returns the first frame not yet rendered.
    #[must_use]
    pub const fn now(&self) -> Frames {
        self.processor.now()
    }

    /// Returns what the link is to know, and frees banks that no voice plays from any more. Nothing if nothing has
    /// happened since.
    #[must_use]
    pub fn report(&mut self) -> Vec<u8> {
        self.freed.retain(|bank| Arc::strong_count(bank) > 1);
        let now = self.processor.now().get();
        let read = self.processor.commands_read();
        if self.reported.replace((now, read)) == Some((now, read)) {
            return Vec::new();
        }
        let (lost_events, refused) = (self.shared.lost_events(), self.shared.refused());
        // Whoever hears of a refusal finds it counted.
        let mut out = wire::write(&FromProcessor::State { now, read, lost_events, refused }, Vec::new());
        let mut is_metered = false;
        for event in self.events.pop_iter() {
            is_metered |= matches!(event, Event::Meter { .. });
            out = wire::write(&FromProcessor::Event(event), out);
        }
        if is_metered {
            out = wire::write(&FromProcessor::Voices(self.voice_positions.values()), out);
        }
        if let Some(tap) = &mut self.tap {
            let mut values = Vec::new();
            let frames = tap.read(|[left, right]| {
                values.extend(left.to_le_bytes());
                values.extend(right.to_le_bytes());
            });
            out = wire::write(&FromProcessor::Frames { frames: frames as u32 }, out);
            out.extend(values);
        }
        out
    }
}

impl Plane {
    fn silent(width: ValueWidth, values: usize) -> Self {
        match width {
            ValueWidth::I16 => Self::I16(std::iter::repeat_n(0, values).collect()),
            ValueWidth::F32 => Self::F32(std::iter::repeat_n(0.0, values).collect()),
        }
    }

    fn as_i16(&self) -> Option<Arc<[i16]>> {
        if let Self::I16(values) = self { Some(Arc::clone(values)) } else { None }
    }

    fn as_f32(&self) -> Option<Arc<[f32]>> {
        if let Self::F32(values) = self { Some(Arc::clone(values)) } else { None }
    }

    /// Writes values from an index on; only before a bank has the plane.
    fn fill(&mut self, from: usize, bytes: &[u8]) -> Result<(), WireError> {
        match self {
            Self::I16(plane) => {
                let (values, _) = bytes.as_chunks::<2>();
                let plane = Arc::get_mut(plane).and_then(|plane| plane.get_mut(from..));
                let part = plane.and_then(|plane| plane.get_mut(..values.len())).ok_or(WireError)?;
                part.iter_mut().zip(values).for_each(|(to, value)| *to = i16::from_le_bytes(*value));
            }
            Self::F32(plane) => {
                let (values, _) = bytes.as_chunks::<4>();
                let plane = Arc::get_mut(plane).and_then(|plane| plane.get_mut(from..));
                let part = plane.and_then(|plane| plane.get_mut(..values.len())).ok_or(WireError)?;
                part.iter_mut().zip(values).for_each(|(to, value)| *to = f32::from_le_bytes(*value));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
