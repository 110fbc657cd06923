//! Lists the sounds of a file or a game: `cargo run -p usampler --example list_sounds -- FILE`.

fn main() -> Result<(), usampler::Error> {
    let file = match std::env::args_os().nth(1) {
        Some(path) => usampler::open(path)?,
        None => usampler::demo()?,
    };
    for sound in file.sounds() {
        let seconds =
            sound.duration().map_or(String::new(), |length| format!("{:.2} s", length.as_secs_f64()));
        let status = &sound.description().status;
        println!("{:>4}  {:<40} {seconds:>10}  {status}", sound.number(), sound.path());
    }
    for warning in file.warnings() {
        eprintln!("warning: {warning}");
    }
    Ok(())
}
