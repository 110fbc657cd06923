/// A slide of the period to that of a note, by four times `speed` in each tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct S3mTonePortamento {
    /// The period of the note.
    pub(super) target: i32,
    pub(super) speed: u8,
    /// What is heard goes by semitones (glissando).
    pub(super) is_stepped: bool,
}
