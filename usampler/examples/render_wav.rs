//! Renders a sound to a WAV file: `cargo run -p usampler --example render_wav -- FILE SOUND OUT.wav [KEY]`.
//! KEY is a MIDI key; without one the sound is rendered at its own pitch.

use std::error::Error;

use usampler::{Key, Note};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, name, output, key @ ..] = words.as_slice() else {
        return Err("usage: render_wav FILE SOUND OUT.wav [KEY]".into());
    };
    let file = usampler::open(path)?;
    let sound = file.sound(name)?;
    match key {
        [] => sound.write_wav(output)?,
        [key, ..] => {
            let note = Note { key: Some(Key::new(key.parse()?)?), ..Note::default() };
            sound.render(note, Note::HOLD)?.write_wav(output)?;
        }
    }
    println!("{} rendered to {output}", sound.path());
    Ok(())
}
