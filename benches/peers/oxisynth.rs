//! Oxisynth: a `SoundFont` player in Rust, after `FluidSynth`.

use ::oxisynth::{InterpolationMethod, MidiEvent, SoundFont, Synth, SynthDescriptor};

use super::font;
use super::scene::{Block, Engine, Playing, RATE, Scene};

struct Oxisynth(Synth);

/// Plays a scene, interpolated so.
pub(crate) fn play(interpolation: InterpolationMethod, scene: &Scene) -> Playing {
    let mut file = std::io::Cursor::new(font::bytes(scene)?);
    let mut synth = Synth::new(SynthDescriptor {
        interpolation,
        reverb_active: false,
        chorus_active: false,
        drums_channel_active: false,
        polyphony: u16::try_from(scene.voices())?,
        midi_channels: u8::try_from(font::channels(scene))?,
        gain: scene.gain,
        sample_rate: RATE as f32,
        ..SynthDescriptor::default()
    })?;
    synth.add_font(SoundFont::load(&mut file)?, true);
    for (channel, key) in font::notes(scene.voices()) {
        synth.send_event(MidiEvent::NoteOn { channel, key, vel: 127 })?;
    }
    Ok(Box::new(Oxisynth(synth)))
}

impl Engine for Oxisynth {
    fn render(&mut self, block: &mut Block) {
        self.0.write(&mut block[..]);
    }

    fn sounding(&mut self) -> Option<usize> {
        None
    }
}
