//! A package of Unreal Engine 1 (version 69) with sounds in groups, each as a WAVE file.
//!
//! ```text
//! summary │ names │ sounds │ imports │ exports: groups, then sounds
//! ```

use super::synth;

/// Sounds in a group.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) sounds: Vec<Sound>,
}

/// A sound as a WAVE file.
pub(super) struct Sound {
    name: &'static str,
    rate: u32,
    channels: u16,
    bits: u16,
    data: Vec<u8>,
    /// MIDI note as which it was recorded, and the first frame of its loop and the one after it.
    looped: Option<(u32, usize, usize)>,
}

impl Sound {
    pub(super) fn mono8(name: &'static str, rate: u32, frames: &[f64]) -> Self {
        let value = |frame: &f64| synth::rounded(frame.clamp(-1.0, 1.0) * 127.0 + 128.0) as u8;
        Self { name, rate, channels: 1, bits: 8, data: frames.iter().map(value).collect(), looped: None }
    }

    pub(super) fn mono16(name: &'static str, rate: u32, frames: &[f64]) -> Self {
        let value = |frame: &f64| synth::rounded(frame.clamp(-1.0, 1.0) * 32_767.0) as i16;
        let data = frames.iter().flat_map(|frame| value(frame).to_le_bytes()).collect();
        Self { name, rate, channels: 1, bits: 16, data, looped: None }
    }

    pub(super) fn stereo16(name: &'static str, rate: u32, frames: &[[f64; 2]]) -> Self {
        Self { channels: 2, ..Self::mono16(name, rate, frames.as_flattened()) }
    }

    pub(super) const fn looped(mut self, note: u32, start: usize, end: usize) -> Self {
        self.looped = Some((note, start, end));
        self
    }

    fn wave(&self) -> Vec<u8> {
        let frame = self.bits / 8 * self.channels;
        let mut format = [1, self.channels].map(u16::to_le_bytes).concat();
        format.extend([self.rate, self.rate * u32::from(frame)].map(u32::to_le_bytes).as_flattened());
        format.extend([frame, self.bits].map(u16::to_le_bytes).as_flattened());
        let mut body = b"WAVE".to_vec();
        let mut chunk = |id: &[u8; 4], bytes: &[u8]| {
            body.extend(id);
            body.extend((bytes.len() as u32).to_le_bytes());
            body.extend(bytes);
            body.resize(body.len().next_multiple_of(2), 0);
        };
        chunk(b"fmt ", &format);
        chunk(b"data", &self.data);
        if let Some((note, start, end)) = self.looped {
            // Manufacturer, product, nanoseconds of a frame, note, fraction, two of SMPTE, one loop, no more bytes, and
            // of the loop: number, forward, first and last frame, fraction, without an end.
            let words = [0, 0, 1_000_000_000 / self.rate, note, 0, 0, 0, 1, 0];
            let looped = [0, 0, start as u32, end as u32 - 1, 0, 0];
            let words = words.iter().chain(&looped).map(|word: &u32| word.to_le_bytes());
            chunk(b"smpl", words.collect::<Vec<_>>().as_flattened());
        }
        [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
    }
}

/// Names in the order of their numbers.
struct Names(Vec<&'static str>);

impl Names {
    fn number(&mut self, name: &'static str) -> i32 {
        let known = self.0.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        }) as i32
    }
}

/// Returns a number as a compact index: a sign and 6 bits, then 7 bits to a byte, each with a bit for more.
fn compact(value: i32) -> Vec<u8> {
    let (sign, mut rest) = (if value < 0 { 0x80 } else { 0 }, value.unsigned_abs());
    let mut bytes = vec![sign | (rest & 0x3F) as u8 | if rest > 0x3F { 0x40 } else { 0 }];
    rest >>= 6;
    while rest > 0 {
        bytes.push((rest & 0x7F) as u8 | if rest > 0x7F { 0x80 } else { 0 });
        rest >>= 7;
    }
    bytes
}

/// Public, and loaded by client, server and editor.
const OBJECT_FLAGS: u32 = 0x000F_0004;
const NAME_FLAGS: u32 = 0x0407_0010;
/// Bytes of the summary with one generation.
const SUMMARY: usize = 64;
const VERSION: u32 = 69;
const GUID: [u32; 4] = [0x7573_616D, 0x706C_6572, 0x6465_6D6F, 1];

/// Returns a package of these groups.
pub(super) fn write(groups: &[Group]) -> Vec<u8> {
    let mut names = Names(vec!["None"]);
    let [core, package, class] = ["Core", "Package", "Class"].map(|name| names.number(name));
    let group_names: Vec<i32> = groups.iter().map(|group| names.number(group.name)).collect();
    let [engine, sound, wav] = ["Engine", "Sound", "WAV"].map(|name| names.number(name));
    // Class, the object it is in, and name; imports have negative numbers.
    let imports = [[package, 0, core], [class, -1, package], [package, 0, engine], [class, -3, sound]];
    let (group_class, sound_class) = (-2, -4);

    let mut exports = Vec::new();
    for name in group_names {
        export(&mut exports, [group_class, 0, name], &[], 0);
    }
    let all =
        groups.iter().zip(1..).flat_map(|(group, number)| group.sounds.iter().map(move |one| (number, one)));
    let named: Vec<(i32, i32, &Sound)> =
        all.map(|(group, one)| (group, names.number(one.name), one)).collect();
    let mut name_table = Vec::new();
    for name in &names.0 {
        name_table.extend(compact(name.len() as i32 + 1));
        name_table.extend(name.as_bytes());
        name_table.push(0);
        name_table.extend(NAME_FLAGS.to_le_bytes());
    }

    let bodies_at = SUMMARY + name_table.len();
    let mut bodies = Vec::new();
    for (group, name, one) in &named {
        let (at, wave) = (bodies_at + bodies.len(), one.wave());
        let size = compact(wave.len() as i32);
        // No properties, the type of the file, where the object ends, and the file.
        let end = at + 1 + compact(wav).len() + 4 + size.len() + wave.len();
        let body = [&compact(0)[..], &compact(wav), &(end as u32).to_le_bytes(), &size, &wave].concat();
        export(&mut exports, [sound_class, *group, *name], &body, at);
        bodies.extend(body);
    }
    let mut import_table = Vec::new();
    for [class, outer, name] in imports {
        import_table
            .extend([compact(core), compact(class), outer.to_le_bytes().to_vec(), compact(name)].concat());
    }

    let imports_at = bodies_at + bodies.len();
    let counts = [names.0.len(), groups.len() + named.len()].map(|count| count as u32);
    let [name_count, export_count] = counts;
    let exports_at = imports_at + import_table.len();
    let summary = [
        [0x9E2A_83C1, VERSION, 1],
        [name_count, SUMMARY as u32, export_count],
        [exports_at as u32, imports.len() as u32, imports_at as u32],
    ];
    let mut file: Vec<u8> = summary.as_flattened().iter().flat_map(|word| word.to_le_bytes()).collect();
    file.extend(GUID.iter().chain(&[1, export_count, name_count]).flat_map(|word| word.to_le_bytes()));
    [file, name_table, bodies, import_table, exports].concat()
}

/// Adds an object to the table of exports: its class, the object it is in, its name, and where its bytes are.
fn export(table: &mut Vec<u8>, [class, outer, name]: [i32; 3], body: &[u8], at: usize) {
    table.extend([compact(class), compact(0), outer.to_le_bytes().to_vec(), compact(name)].concat());
    table.extend(OBJECT_FLAGS.to_le_bytes());
    table.extend(compact(body.len() as i32));
    if !body.is_empty() {
        table.extend(compact(at as i32));
    }
}
