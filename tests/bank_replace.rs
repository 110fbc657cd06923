//! Sounds of banks replaced, and what else is in them read by a second reader.

mod second_reader;

use std::path::Path;
use std::sync::Arc;

use exporter::Overwrite;
use fixtures::corpus::corpus;
use fixtures::wave::{Values, Wave};
use fixtures::wwise_bank::WwiseBank;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile, open};
use importer::{BankClass, BankOptions, SoundClass, SoundFile, Status};
use modkit::replace::bank::{
    BankError, BankModFile, BankOutput, BankRecording, BankReplacement, BankSounds, BankTarget,
    replace_in_banks,
};
use song::Recording;

use second_reader::{Bank, fsb, package, studio};

/// A generator whose numbers are the same in every run (`SplitMix64`).
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Replaces one sound, and returns the files that change.
fn replace(file: &SoundFile, selector: &str, recording: Vec<u8>) -> Result<Vec<BankModFile>, BankError> {
    let sounds = BankSounds::of(file).unwrap();
    let target = BankTarget::find(&sounds, selector)?;
    let recording = BankRecording::of_file(recording).unwrap();
    let replacement = BankReplacement { target, recording };
    let made = replace_in_banks(&sounds, &[replacement], BankOutput::Folder);
    made.map_err(|(_, error)| error)?.into_files()
}

/// Returns the projects of the corpus, opened as folders.
fn projects(banks: &Path) -> Vec<(String, SoundFile)> {
    let mut names: Vec<String> = std::fs::read_dir(banks)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    let open = |name: String| {
        let file = open(banks.join(&name), &OpenOptions::default()).ok()?;
        BankSounds::of(&file).is_some().then_some((name, file))
    };
    names.into_iter().filter_map(open).collect()
}

fn is_media(class: SoundClass) -> bool {
    matches!(class, SoundClass::Bank(BankClass::WwiseMedia | BankClass::FmodSound))
}

#[test]
fn media_replaced_by_themselves_leave_every_file_as_it_is() {
    let Some(banks) = corpus("banks") else { return };
    let (mut media, mut files) = (0, std::collections::BTreeSet::new());
    for (project, file) in projects(&banks) {
        for sound in file.sounds().iter().filter(|sound| sound.status == Status::Ok) {
            if !matches!(sound.class, SoundClass::Bank(BankClass::WwiseMedia)) {
                continue;
            }
            let payload = sound.payload().unwrap();
            let mut own = vec![0; usize::try_from(payload.len).unwrap()];
            file.source().read_at(payload.offset, &mut own).unwrap();
            let changed = replace(&file, &format!("#{}", sound.number), own)
                .unwrap_or_else(|error| panic!("{project} #{}: {error}", sound.number));
            assert!(!changed.is_empty());
            for changed in changed {
                let path = banks.join(&project).join(&changed.path);
                let is_same = std::fs::read(&path).unwrap() == changed.bytes;
                assert!(is_same, "{} with its own {}", path.display(), sound.path());
                files.insert(path);
            }
            media += 1;
        }
    }
    assert!(media > 400 && files.len() > 250, "{media} media in {} files", files.len());
}

#[test]
fn a_sample_bank_of_pcm_with_a_sound_replaced_by_itself_is_the_same() {
    let Some(banks) = corpus("banks") else { return };
    let path = banks.join("made/pcm_s16.fsb");
    let file = open(&path, &OpenOptions::default()).unwrap();
    let before = std::fs::read(&path).unwrap();
    let (_, sounds) = fsb(&before);
    assert_eq!(sounds.len(), 2);
    for (index, sound) in sounds.iter().enumerate() {
        let data = &before[sound.data.clone()][..sound.frames * 2 * usize::from(sound.channels)];
        let values = data.chunks(2).map(|value| i16::from_le_bytes(value.try_into().unwrap())).collect();
        let mut wave = Wave::new(sound.rate, u16::from(sound.channels), Values::I16(values));
        if let Some((start, end)) = sound.loop_range {
            wave = wave.looped(start, end - 1);
        }
        let changed = replace(&file, &format!("#{}", index + 1), wave.finish()).unwrap();
        assert!(changed[0].bytes == before, "sound {index}");
    }
}

/// A recording of any length, rate and shape; with its values and its loop.
struct New {
    rate: u32,
    channels: u16,
    values: Vec<i16>,
    looped: Option<(u32, u32)>,
}

impl New {
    fn of(random: &mut Seeded) -> Self {
        let channels = 1 + random.below(2) as u16;
        let frames = 1 + random.below(60_000);
        let values = (0..frames * usize::from(channels)).map(|_| random.next() as i16).collect();
        let rate = [8000, 22_050, 44_100, 48_000, 12_345][random.below(5)];
        let looped = (random.below(3) == 0 && frames > 1).then_some((0, frames as u32));
        Self { rate, channels, values, looped }
    }

    fn wave(&self) -> Vec<u8> {
        let wave = Wave::new(self.rate, self.channels, Values::I16(self.values.clone()));
        match self.looped {
            Some((start, end)) => wave.looped(start, end - 1).finish(),
            None => wave.finish(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// Checks that a media of Wwise is this recording.
    fn check_wem(&self, wem: &[u8]) {
        let chunks = second_reader::chunks(wem, 12);
        let of =
            |tag: &[u8; 4]| chunks.iter().find(|(found, _)| found == tag).map(|(_, range)| range.clone());
        let (format, data) = (of(b"fmt ").unwrap(), of(b"data").unwrap());
        assert_eq!((data.start % 16, data.end), (0, wem.len()));
        assert!(wem[data] == self.bytes());
        let format = &wem[format];
        assert_eq!(second_reader::u16_at(format, 2), self.channels);
        assert_eq!(second_reader::u32_at(format, 4), self.rate);
        let looped = of(b"smpl").map(|range| {
            let at = |word: usize| second_reader::u32_at(wem, range.start + word * 4);
            (at(11), at(12) + 1)
        });
        assert_eq!(looped, self.looped);
    }
}

/// Checks the files of Wwise that a replacement changed.
fn check_wwise(folder: &Path, changed: &[BankModFile], id: u32, new: &New) {
    let wem = changed.iter().find_map(|file| whole_media(&file.bytes, id));
    let wem = wem.expect("the whole media is in one of the files");
    new.check_wem(&wem);
    for file in changed {
        let (bytes, old) = (&file.bytes, std::fs::read(folder.join(&file.path)).unwrap());
        match &bytes[..4] {
            b"BKHD" => assert!(Bank::read(bytes).check_against(&Bank::read(&old), id, &wem)),
            b"AKPK" => {
                let (files, old_files) = (package(bytes), package(&old));
                assert_eq!(files.len(), old_files.len());
                for ((table, own, range), (old_table, old_own, old_range)) in files.iter().zip(&old_files) {
                    assert_eq!((table, own), (old_table, old_own));
                    let (bytes, old) = (&bytes[range.clone()], &old[old_range.clone()]);
                    if *table == 0 {
                        Bank::read(bytes).check_against(&Bank::read(old), id, &wem);
                    } else {
                        assert!(bytes == if *own == id { &wem[..] } else { old });
                    }
                }
            }
            _ => assert!(*bytes == wem),
        }
    }
}

/// Returns all of a media in a file, as it states its length.
fn whole_media(file: &[u8], id: u32) -> Option<Vec<u8>> {
    let is_whole = |media: &&[u8]| second_reader::size_at(media, 4) + 8 == media.len();
    let in_bank = |bank: &[u8]| {
        let media = Bank::read(bank).media;
        let (_, range) = media.into_iter().find(|(own, _)| *own == id)?;
        Some(bank[range].to_vec()).filter(|media| is_whole(&&media[..]))
    };
    match &file[..4] {
        b"RIFF" => Some(file.to_vec()),
        b"BKHD" => in_bank(file),
        _ => package(file).into_iter().find_map(|(table, own, range)| match table {
            0 => in_bank(&file[range]),
            _ => (own == id).then(|| file[range].to_vec()),
        }),
    }
}

/// Checks the file of FMOD that a replacement changed; returns how many other sounds it has.
fn check_fmod(folder: &Path, file: &SoundFile, changed: &[BankModFile], id: &str, new: &New) -> usize {
    let [changed] = changed else { panic!("{} files", changed.len()) };
    let (bytes, old) = (&changed.bytes, std::fs::read(folder.join(&changed.path)).unwrap());
    let (number, wanted) = id.split_once('.').unwrap();
    let (number, wanted): (usize, usize) = (number.parse().unwrap(), wanted.parse().unwrap());
    let (banks, old_banks) = if bytes.starts_with(b"FSB5") {
        let alone = |bytes: &[u8]| std::iter::once(0..bytes.len()).collect();
        (alone(bytes), alone(&old))
    } else {
        let ((banks, others), (old_banks, old_others)) = (studio(bytes), studio(&old));
        assert!(others == old_others);
        (banks, old_banks)
    };
    assert_eq!(banks.len(), old_banks.len());
    let (bank, old_bank) = (&bytes[banks[number].clone()], &old[old_banks[number].clone()]);
    assert_eq!(banks[number].start % 32, 0);
    let ((codec, sounds), (_, old_sounds)) = (fsb(bank), fsb(old_bank));
    assert_eq!((codec, sounds.len()), (2, old_sounds.len()));
    for (index, (sound, before)) in sounds.iter().zip(&old_sounds).enumerate() {
        assert_eq!(sound.name, before.name);
        let data = &bank[sound.data.clone()][..sound.frames * 2 * usize::from(sound.channels)];
        if index == wanted {
            assert_eq!((sound.rate, u16::from(sound.channels)), (new.rate, new.channels));
            assert_eq!(sound.loop_range, new.looped);
            assert!(data == new.bytes());
            continue;
        }
        let facts =
            |sound: &second_reader::FsbSound| (sound.rate, sound.channels, sound.frames, sound.loop_range);
        assert_eq!(facts(sound), facts(before));
        let is_it = |row: &&importer::Sound| {
            let bank = row.bank.as_ref().unwrap();
            row.container.as_deref().unwrap().ends_with(&changed.path)
                && bank.id.as_ref().is_some_and(|id| id.to_string() == format!("{number}.{index}"))
        };
        let row = file.sounds().iter().find(is_it).unwrap();
        let sample = file.sample(row.number).unwrap();
        let values = data.chunks(2).map(|value| i16::from_le_bytes(value.try_into().unwrap()));
        let planes: [Vec<f32>; 2] = match sample.recording() {
            Recording::I16(planes) => [planes.left(), planes.right()]
                .map(|plane| plane.iter().map(|value| f32::from(*value)).collect()),
            Recording::F32(planes) => [planes.left(), planes.right()]
                .map(|plane| plane.iter().map(|value| value * 32_768.0).collect()),
        };
        for (at, value) in values.enumerate() {
            let expected = planes[at % usize::from(sound.channels)][at / usize::from(sound.channels)];
            let expected = expected.clamp(-32_768.0, 32_767.0);
            assert!((f32::from(value) - expected).abs() <= 0.5, "{value} for {expected} at {at}");
        }
    }
    sounds.len() - 1
}

#[test]
fn random_replacements_change_nothing_else() {
    let Some(banks) = corpus("banks") else { return };
    let projects = projects(&banks);
    let all: Vec<(usize, usize)> = projects
        .iter()
        .enumerate()
        .flat_map(|(project, (_, file))| {
            let sounds =
                file.sounds().iter().filter(|sound| is_media(sound.class) && sound.payload().is_some());
            sounds.map(move |sound| (project, sound.number))
        })
        .collect();
    let mut random = Seeded(0x5EED_BA9C);
    let (mut wwise, mut fmod, mut loose, mut others) = (0, 0, 0, 0);
    while wwise + fmod < 50 {
        let (project, number) = all[random.below(all.len())];
        let (name, file) = &projects[project];
        let sound = &file.sounds()[number - 1];
        let new = New::of(&mut random);
        let id = sound.bank.as_ref().unwrap().id.clone();
        let changed = match replace(file, &format!("#{number}"), new.wave()) {
            Ok(changed) => changed,
            // Only the start of the media is at hand.
            Err(BankError::Missing(_)) if sound.status != Status::Ok => continue,
            Err(error) => panic!("{name} #{number}: {error}"),
        };
        let folder = banks.join(name);
        loose += usize::from(changed.iter().any(|file| file.path.ends_with(".wem")));
        match id {
            Some(importer::BankId::Number(id)) => {
                check_wwise(&folder, &changed, id, &new);
                wwise += 1;
            }
            Some(importer::BankId::Text(id)) => {
                others += check_fmod(&folder, file, &changed, &id, &new);
                fmod += 1;
            }
            // A file whose name is no id: nothing else is known to use it.
            None => {
                let [changed] = &changed[..] else { panic!("{} files", changed.len()) };
                new.check_wem(&changed.bytes);
            }
        }
    }
    let said = format!(
        "{wwise} media of Wwise, {loose} with loose ones, {fmod} sounds of FMOD among {others} others"
    );
    assert!(wwise > 20 && loose > 5 && fmod > 3, "{said}");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{said}\n").as_bytes());
}

/// Opens banks in memory.
fn opened(files: &[(&str, Vec<u8>)], path: &str) -> SoundFile {
    let files: MemoryFiles = files.iter().map(|(path, bytes)| (*path, bytes.clone())).collect();
    let files: Arc<dyn Files> = Arc::new(files);
    let names = ["Play_Wind", "Play_All", "Play_Noise"].map(str::to_owned).to_vec();
    let banks = BankOptions { names, ..BankOptions::default() };
    let options = OpenOptions { banks, ..OpenOptions::default() };
    OpenedFile::open(&files, Path::new(path), &options).unwrap().sounds(&options).unwrap()
}

fn wave() -> Vec<u8> {
    Wave::new(48_000, 1, Values::I16(vec![1, 2, 3])).finish()
}

fn small_bank() -> WwiseBank {
    WwiseBank::default().media(7, b"seven").media(8, b"eight").sound(107, 7).sound(108, 8).generator(109, 9)
}

#[test]
fn an_event_of_one_media_names_it_and_of_several_asks() {
    let bank = small_bank()
        .event("Play_Wind", &[107])
        .event("Play_All", &[107, 108])
        .event("Play_Noise", &[109])
        .finish();
    let file = opened(&[("Banks/A.bnk", bank.clone())], "Banks");
    let changed = replace(&file, "Play_Wind", wave()).unwrap();
    let wem = whole_media(&changed[0].bytes, 7).unwrap();
    assert!(Bank::read(&changed[0].bytes).check_against(&Bank::read(&bank), 7, &wem));
    let several = replace(&file, "Play_All", wave()).unwrap_err();
    let BankError::PlaysSeveral(_, choices) = &several else { panic!("{several}") };
    assert!(choices[0].starts_with("'#1' 7 ") && choices[1].starts_with("'#2' 8 "), "{choices:?}");
    assert!(several.is_usage());
    assert!(matches!(replace(&file, "Play_Noise", wave()), Err(BankError::PlaysNothing(_))));
    assert!(matches!(replace(&file, "12345", wave()), Err(BankError::Unknown(..))));
    assert!(matches!(replace(&file, "#99", wave()), Err(BankError::Unknown(..))));
}

#[test]
fn a_bank_that_uses_the_media_in_what_is_no_recording_stays() {
    let cases = [
        (small_bank().generator(110, 7), "generator"),
        (small_bank().unreadable_sound(110, 7), "item 110 uses the media, but could not be read"),
    ];
    for (bank, expected) in cases {
        let file = opened(&[("Banks/A.bnk", bank.finish())], "Banks");
        let error = replace(&file, "7", wave()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        // The other media has nothing to do with it.
        replace(&file, "8", wave()).unwrap();
    }
}

#[test]
fn a_bank_alone_whose_media_is_beside_it_needs_a_folder() {
    let bank = WwiseBank::default().sound(107, 7).event("Play_Wind", &[107]).finish();
    let files = [("Banks/A.bnk", bank), ("Banks/7.wem", b"RIFF\x04\0\0\0WAVE".to_vec())];
    let file = opened(&files, "Banks/A.bnk");
    let sounds = BankSounds::of(&file).unwrap();
    assert_eq!(BankOutput::of(&sounds, Path::new("out.bnk")).unwrap(), BankOutput::File);
    assert_eq!(BankOutput::of(&sounds, Path::new("out")).unwrap(), BankOutput::Folder);
    for other in ["out.pck", "out.acb", "out.awb"] {
        assert!(BankOutput::of(&sounds, Path::new(other)).is_err(), "{other}");
    }
    let made = |output| {
        let target = BankTarget::find(&sounds, "Play_Wind").unwrap();
        let recording = BankRecording::of_file(wave()).unwrap();
        replace_in_banks(&sounds, &[BankReplacement { target, recording }], output)
    };
    assert!(matches!(made(BankOutput::File), Err((0, BankError::Elsewhere(path))) if path == "7.wem"));
    let folder = tempfile::tempdir().unwrap();
    let made = made(BankOutput::Folder).unwrap();
    made.write(folder.path(), &Overwrite::never(), &mut std::io::sink()).unwrap();
    let wem = std::fs::read(folder.path().join("7.wem")).unwrap();
    let bank = std::fs::read(folder.path().join("A.bnk")).unwrap();
    assert!(Bank::read(&bank).check_against(&Bank::read(&files[0].1), 7, &wem));
    // What is there is not overwritten.
    let again = made.write(folder.path(), &Overwrite::never(), &mut std::io::sink());
    assert!(matches!(again, Err(BankError::Write(_))));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_media_of_the_other_byte_order_is_refused_by_files_of_media() {
    let bank = WwiseBank::default().sound(107, 7).event("Play_Wind", &[107]).finish();
    let big = b"RIFX\0\0\0\x04WAVE".to_vec();
    let files = [("Banks/A.bnk", bank), ("Banks/7.wem", big.clone()), ("Banks/wind.wem", big)];
    let file = opened(&files, "Banks");
    for media in ["Play_Wind", "wind"] {
        let error = replace(&file, media, wave()).unwrap_err().to_string();
        assert!(error.contains("are big-endian (RIFX)"), "{error}");
    }
}

/// A sample bank of Vorbis sounds in stereo that state their frames and have no packets.
fn sample_bank(sounds: u32, frames: u64) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    // A chunk follows; 48 kHz, two channels; then the checksum of a setup header, and no table for seeking.
    let first = (1 | 9 << 1 | 1 << 5 | frames << 34).to_le_bytes();
    let header = [&first[..], &words(&[8 << 1 | 0x0B << 25, 0xC4C3_0A29, 0])].concat();
    let headers = header.repeat(sounds as usize);
    let head = words(&[1, sounds, headers.len() as u32, 0, 64, 0x0F, 0, 0]);
    [&b"FSB5"[..], &head, &[0; 24], &headers, &[0; 64]].concat()
}

#[test]
fn the_other_sounds_of_a_sample_bank_are_bounded_together() {
    // As PCM each is a GiB, and two of them are as much as may be.
    let replaced = |sounds| {
        let file = opened(&[("Banks/A.fsb", sample_bank(sounds, 1 << 28))], "Banks/A.fsb");
        assert_eq!(file.sounds().len(), sounds as usize);
        replace(&file, "#1", wave()).unwrap_err()
    };
    assert!(matches!(replaced(3), BankError::Undecoded(..)));
    let error = replaced(4);
    assert!(matches!(error, BankError::TooLong(..)) && error.to_string().contains("more than 2 GiB"));
    assert!(!error.hints().is_empty());
}
