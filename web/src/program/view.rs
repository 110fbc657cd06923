//! What the page shows, in JSON: parts of the screen's model, each sent when it has changed.

mod song_text;

use player::keyboard::{KeyMapMode, Scheme};
use player::text::counted;
use screen::draw::Palette;
use screen::keymap::{KeyCommand, ROWS};
use screen::model::column::COLUMNS;
use screen::model::knob::PAGES;
use screen::model::list::ListRow;
use screen::model::{Model, PianoKey};
use serde_json::{Map, Value, json};

/// What of the page is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The first row of the list.
    pub top: usize,
    /// Rows of the list.
    pub rows: usize,
    /// Columns of the waveform.
    pub columns: usize,
    /// Columns and rows of the text that a song is drawn as.
    pub text: (u16, u16),
}

impl Default for Seen {
    fn default() -> Self {
        Self { top: 0, rows: 40, columns: 400, text: (100, 30) }
    }
}

/// The most rows and columns that are sent at once.
const MAX_ROWS: usize = 400;
const MAX_COLUMNS: usize = 4000;

/// What was sent last of each part.
#[derive(Debug, Default)]
pub struct Shown {
    parts: Map<String, Value>,
}

impl Shown {
    /// Returns the parts that have changed, as a JSON object; empty if none has.
    pub fn news(
        &mut self,
        model: Option<&Model>,
        seen: Seen,
        openings: u64,
        mappings: Option<&str>,
        problem: Option<String>,
    ) -> String {
        let mut news = Map::new();
        let mut parts = vec![("openings", json!(openings)), ("mappings", json!(mappings))];
        if let Some(model) = model {
            parts.extend([
                ("header", header(model)),
                ("message", message(model)),
                ("list", list(model, seen)),
                ("wave", wave(model, seen.columns.min(MAX_COLUMNS))),
                ("positions", positions(model)),
                ("knobs", knobs(model)),
                ("piano", piano(model)),
                ("meters", meters(model)),
                ("menu", menu(model)),
                ("song", song_text::of(model, Palette::Dark)),
            ]);
        }
        for (name, part) in parts {
            if self.parts.get(name) != Some(&part) {
                news.insert(name.to_owned(), part.clone());
                self.parts.insert(name.to_owned(), part);
            }
        }
        if let Some(problem) = problem {
            news.insert("problem".to_owned(), Value::String(problem));
        }
        if news.is_empty() { String::new() } else { Value::Object(news).to_string() }
    }
}

/// Returns the commands that have buttons or are listed in the help, by their names.
#[must_use]
pub fn commands() -> Value {
    let row = |row: &screen::keymap::KeyBinding| {
        let keys: Vec<String> =
            screen::keymap::Keymap::default().keys(row.command).map(|key| key.to_string()).collect();
        json!({"name": row.name, "about": row.about, "keys": keys})
    };
    ROWS.iter()
        .filter(|row| !matches!(row.command, KeyCommand::Suspend | KeyCommand::Quit | KeyCommand::Devices))
        .map(row)
        .collect()
}

fn header(model: &Model) -> Value {
    let status = &model.status;
    json!({
        "package": model.package,
        "sounds": counted(model.sounds.len()),
        "isListing": model.is_listing,
        "rate": model.rate.get(),
        "voices": [model.voices.0, model.voices.1],
        "isKit": model.map == KeyMapMode::Kit,
        "velocity": model.velocity.get(),
        "mode": model.mode.name(),
        "take": model.take.map(|take| take.now.saturating_sub(take.since).as_secs()),
        "previews": model.previews,
        "errors": status.errors,
        "midi": model.midi.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn message(model: &Model) -> Value {
    let loading = model.loading.and_then(|sound| model.sounds.get(sound));
    match (&model.warning, loading, &model.notice) {
        (Some(warning), _, _) => json!({"warning": warning}),
        (None, Some(entry), _) => json!({"notice": format!("loading {}", entry.name)}),
        (None, None, Some((notice, _))) => json!({"notice": notice}),
        (None, None, None) => Value::Null,
    }
}

fn list(model: &Model, seen: Seen) -> Value {
    let list = &model.list;
    let row = |row: &ListRow| match *row {
        ListRow::Group(index) => {
            let group = list.groups.get(index);
            json!({
                "group": group.map(|group| group.name.as_str()),
                "count": group.map(|group| group.sounds.len()),
                "isFolded": group.map(|group| group.is_folded),
            })
        }
        ListRow::Sound(sound) => sound_row(model, sound),
    };
    let rows = list.rows.iter().skip(seen.top).take(seen.rows.min(MAX_ROWS)).map(row);
    json!({
        "count": list.rows.len(),
        "top": seen.top,
        "rows": rows.collect::<Vec<_>>(),
        "chosen": list.marked_row(model.chosen),
        "order": list.order.name(),
        "filter": list.filter,
        "heads": COLUMNS.map(|column| column.heading),
    })
}

fn sound_row(model: &Model, sound: usize) -> Value {
    let Some(entry) = model.sounds.get(sound) else { return Value::Null };
    let name = if model.list.is_flat() { &entry.name } else { entry.listed().own_name() };
    json!({
        "number": sound + 1,
        "name": name,
        "cells": entry.cells,
        "silent": entry.silent,
        "isAdjusted": model.voicings.contains_key(&sound),
        "isPicked": model.list.picked.contains(&sound),
        "sounds": model.notes.iter().any(|note| note.sound == sound),
    })
}

fn wave(model: &Model, columns: usize) -> Value {
    let Some(entry) = model.chosen_entry() else { return Value::Null };
    let mut wave = json!({"name": entry.name, "silent": entry.silent});
    let waveform = model.chosen_picture().and_then(|picture| picture.waveform.as_ref());
    let (Some(waveform), Some(parts)) = (waveform, wave.as_object_mut()) else { return wave };
    let length = waveform.length.get();
    let window = model.zoom.window(model.chosen, length);
    let looping = screen::model::zoom::loop_of(waveform).filter(|_| model.loops(model.chosen));
    let drag = model.wave_drag.as_ref();
    let dragged =
        drag.and_then(|drag| drag.frames(waveform)).map(|range| [range.start.get(), range.end.get()]);
    let trim = model.trim(waveform);
    parts.insert("length".to_owned(), json!(length));
    parts.insert("window".to_owned(), json!([window.start, window.end]));
    parts.insert("loop".to_owned(), json!(looping.map(|range| [range.start, range.end])));
    parts.insert("trim".to_owned(), json!([trim.start, trim.end]));
    parts.insert("dragged".to_owned(), json!(dragged));
    parts.insert("channels".to_owned(), peaks(waveform, &window, columns));
    wave
}

/// Returns the lowest and highest value of each column, in hundredths, by channel.
fn peaks(waveform: &player::Waveform, window: &std::ops::Range<u64>, columns: usize) -> Value {
    let length = waveform.length.get().max(1);
    let channel = |parts: &Vec<[f32; 2]>| -> Vec<i32> {
        let part = |frame: u64| (u128::from(frame) * parts.len() as u128 / u128::from(length)) as usize;
        let column = |column: usize| {
            let frame = |column| screen::model::zoom::frame_of(window, column, columns);
            let (from, to) = (part(frame(column)), part(frame(column + 1)));
            let seen = parts.get(from..to.max(from + 1).min(parts.len())).unwrap_or_default();
            let low = seen.iter().map(|[low, _]| *low).fold(0.0, f32::min);
            let high = seen.iter().map(|[_, high]| *high).fold(0.0, f32::max);
            [low, high].map(|value| (value * 100.0).round() as i32)
        };
        (0..columns).flat_map(column).collect()
    };
    waveform.channels.iter().map(channel).collect()
}

fn positions(model: &Model) -> Value {
    model.positions.iter().map(|frame| frame.get()).collect()
}

fn knobs(model: &Model) -> Value {
    let pages = PAGES.iter().map(|page| {
        let knobs = page.knobs.iter().map(|knob| {
            json!({
                "name": knob.name(),
                "text": model.knob_text(*knob),
                "isChanged": model.is_knob_changed(*knob),
                "isTurned": model.is_adjusting && model.knob == *knob,
                "isLearning": model.learning == Some(*knob),
            })
        });
        json!({"name": page.name, "knobs": knobs.collect::<Vec<_>>()})
    });
    json!({"page": model.knob.page(), "pages": pages.collect::<Vec<_>>()})
}

fn piano(model: &Model) -> Value {
    let most = Scheme::of(model.layout).notes().map(|(_, semitone)| semitone).max().unwrap_or_default();
    let key = |semitone: u8| {
        let key = PianoKey::of(model, semitone)?;
        Some(json!({
            "semitone": semitone,
            "isBlack": screen::layout::is_black(semitone),
            "typed": key.typed.iter().map(|typed| model.label(*typed).to_string()).collect::<Vec<_>>(),
            "places": key.typed,
            "note": key.key.to_string(),
            "name": key.name(model),
            "isLit": key.is_lit,
        }))
    };
    (0..=most).filter_map(key).collect()
}

fn meters(model: &Model) -> Value {
    let rounded = |value: f32| (value * 1000.0).round();
    let sides = model.meters.iter().map(|meter| json!({"level": rounded(meter.level)}));
    json!({"sides": sides.collect::<Vec<_>>()})
}

fn menu(model: &Model) -> Value {
    if let Some(saving) = &model.saving {
        let rows = saving.choices.iter().map(|(what, _)| what.clone());
        return json!({"title": "Save", "rows": rows.collect::<Vec<_>>(), "chosen": saving.chosen});
    }
    if let Some(switching) = &model.switching {
        let shown = switching.rows.iter().filter_map(|row| model.switches.get(*row));
        let rows = shown.map(|switch| {
            let value = switch.set.or(switch.choice.chosen);
            let value =
                value.and_then(|index| switch.choice.values.get(index)).map(|(_, name)| name.as_str());
            format!("{}: {}", switch.choice.name, value.unwrap_or("default"))
        });
        return json!({"title": "Switches", "rows": rows.collect::<Vec<_>>(), "chosen": switching.chosen});
    }
    Value::Null
}
