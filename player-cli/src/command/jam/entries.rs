//! The sounds of a package as the screen lists them.

use std::collections::HashMap;
use std::time::Duration;

use engine::Bank;
use importer::{Audio, Report, Sound, SoundClass, SoundFile};
use song::InstrumentIndex;

use crate::import::undecoded_reason;
use crate::tui::model::SoundEntry;
use crate::view::text;

/// Returns the sounds of a package as the list shows them, and its song made ready.
#[must_use]
pub fn entries(package: &SoundFile<'_>, bank: &Bank, report: &Report) -> Vec<SoundEntry> {
    let reasons = report.reasons();
    let has_instruments = package.sounds().iter().any(|sound| sound.class == SoundClass::Instrument);
    let group = |sound: &Sound| match sound.class {
        // A tracker has a page for each.
        SoundClass::Sample | SoundClass::Instrument if has_instruments => format!("{}s", sound.class),
        _ => sound.object.group.clone(),
    };
    package.sounds().iter().map(|sound| entry(sound, group(sound), bank, &reasons)).collect()
}

fn entry(sound: &Sound, group: String, bank: &Bank, reasons: &HashMap<&str, &str>) -> SoundEntry {
    let audio = sound.audio();
    let shown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let instrument = bank.instruments().get(sound.number - 1);
    let undecoded = instrument.is_none_or(song::Instrument::is_silent);
    SoundEntry {
        name: sound.path(),
        group,
        rate: shown(audio.map(|audio| audio.rate.to_string())),
        bits: shown(audio.and_then(|audio| audio.bits).map(|bits| bits.to_string())),
        channels: shown(audio.map(|audio| audio.channels.to_string())),
        length: match (sound.module(), sound.status.reason()) {
            (Some(_), _) => "module".to_owned(),
            (None, Some(_)) => sound.status.name().to_owned(),
            (None, None) => shown(sound.seconds().map(text::seconds).or_else(|| plays(sound))),
        },
        looping: shown(audio.and_then(|audio| audio.loops.first()).map(text::looping)),
        silent: text::unsupported_reason(sound)
            .or_else(|| undecoded.then(|| undecoded_reason(sound, reasons))),
        is_instrument: sound.class == SoundClass::Instrument,
        loops: bank.is_looped(InstrumentIndex::new(sound.number - 1)),
        root: instrument.map_or(song::Key::C4, song::Instrument::root),
        lasts: audio.map_or(Duration::ZERO, lasts),
        envelope: instrument.map_or_else(song::Envelope::default, |instrument| instrument.envelope),
        plays_out: bank.plays_out(InstrumentIndex::new(sound.number - 1)),
    }
}

/// Returns what a group or a cue plays, in the little room that a length has.
fn plays(sound: &Sound) -> Option<String> {
    text::plays(sound).map(|plays| plays.trim_start_matches("plays ").to_owned())
}

/// Returns how long a recording lasts; beyond an hour it makes no difference.
fn lasts(audio: &Audio) -> Duration {
    let longest = 3600.0;
    let seconds = audio.frames.map_or(0.0, |frames| frames as f64 / f64::from(audio.rate.get()));
    Duration::from_secs_f64(seconds.min(longest))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use importer::Remark;

    use super::*;
    use crate::args::ReadingArgs;
    use crate::input::{DEMO, Input};

    #[test]
    fn a_sound_that_was_not_decoded_says_why_and_what_helps() {
        let input = Input::open(Path::new(DEMO), &ReadingArgs::default()).unwrap();
        let package = input.package().unwrap();
        let bank = Bank::prepare(&package.import_only(|_| false).unwrap().songs[0]).unwrap();
        let text = format!("{}: 9 bytes needed, 1 left", importer::OVER_LIMIT);
        let object = package.sounds()[0].path();
        let report = Report { skipped: vec![Remark { object, text }], ..Report::default() };
        let silent: Vec<_> =
            entries(&package, &bank, &report).into_iter().map(|entry| entry.silent).collect();
        let reason = silent[0].as_deref().unwrap();
        assert_eq!(reason, "over the limit: 9 bytes needed, 1 left; --memory allows more");
        assert_eq!(silent[1].as_deref(), Some("it could not be decoded"), "nobody knows why");
    }
}
