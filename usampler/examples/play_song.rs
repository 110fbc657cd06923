//! Plays the song of a tracker module, or of the module in a package:
//! `cargo run -p usampler --example play_song -- SONG.xm [CHANNEL]`. With CHANNEL, counted from 1, it alone is heard.

use std::error::Error;

use usampler::SongChoice;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("usage: play_song SONG [CHANNEL]")?;
    let mut song = usampler::open(path)?.song()?;
    if let Some(channel) = words.next() {
        let channel: usize = channel.parse()?;
        song = song.with_choice(SongChoice { solo: vec![channel..=channel], ..SongChoice::default() });
    }
    let length = song.duration().map_or(String::new(), |length| format!(", {:.0} s", length.as_secs_f64()));
    println!("{}{length}", song.name());
    song.play()?;
    Ok(())
}
