//! Tracker modules as their files have them: every format on both sides of every threshold.

mod extended;
mod it;
mod packed;
mod protracker;
mod s3m;
mod xm;

use song::Planes;
use tracker::ModuleBudget;
use tracker::{ModuleFile, ModuleFormat, PROBE_LENGTH, StoredFrames, probe, read};

/// Returns a module without repairs.
fn clean(bytes: &[u8]) -> ModuleFile {
    let module = read(bytes, ModuleBudget::default()).unwrap();
    assert_eq!(module.repairs, [], "nothing is wrong with it");
    module
}

/// Returns what was repaired, as text.
fn repairs(module: &ModuleFile) -> Vec<String> {
    module.repairs.iter().map(|repair| format!("{:#x} {}: {}", repair.at, repair.what, repair.text)).collect()
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes, ModuleBudget::default()).unwrap_err().to_string()
}

fn bytes(planes: &[&[i8]]) -> Option<StoredFrames> {
    Planes::new(planes.iter().map(|plane| plane.to_vec()).collect()).ok().map(StoredFrames::I8)
}

fn words(planes: &[&[i16]]) -> Option<StoredFrames> {
    Planes::new(planes.iter().map(|plane| plane.to_vec()).collect()).ok().map(StoredFrames::I16)
}

fn found(file: &[u8]) -> Option<ModuleFormat> {
    probe(&file[..file.len().min(PROBE_LENGTH)], file.len() as u64)
}

#[test]
fn a_module_is_recognised_by_its_content() {
    use fixtures::module;
    assert_eq!(
        found(&module::protracker::Mod::new(b"M.K.", 4).finish().bytes),
        Some(ModuleFormat::Protracker)
    );
    assert_eq!(found(&module::s3m::S3m::new().finish().bytes), Some(ModuleFormat::S3m));
    assert_eq!(found(&module::xm::Xm::new(0x0104).finish().bytes), Some(ModuleFormat::Xm));
    assert_eq!(found(&module::it::It::new(0x200).finish().bytes), Some(ModuleFormat::It));
    assert_eq!(found(b"RIFF\0\0\0\0WAVEfmt "), None);
    assert_eq!(found(&[]), None);
    assert_eq!(found(&[0; 4000]), None, "nothing but zeros is no module");
    assert_eq!(refusal(&[0; 4000]), "not a tracker module");
}
