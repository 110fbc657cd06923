//! Builds a mod that puts a recording in the place of a sound of a game with paks:
//! `cargo run -p usampler-modkit --example make-mod Game/Content/Paks /Game/Audio/Steps steps.wav Steps_P.pak`

use std::error::Error;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::Path;

use importer::open::GameMount;
use modkit::pack::pack_pak;
use modkit::replace::{EncodedRecording, ModKind, ReplaceOptions, Replacement, replace};
use unreal::KeyRing;
use unreal::containers::pak::PakOptions;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, sound, wav, output] = &args[..] else { return Err("GAME SOUND WAV OUT.pak".into()) };
    let game = GameMount::open(Path::new(game), &KeyRing::default(), NonZeroUsize::MIN)?;
    let recording = EncodedRecording::read(File::open(wav)?)?;
    let replacement = Replacement { sound: sound.clone(), recording };
    let made = replace(&game.mount, &[replacement], ReplaceOptions::default()).map_err(|(_, error)| error)?;
    let ModKind::Pak(form) = made.kind else { return Err("its packages stand in .utoc containers".into()) };
    let options =
        PakOptions { form, mount: "../../../".to_owned(), method: None, encryption: None, game: None };
    pack_pak(&made.files, File::create(output)?, options, NonZeroUsize::MIN, &|_| true)?;
    Ok(())
}
