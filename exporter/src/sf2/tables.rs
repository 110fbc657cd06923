use std::f32::consts::FRAC_PI_2;

use song::Instrument;

use super::fixed::{Fixed, Preset, Repeated};
use super::generator;
use super::motion;
use super::names;
use super::{GAP, Sf2Error, chunk, list};
use crate::UniqueNames;
use crate::sends;
use crate::unrolled::UnrolledSample;

/// Presets of a bank.
const BANK: usize = 128;
/// The bank of percussion kits, which players choose on channel 10.
const PERCUSSION: usize = 128;
/// The key of the first sound of a kit, and how many sounds a kit has.
const KIT: (u8, usize) = (36, 64);
/// Release of what a kit plays to its end, in timecents: the longest that the format knows.
const LONGEST: i16 = 8000;
/// Decibels by which a stereo sample is louder than one in the middle: it is two, each at its side.
const STEREO: f32 = 3.01;
/// Amount of attenuation for a decibel. The specification says 10; players take 0.4 of what is stated, as the EMU8000
/// did.
///
/// Source: own measurement, *fluidsynth* 2.3.
const DECIBEL: f32 = 25.0;

/// Amounts of [`generator::LOOPS`]: for ever, or until the key is released.
const LOOP: i16 = 1;
const LOOP_UNTIL_RELEASE: i16 = 3;

/// Kinds of samples.
const MONO: u16 = 1;
const RIGHT: u16 = 2;
const LEFT: u16 = 4;

/// The nine tables, without their end marks.
#[derive(Default)]
pub(super) struct RecordTables {
    presets: RecordTable,
    preset_zones: RecordTable,
    preset_generators: RecordTable,
    instruments: RecordTable,
    zones: RecordTable,
    generators: RecordTable,
    samples: RecordTable,
    /// Frames of all samples with what is between them.
    pub(super) frames: u32,
}

/// A table as it is written.
#[derive(Default)]
struct RecordTable {
    bytes: Vec<u8>,
    rows: usize,
}

impl RecordTable {
    fn push(&mut self, row: &[&[u8]]) {
        self.bytes.extend(row.concat());
        self.rows += 1;
    }

    /// Returns how many rows there are: the index of the next.
    fn next(&self) -> Result<[u8; 2], Sf2Error> {
        Ok(u16::try_from(self.rows).map_err(|_| Sf2Error::TooMany)?.to_le_bytes())
    }

    fn generator(&mut self, kind: u16, amount: i16) {
        self.push(&[&kind.to_le_bytes(), &amount.to_le_bytes()]);
    }
}

impl RecordTables {
    pub(super) fn of(
        presets: &[Preset<'_>],
        recordings: &[(Repeated, UnrolledSample<'_>)],
    ) -> Result<Self, Sf2Error> {
        let mut tables = Self::default();
        let first_of: Vec<usize> = tables.samples(recordings)?;
        let loudest =
            presets.iter().flat_map(|preset| &preset.zones).map(Fixed::decibels).fold(0.0, f32::max);
        let mut given = UniqueNames::exact();
        for Preset { instrument, zones } in presets {
            let number = tables.presets.rows;
            if number / BANK >= PERCUSSION {
                return Err(Sf2Error::TooMany);
            }
            let name = names::unique(&mut given, &instrument.name, "");
            let index = u16::try_from(number).map_err(|_| Sf2Error::TooMany)?;
            let (program, bank) = ((number % BANK) as u16, (number / BANK) as u16);
            let zone = tables.preset_zones.next()?;
            tables.presets.push(&[&name, &program.to_le_bytes(), &bank.to_le_bytes(), &zone, &[0; 12]]);
            tables.preset_zones.push(&[&tables.preset_generators.next()?, &[0; 2]]);
            tables.preset_generators.generator(generator::INSTRUMENT, index.cast_signed());
            let mut written = Vec::new();
            for fixed in zones {
                let Ok(found) = recordings.binary_search_by_key(&fixed.recording, |(key, _)| *key) else {
                    continue;
                };
                let frames = &recordings[found].1;
                for channel in 0..frames.channels() {
                    let sample = (channel, first_of[found] + channel);
                    written.push(zone_generators(instrument, fixed, frames, sample, loudest, None)?);
                }
            }
            tables.instrument(name, &written)?;
        }
        for (number, kit) in presets.chunks(KIT.1).enumerate().take(BANK) {
            tables.kit(number, kit, recordings, &first_of, loudest, &mut given)?;
        }
        if tables.presets.rows == 0 { Err(Sf2Error::Nothing) } else { Ok(tables) }
    }

    /// Adds a kit of presets, unless the tables cannot count its zones as well.
    fn kit(
        &mut self,
        number: usize,
        presets: &[Preset<'_>],
        recordings: &[(Repeated, UnrolledSample<'_>)],
        first_of: &[usize],
        loudest: f32,
        given: &mut UniqueNames,
    ) -> Result<(), Sf2Error> {
        let find = |fixed: &Fixed<'_>| {
            let found = recordings.binary_search_by_key(&fixed.recording, |(key, _)| *key).ok()?;
            Some((&recordings[found].1, first_of[found]))
        };
        let mut written = Vec::new();
        for (key, Preset { instrument, zones }) in (KIT.0..).zip(presets) {
            for fixed in zones {
                let Some((frames, first)) = find(fixed) else { continue };
                for channel in 0..frames.channels() {
                    let sample = (channel, first + channel);
                    written.push(zone_generators(instrument, fixed, frames, sample, loudest, Some(key))?);
                }
            }
        }
        let generators = written.iter().map(Vec::len).fold(self.generators.rows, usize::saturating_add);
        let most = usize::from(u16::MAX);
        // A global zone takes no more rows than it spares, but one zone.
        if generators > most || self.zones.rows + written.len() >= most {
            return Ok(());
        }
        let Ok(program) = u16::try_from(number) else { return Ok(()) };
        let (name, bank) = (names::unique(given, "Kit", ""), PERCUSSION as u16);
        let index = u16::try_from(self.instruments.rows).map_err(|_| Sf2Error::TooMany)?;
        let zone = self.preset_zones.next()?;
        self.presets.push(&[&name, &program.to_le_bytes(), &bank.to_le_bytes(), &zone, &[0; 12]]);
        self.preset_zones.push(&[&self.preset_generators.next()?, &[0; 2]]);
        self.preset_generators.generator(generator::INSTRUMENT, index.cast_signed());
        self.instrument(name, &written)
    }

    /// Adds an instrument. Generators that all its zones have are those of a global zone, which comes first.
    fn instrument(&mut self, name: [u8; 20], zones: &[Vec<(u16, i16)>]) -> Result<(), Sf2Error> {
        self.instruments.push(&[&name, &self.zones.next()?]);
        let is_own = |kind| matches!(kind, generator::KEYS | generator::VELOCITIES | generator::SAMPLE);
        let shared: Vec<(u16, i16)> = match zones {
            [first, others @ ..] if !others.is_empty() => {
                let everywhere = |row: &&(u16, i16)| others.iter().all(|zone| zone.contains(row));
                first.iter().filter(|(kind, _)| !is_own(*kind)).filter(everywhere).copied().collect()
            }
            _ => Vec::new(),
        };
        let own = zones.iter().map(|zone| zone.iter().filter(|row| !shared.contains(row)).collect());
        let global = (!shared.is_empty()).then(|| shared.iter().collect());
        for zone in global.into_iter().chain(own) {
            let zone: Vec<&(u16, i16)> = zone;
            self.zones.push(&[&self.generators.next()?, &[0; 2]]);
            zone.into_iter().for_each(|(kind, amount)| self.generators.generator(*kind, *amount));
        }
        Ok(())
    }

    /// Returns a row for each channel of each sample; the index of each sample's first.
    fn samples(&mut self, recordings: &[(Repeated, UnrolledSample<'_>)]) -> Result<Vec<usize>, Sf2Error> {
        let mut given = UniqueNames::exact();
        let mut first_of = Vec::new();
        for (_, frames) in recordings {
            let sample = frames.sample();
            let first = self.samples.rows;
            first_of.push(first);
            let sides: &[(&str, u16, usize)] = match frames.channels() {
                1 => &[("", MONO, 0)],
                _ => &[("L", LEFT, first + 1), ("R", RIGHT, first)],
            };
            for (end, kind, link) in sides {
                let name = names::unique(&mut given, &sample.origin().path(), end);
                let position = |frame: usize| {
                    let frame = u32::try_from(frame).map_err(|_| Sf2Error::TooLarge)?;
                    Ok::<_, Sf2Error>(self.frames.checked_add(frame).ok_or(Sf2Error::TooLarge)?.to_le_bytes())
                };
                let looping = frames.looping.unwrap_or_default();
                let root = sample.root().unwrap_or(song::Key::C4).get();
                let link = u16::try_from(*link).map_err(|_| Sf2Error::TooMany)?;
                self.samples.push(&[
                    &name,
                    &position(0)?,
                    &position(frames.length)?,
                    &position(looping.0)?,
                    &position(looping.1)?,
                    &sample.rate().get().to_le_bytes(),
                    &[root, 0],
                    &link.to_le_bytes(),
                    &kind.to_le_bytes(),
                ]);
                self.frames = u32::from_le_bytes(position(frames.length + GAP)?);
            }
        }
        Ok(first_of)
    }

    /// Returns the tables with the row that marks the end of each; of modulators there is nothing else.
    pub(super) fn list(mut self) -> Result<Vec<u8>, Sf2Error> {
        let mut name = [0; 20];
        let mut end = |text: &[u8; 3]| {
            name[..3].copy_from_slice(text);
            name
        };
        let zone = self.preset_zones.next()?;
        self.presets.push(&[&end(b"EOP"), &[0; 4], &zone, &[0; 12]]);
        self.preset_zones.push(&[&self.preset_generators.next()?, &[0; 2]]);
        self.preset_generators.generator(0, 0);
        self.instruments.push(&[&end(b"EOI"), &self.zones.next()?]);
        self.zones.push(&[&self.generators.next()?, &[0; 2]]);
        self.generators.generator(0, 0);
        self.samples.push(&[&end(b"EOS"), &[0; 26]]);
        list(
            *b"pdta",
            &[
                chunk(*b"phdr", &self.presets.bytes)?,
                chunk(*b"pbag", &self.preset_zones.bytes)?,
                chunk(*b"pmod", &[0; 10])?,
                chunk(*b"pgen", &self.preset_generators.bytes)?,
                chunk(*b"inst", &self.instruments.bytes)?,
                chunk(*b"ibag", &self.zones.bytes)?,
                chunk(*b"imod", &[0; 10])?,
                chunk(*b"igen", &self.generators.bytes)?,
                chunk(*b"shdr", &self.samples.bytes)?,
            ],
        )
    }
}

/// Returns the generators of a zone for a channel of a recording and its sample, without those that are as they would
/// be anyway: on its own keys, or on the one that it has in a kit.
fn zone_generators(
    instrument: &Instrument,
    fixed: &Fixed<'_>,
    frames: &UnrolledSample<'_>,
    (channel, sample): (usize, usize),
    loudest: f32,
    key: Option<u8>,
) -> Result<Vec<(u16, i16)>, Sf2Error> {
    let zone = fixed.zone;
    let range = |low: u8, high: u8| i16::from_le_bytes([low, high]);
    let (keys, velocities) = (zone.keys(), zone.velocities());
    let side = match (frames.channels(), channel) {
        (1, _) => 0.0,
        (_, 0) => -500.0,
        _ => 500.0,
    };
    let tuning = zone.transposition(zone.root()).get() + fixed.pitch;
    let sample = u16::try_from(sample).map_err(|_| Sf2Error::TooMany)?;
    // The casts saturate.
    let mut generators = Vec::new();
    let mut add = |kind, amount| generators.push((kind, amount));
    let own = [keys.start().get(), keys.end().get(), zone.root().get()];
    let [low, high, root] = key.map_or(own, |key| [key; 3]);
    add(generator::KEYS, range(low, high));
    add(generator::VELOCITIES, range(velocities.start().get(), velocities.end().get()));
    // Players turn a mono sound by sine and cosine, the engine by roots.
    let turn = zone.pan().get();
    let turn = if frames.channels() == 1 { turn.asin() / FRAC_PI_2 } else { turn };
    let pan = (side + turn * 500.0).clamp(-500.0, 500.0);
    add(generator::PAN, pan.round() as i16);
    add(generator::REVERB_SEND, sends::reverb(instrument).map_or(0, |part| (1000.0 * part).round() as i16));
    let envelope = instrument.envelope;
    let is_whole = key.is_some() && frames.looping.is_none();
    let release = motion::straight_release(envelope.release.as_secs_f32());
    let own = [(generator::ATTACK, envelope.attack.as_secs_f32()), (generator::RELEASE, release)];
    let own = own.map(|(kind, seconds)| (kind, motion::timecents(seconds).round() as i16));
    for (kind, amount) in fixed.motion.as_ref().map_or(&own[..], |motion| &motion.generators) {
        let plays_out = is_whole && *kind == generator::RELEASE;
        add(*kind, if plays_out { LONGEST } else { *amount });
    }
    let stereo = if frames.channels() == 1 { 0.0 } else { STEREO };
    let attenuation = (DECIBEL * (loudest - fixed.decibels() + stereo)).clamp(0.0, 1440.0);
    add(generator::ATTENUATION, attenuation.round() as i16);
    add(generator::SEMITONES, (tuning / 100.0).trunc().clamp(-120.0, 120.0) as i16);
    add(generator::CENTS, (tuning % 100.0).round().clamp(-99.0, 99.0) as i16);
    if let Some(response) = zone.response() {
        add(generator::SCALE, response.pitch_by_key.round() as i16);
    }
    add(
        generator::LOOPS,
        match frames.looping {
            None => 0,
            Some(_) if frames.is_left => LOOP_UNTIL_RELEASE,
            Some(_) => LOOP,
        },
    );
    add(generator::ROOT, root.into());
    add(generator::SAMPLE, sample.cast_signed());
    generators.retain(|(kind, amount)| generator::default(*kind) != Some(*amount));
    Ok(generators)
}
