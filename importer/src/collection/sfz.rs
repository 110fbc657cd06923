//! SFZ: a text that says which files of audio are played by which notes, and how.
//!
//! ```text
//! text ─► lexer ─► regions ─► instruments ─► zones
//!         #include  headers    by controllers  opcodes
//! ```
//!
//! A file is one instrument, and one more for each setting of controllers that regions wait for and that is not the
//! one of the file: files of several instruments choose among them by controllers.
//!
//! Source: sfzformat.com.

mod articulation;
mod instruments;
mod lexer;
mod opcodes;
mod paths;
mod regions;
mod samples;
mod zone;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use song::{
    Articulation, ArticulationIndex, Instrument, Origin, Sample, SampleIndex, SamplerArticulation, Sends,
    ZoneTree,
};
use unreal::{Limits, ObjectPath, Source};

use super::Collection;
use super::bank::{NotPlayed, ReverbSends};
use crate::budget::{Budget, DecodeBudget, SharedBudget, bytes};
use crate::open::Files;
use crate::sound::Description;
use crate::{BankError, Contents, EmptyReason, Error, Remark, Sound, SoundClass, Status};
use articulation::Movements;
use instruments::SfzInstrument;
use lexer::Lexer;
use opcodes::{Fate, REVERB_SEND, fate};
use paths::Paths;
use regions::{Region, RegionReader};
use samples::Samples;

/// Headers and directives that a file may begin with.
const BEGINNINGS: [&str; 9] = [
    "<region>",
    "<group>",
    "<global>",
    "<master>",
    "<control>",
    "<curve>",
    "<effect>",
    "#define",
    "#include",
];

/// What a zone takes in memory.
const ZONE: usize = size_of::<ZoneTree>() * 2 + 64;

/// What an articulation takes.
const ARTICULATION: usize = size_of::<Articulation>() + 2048;

/// How many articulations a new one is compared with.
const COMPARED: usize = 64;

/// A bank, described.
pub(crate) struct SfzSounds {
    source: Box<dyn Source>,
    files: Arc<dyn Files>,
    sounds: Vec<Sound>,
    instruments: usize,
    /// What each instrument sends to effects.
    sends: Vec<Sends>,
    samples: Samples,
    articulations: Vec<Articulation>,
    not_played: NotPlayed,
}

/// Returns whether a file begins as an SFZ file does, but for comments.
pub(crate) fn is_head(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let mut rest = head;
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'/', b'/', ..] => b"\n",
            [b'/', b'*', ..] => b"*/",
            _ => break,
        };
        let Some(at) = rest.windows(end.len()).skip(2).position(|window| window == end) else { return false };
        rest = rest.get(at.saturating_add(2).saturating_add(end.len())..).unwrap_or_default();
    }
    let begins = |with: &str| {
        rest.split_at_checked(with.len()).is_some_and(|(head, _)| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    BEGINNINGS.iter().any(|with| begins(with))
}

/// Returns whether a file is one by its extension: a long comment may come first.
pub(crate) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sfz"))
}

/// Reads a bank and describes its sounds.
///
/// # Errors
/// [`Error::Bank`] with file and line, and if what is stated takes more than the limits.
pub(crate) fn open(
    files: &Arc<dyn Files>,
    path: &Path,
    name: &str,
    budget: &Budget,
) -> Result<SfzSounds, Error> {
    let mut limits = Limits::with_structures(budget.structures);
    let mut paths = Paths::new(Arc::clone(files), path);
    let source = paths.open(path).map_err(crate::Damage::from)?;
    let mut not_played = NotPlayed::default();
    // What texts cost and what they state are paid from one budget each.
    let mut text_limits = Limits::with_structures(budget.structures);
    let mut reader = RegionReader::new(&mut limits, &mut not_played);
    let mut lexer = Lexer::new(&mut paths, &mut text_limits);
    lexer.read(&*source, path.to_owned(), &mut |token, _| reader.take(token))?;
    let has_effects = reader.has_effects();
    let (regions, controllers) = reader.finish();
    if regions.is_empty() {
        let place = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        return Err(Error::Bank(BankError { place, what: "no <region> in it".to_owned() }));
    }
    let shared = budget.shared.as_ref();
    let mut builder = Builder::new(&mut paths, shared, &mut limits, not_played);
    builder.has_effects = has_effects;
    let described = instruments::of(&regions, &controllers, name);
    let sounds = builder.build(&regions, described)?;
    let Builder { samples, articulations, not_played, instruments, sends, .. } = builder;
    let files = paths.into_files();
    Ok(SfzSounds { source, files, sounds, instruments, sends, samples, articulations, not_played })
}

impl SfzSounds {
    /// Returns the bytes of its files.
    pub(crate) fn stored(&self) -> u64 {
        self.samples.stored().saturating_add(self.source.len())
    }
}

/// Makes sounds of regions.
struct Builder<'b> {
    paths: &'b mut Paths,
    shared: Option<&'b SharedBudget>,
    limits: &'b mut Limits,
    not_played: NotPlayed,
    samples: Samples,
    articulations: Vec<Articulation>,
    instruments: usize,
    sends: Vec<Sends>,
    /// Whether the file has effects of its own.
    has_effects: bool,
}

impl<'b> Builder<'b> {
    fn new(
        paths: &'b mut Paths,
        shared: Option<&'b SharedBudget>,
        limits: &'b mut Limits,
        not_played: NotPlayed,
    ) -> Self {
        Self {
            paths,
            shared,
            limits,
            not_played,
            samples: Samples::default(),
            articulations: Vec::new(),
            instruments: 0,
            sends: Vec::new(),
            has_effects: false,
        }
    }

    /// Returns the instruments, then the samples.
    fn build(&mut self, regions: &[Region], instruments: Vec<SfzInstrument>) -> Result<Vec<Sound>, Error> {
        self.instruments = instruments.len();
        let size = size_of::<(Sound, Sends)>();
        self.limits.take(bytes(instruments.len().saturating_mul(size)), 0, "instruments")?;
        let switches = regions
            .iter()
            .filter_map(zone::switch_keys)
            .reduce(|all, keys| *all.start().min(keys.start())..=*all.end().max(keys.end()));
        let mut parts: Vec<Option<ZoneTree>> = Vec::new();
        self.limits.take(bytes(regions.len().saturating_mul(ZONE)), 0, "regions of an SFZ file")?;
        for region in regions {
            self.count_unplayed(region);
            parts.push(self.part(region, switches.as_ref())?);
        }
        let mut sounds = Vec::with_capacity(instruments.len());
        for (index, SfzInstrument { name, regions: own }) in instruments.into_iter().enumerate() {
            self.limits.take(bytes(own.len().saturating_mul(ZONE)), 0, "regions of an SFZ file")?;
            let heard = own.iter().filter(|index| parts.get(**index).is_some_and(Option::is_some));
            let sends = self.sends(heard.filter_map(|index| regions.get(*index)));
            self.sends.push(sends);
            let zones = own.iter().filter_map(|region| parts.get(*region)?.clone());
            let tree = ZoneTree::new(song::Node::Layer(zones.collect()))?;
            let description = if tree.size() > 1 {
                Description { contents: Contents::Preset(tree), ..Description::unread(Status::Ok) }
            } else {
                Description::unread(Status::Empty(EmptyReason::NoKeys))
            };
            let object = ObjectPath { group: String::new(), name };
            sounds.push(description.named(index.saturating_add(1), object, SoundClass::Instrument));
        }
        sounds.extend(self.samples.sounds(self.instruments.saturating_add(1)));
        Ok(sounds)
    }

    /// Returns what an instrument of regions sends to effects.
    fn sends<'r>(&mut self, regions: impl Iterator<Item = &'r Region>) -> Sends {
        let mut sends = ReverbSends::default();
        if !self.has_effects {
            regions.for_each(|region| sends.add(zone::reverb_send(region)));
        }
        let (sends, others) = sends.of_instrument();
        self.not_played.add(&format!("{REVERB_SEND} unlike most regions of the instrument"), others);
        sends
    }

    /// Returns the part of an instrument that a region is; none if it is never heard.
    fn part(
        &mut self,
        region: &Region,
        switches: Option<&std::ops::RangeInclusive<song::Key>>,
    ) -> Result<Option<ZoneTree>, Error> {
        if let Some(reason) = zone::unplayed(region) {
            self.not_played.count(reason);
            return Ok(None);
        }
        let name = region.text("sample").map(str::trim).unwrap_or_default();
        if name.is_empty() || zone::ranges(region).is_none() {
            return Ok(None);
        }
        let file = self.samples.file(name, self.paths, self.shared, self.limits)?;
        let Some(file) = file.filter(|file| self.samples.is_playable(*file)) else {
            let what = if name.starts_with('*') {
                format!("sample={name}")
            } else if file.is_some() {
                format!("sample {name} cannot be decoded")
            } else {
                format!("sample {name} is missing")
            };
            self.not_played.count(&what);
            return Ok(None);
        };
        let root = self.samples.root(file);
        // The index is known as soon as the root is.
        let none = SampleIndex::new(0);
        let Some((zone, varied)) = zone::tree(region, none, root, switches, &mut self.not_played)? else {
            return Ok(None);
        };
        let part = self.samples.part(file, region, zone.root(), self.limits)?;
        let index = SampleIndex::new(self.instruments.saturating_add(part));
        let articulation = self.articulation(region)?;
        let root = zone.root();
        let zone = zone.of_sample(index, root, song::Cents::ZERO).with_articulation(articulation);
        Ok(Some(zone::part(zone, varied)))
    }

    fn articulation(&mut self, region: &Region) -> Result<Option<ArticulationIndex>, Error> {
        let is_one_shot = region.text("loop_mode").map(str::trim) == Some("one_shot");
        let mut movements = Movements { region, not_played: &mut self.not_played, is_one_shot };
        let Some(articulation) = movements.articulation() else { return Ok(None) };
        let is_same =
            |known: &Articulation| matches!(known, Articulation::Sampler(known) if *known == articulation);
        let known = self.articulations.iter().rev().take(COMPARED).position(is_same);
        if let Some(back) = known {
            let index = self.articulations.len().saturating_sub(back).saturating_sub(1);
            return Ok(Some(ArticulationIndex::new(index)));
        }
        let segments = |articulation: &SamplerArticulation| {
            let envelopes = articulation.envelopes.iter().map(|one| one.envelope.segments().len());
            envelopes.sum::<usize>().saturating_add(articulation.amplitude.segments().len())
        };
        let size = segments(&articulation).saturating_mul(size_of::<song::EnvelopeSegment>());
        self.limits.take(bytes(ARTICULATION.saturating_add(size)), 0, "envelopes of an SFZ file")?;
        self.articulations.push(articulation.into());
        Ok(Some(ArticulationIndex::new(self.articulations.len().saturating_sub(1))))
    }

    /// Counts what is stated for a region and not played.
    fn count_unplayed(&mut self, region: &Region) {
        let is_unplayed =
            |name: &&str| fate(name) == Fate::NotPlayed || (self.has_effects && *name == REVERB_SEND);
        let names: BTreeSet<&str> = region.names().filter(is_unplayed).collect();
        let moved: BTreeSet<(&str, u16)> = region.moved_names().collect();
        for name in names {
            self.not_played.count(name);
        }
        for (name, controller) in moved {
            if controller == regions::VELOCITY && name.starts_with("eg") {
                continue;
            }
            self.not_played.count(&format!("{name} by controller {controller}"));
        }
    }
}

impl Collection for SfzSounds {
    fn kind(&self) -> &'static str {
        "SFZ instrument"
    }

    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    fn decode(
        &self,
        package: &str,
        sound: &Sound,
        budget: &mut DecodeBudget,
    ) -> Option<Result<Sample, Error>> {
        let index = sound.number.saturating_sub(1).checked_sub(self.instruments)?;
        let ObjectPath { group, name } = sound.object.clone();
        let origin = Origin { package: package.to_owned(), group, name };
        Some(self.samples.decode(index, origin, &self.files, budget))
    }

    fn articulations(&self) -> &[Articulation] {
        &self.articulations
    }

    fn whole_instrument(&self, sound: &Sound, instrument: Instrument) -> Instrument {
        let own = sound.number.checked_sub(1).and_then(|index| self.sends.get(index)).copied();
        Instrument { sends: own.unwrap_or(instrument.sends), ..instrument }
    }

    fn remarks(&self, package: &str) -> Vec<Remark> {
        self.not_played.remarks(package, "region")
    }
}
