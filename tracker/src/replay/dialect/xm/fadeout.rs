/// How far a released note has faded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fadeout {
    pub(super) is_on: bool,
    /// 0..=32768.
    pub(super) level: i32,
    /// What each tick takes away.
    pub(super) step: i32,
}

impl Fadeout {
    pub(super) const FULL: i32 = 32_768;

    pub(super) const fn step(&mut self) {
        if self.is_on && self.step > 0 {
            self.level -= self.step;
            if self.level <= 0 {
                (self.level, self.step) = (0, 0);
            }
        }
    }
}
