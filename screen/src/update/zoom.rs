//! Zooming into the waveform.

use crate::model::zoom::loop_of;
use crate::model::{Model, zoom};

/// Shows less of the waveform, or more: around the first position of its voices, else the beginning of its loop, else
/// its middle.
pub(super) fn step(model: &mut Model, is_in: bool) {
    let Some(waveform) = model.chosen_picture().and_then(|picture| picture.waveform.as_ref()) else { return };
    let length = waveform.length.get();
    let window = model.zoom.window(model.chosen, length);
    let position = model.positions.first().map(|position| position.get());
    let candidates = [position, loop_of(waveform).map(|range| range.start)];
    let seen = candidates.into_iter().flatten().find(|frame| window.contains(frame));
    let frame = seen.unwrap_or(window.start + (window.end - window.start) / 2);
    model.zoom = model.zoom.step(model.chosen, is_in, frame, length);
}

/// Shows less of the waveform, or more, around the column under the mouse.
pub(super) fn step_at(model: &mut Model, is_in: bool, column: usize, columns: usize) {
    let Some(waveform) = model.chosen_picture().and_then(|picture| picture.waveform.as_ref()) else { return };
    let length = waveform.length.get();
    let window = model.zoom.window(model.chosen, length);
    let frame = zoom::frame_of(&window, column, columns);
    model.zoom = model.zoom.step(model.chosen, is_in, frame, length);
}
