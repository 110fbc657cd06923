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
