//! Libopenmpt: the player of tracker modules, in C++.

use benches::stage::BLOCK;

use super::ffi::openmpt::{Choice, Module};
use super::module;
use super::scene::{Absent, Block, Engine, Playing, RATE, Scene};

struct OpenMpt(Module);

/// Plays a scene with a filter of so many taps.
pub(crate) fn play(taps: i32, scene: &Scene) -> Playing {
    Absent::unless(scene.voices(), module::MOST_VOICES)?;
    let mut module = Module::new(&module::bytes(scene)?)?;
    module.choose(Choice::Taps, taps)?;
    let rest = scene.gain / module::gain(scene);
    module.choose(Choice::Gain, (2000.0 * rest.log10()).round() as i32)?;
    let mut engine = OpenMpt(module);
    let mut block = [0.0; 2 * BLOCK];
    for _ in 0..module::beginning(scene).div_ceil(BLOCK) {
        engine.render(&mut block);
    }
    Ok(Box::new(engine))
}

impl Engine for OpenMpt {
    fn render(&mut self, block: &mut Block) {
        self.0.read(RATE, block);
    }

    fn sounding(&mut self) -> Option<usize> {
        Some(self.0.voices())
    }
}
