//! Cost against sound, as a picture: down is cheaper, right is cleaner.

use std::fmt::Write;

use super::bars;
use super::cast::Who;
use super::report::{Sounds, sound_of};
use super::rounds::{Rounds, Spread};
use super::scene::Material;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 540.0;
/// Left, top, right, bottom of the axes.
const FRAME: [f64; 4] = [70.0, 40.0, 840.0, 480.0];
/// Decibels at both ends of the axis.
const DECIBELS: [f64; 2] = [15.0, 95.0];
/// Nanoseconds at both ends of the axis, which is logarithmic.
const NANOSECONDS: [f64; 2] = [0.25, 64.0];
/// Height of a line of text, width of a letter at most, and radius of a point.
const LINE: f64 = 13.0;
const LETTER: f64 = 6.4;
const RADIUS: f64 = 4.5;

const STYLE: &str = "text{font:11px sans-serif;fill:#444}.t{font-size:14px;fill:#222}.g{stroke:#ddd}\
    .o{fill:#c33}.o+text{fill:#c33;font-weight:bold}.p{fill:#fff;stroke:#36a;stroke-width:1.5}";

struct Point {
    name: String,
    is_ours: bool,
    x: f64,
    y: f64,
    /// Where the middle of its name is: as near to it as others allow.
    text: f64,
}

impl Point {
    /// From where to where its name reaches: to the right, or to the left where there is no room.
    fn reach(&self) -> [f64; 2] {
        let width = LETTER * self.name.len() as f64;
        let right = self.x + 2.0 * RADIUS;
        if right + width > FRAME[2] {
            [right - 4.0 * RADIUS - width, right - 4.0 * RADIUS]
        } else {
            [right, right + width]
        }
    }

    /// Returns whether its name, so high, would cover a point or its name.
    fn covers(&self, text: f64, other: &Self, named: bool) -> bool {
        let [from, to] = self.reach();
        let [begin, end] = other.reach();
        let on_point =
            (from - RADIUS..to + RADIUS).contains(&other.x) && (text - other.y).abs() < LINE / 2.0 + RADIUS;
        let on_name = named && from < end && begin < to && (text - other.text).abs() < LINE;
        on_point || on_name
    }
}

/// Returns everyone who played 16 bits at the chord that counts, as an SVG file.
pub(crate) fn svg(all: &[Rounds], sounds: &Sounds) -> String {
    let material = Material::Sixteen;
    let rounds = all.iter().find(|rounds| rounds.voices == bars::VOICES && rounds.material == material);
    let mut points: Vec<Point> = Vec::new();
    for (who, times) in rounds.map_or(&[][..], |rounds| &rounds.times) {
        let Some(sound) = sound_of(sounds, *who, material) else { continue };
        let y = height(Spread::of(times.iter().copied()).min);
        points.push(Point {
            name: who.to_string(),
            is_ours: matches!(who, Who::Ours(_)),
            x: across(sound.worst()),
            y,
            text: y,
        });
    }
    space(&mut points);
    // Ours stand in front.
    points.sort_by_key(|point| point.is_ours);
    draw(&points)
}

/// Moves names up or down where they would cover others.
fn space(points: &mut [Point]) {
    for index in 0..points.len() {
        let point = &points[index];
        let free = |text: &f64| {
            let others = points.iter().enumerate().filter(|(other, _)| *other != index);
            others.into_iter().all(|(other, of)| !point.covers(*text, of, other < index))
        };
        let tries =
            (0..8).flat_map(|half| [-1.0, 1.0].map(|way| point.y + way * f64::from(half) * LINE / 2.0));
        let found = tries.into_iter().find(free);
        points[index].text = found.unwrap_or(points[index].y);
    }
}

fn draw(points: &[Point]) -> String {
    let [left, top, right, bottom] = FRAME;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n<style>{STYLE}</style>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    let mut line = |text: String| {
        // A string takes whatever is written to it.
        let _ = writeln!(svg, "{text}");
    };
    let title =
        format!("{} voices of 16-bit mono, blocks of 256: down is cheaper, right is cleaner", bars::VOICES);
    line(format!("<text class=\"t\" x=\"{left}\" y=\"24\">{title}</text>"));
    for decibels in (20..=90).step_by(10) {
        let x = across(f64::from(decibels));
        line(format!("<path class=\"g\" d=\"M{x:.1} {top}V{bottom}\"/>"));
        line(format!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{decibels}</text>", bottom + 16.0));
    }
    for nanoseconds in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0] {
        let y = height(nanoseconds);
        line(format!("<path class=\"g\" d=\"M{left} {y:.1}H{right}\"/>"));
        line(format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{nanoseconds}</text>",
            left - 6.0,
            y + 4.0
        ));
    }
    let middle = (left + right) / 2.0;
    line(format!(
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">worst SNR of 1, 5 and 10 kHz at −7 semitones, dB</text>",
        bottom + 38.0
    ));
    let middle = (top + bottom) / 2.0;
    line(format!(
        "<text transform=\"translate(24 {middle}) rotate(-90)\" text-anchor=\"middle\">ns for a frame of a voice</text>"
    ));
    for point in points {
        let Point { name, is_ours, x, y, text } = point;
        let class = if *is_ours { "o" } else { "p" };
        let [from, to] = point.reach();
        let (at, anchor) = if from < *x { (to, "end") } else { (from, "start") };
        line(format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{name}</text>",
            text + 4.0
        ));
    }
    svg + "</svg>\n"
}

fn across(decibels: f64) -> f64 {
    let [from, to] = DECIBELS;
    FRAME[0] + (FRAME[2] - FRAME[0]) * ((decibels - from) / (to - from)).clamp(0.0, 1.0)
}

fn height(nanoseconds: f64) -> f64 {
    let [from, to] = NANOSECONDS;
    let share = (nanoseconds / from).ln() / (to / from).ln();
    FRAME[3] - (FRAME[3] - FRAME[1]) * share.clamp(0.0, 1.0)
}
