/// The last parameters of effects that remember theirs, none of them shared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct XmEffectMemory {
    pub(super) up: u8,
    pub(super) down: u8,
    pub(super) fine_up: u8,
    pub(super) fine_down: u8,
    pub(super) extra_fine_up: u8,
    pub(super) extra_fine_down: u8,
    pub(super) volume_slide: u8,
    pub(super) fine_volume_up: u8,
    pub(super) fine_volume_down: u8,
    pub(super) global_slide: u8,
    pub(super) pan_slide: u8,
    pub(super) offset: u8,
    pub(super) retrigger_every: u8,
    pub(super) retrigger_change: u8,
    pub(super) tremor: u8,
}

/// A slide of the period to that of a note, by `speed` in each tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct XmTonePortamento {
    /// The period of the note.
    pub(super) target: i32,
    pub(super) direction: PortamentoDirection,
    pub(super) speed: i32,
    /// What is heard goes by semitones (glissando).
    pub(super) is_stepped: bool,
}

/// Which way a tone portamento goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PortamentoDirection {
    #[default]
    None,
    /// The period grows.
    Down,
    Up,
}
