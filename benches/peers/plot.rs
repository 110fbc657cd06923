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
const NANOSECONDS: [f64; 2] = [0.25, 40.0];
/// Height of a line of text.
const LINE: f64 = 13.0;

const STYLE: &str = "text{font:11px sans-serif;fill:#444}.t{font-size:14px;fill:#222}.g{stroke:#ddd}\
    .o{fill:#c33}.o+text{fill:#c33;font-weight:bold}.p{fill:#fff;stroke:#36a;stroke-width:1.5}";

struct Point {
    name: String,
    is_ours: bool,
    x: f64,
    y: f64,
    /// Where its name stands: as near to it as others allow.
    text: f64,
}

/// Everyone who played 16 bits at the chord that counts, as an SVG file.
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
    draw(&points)
}

/// Moves names apart that would cover each other.
fn space(points: &mut [Point]) {
    points.sort_by(|a, b| a.y.total_cmp(&b.y));
    for index in 1..points.len() {
        let (before, rest) = points.split_at_mut(index);
        let point = &mut rest[0];
        for other in before {
            let near = (point.x - other.x).abs() < 130.0;
            if near && point.text - other.text < LINE {
                point.text = other.text + LINE;
            }
        }
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
    for nanoseconds in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0] {
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
    for Point { name, is_ours, x, y, text } in points {
        let class = if *is_ours { "o" } else { "p" };
        // Names stand on the side that has room.
        let (at, anchor) = if *x > right - 130.0 { (x - 8.0, "end") } else { (x + 8.0, "start") };
        line(format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>\
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
