use super::Dialect;

/// The volume column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VolumeCommand {
    /// The volume is this, 0..=64.
    Volume(u8),
    /// The pan is this: 0..=64, in an XM 0..=15.
    Pan(u8),
    /// Volume up at once.
    FineUp(u8),
    /// Volume down at once.
    FineDown(u8),
    /// Volume up in each tick.
    Up(u8),
    /// Volume down in each tick.
    Down(u8),
    /// Pitch down in each tick.
    PortamentoDown(u8),
    /// Pitch up in each tick.
    PortamentoUp(u8),
    /// A slide to the note.
    TonePortamento(u8),
    /// The speed of the vibrato is this.
    VibratoSpeed(u8),
    /// A vibrato of this depth.
    Vibrato(u8),
    /// Pan to the left in each tick.
    PanLeft(u8),
    /// Pan to the right in each tick.
    PanRight(u8),
    /// A byte that stands for nothing in the dialect.
    Unknown(u8),
}

/// Which values of a column stand for what: those from the first on, so many.
type ByteRange = (u8, u8, fn(u8) -> VolumeCommand);

/// Sources: *ITTECH.TXT*, *XM.TXT*; pans of an S3M are written by newer trackers.
const SCREAM_TRACKER: &[ByteRange] = &[(0, 65, VolumeCommand::Volume), (128, 65, VolumeCommand::Pan)];
const FAST_TRACKER: &[ByteRange] = &[
    (0x10, 65, VolumeCommand::Volume),
    (0x60, 16, VolumeCommand::Down),
    (0x70, 16, VolumeCommand::Up),
    (0x80, 16, VolumeCommand::FineDown),
    (0x90, 16, VolumeCommand::FineUp),
    (0xA0, 16, VolumeCommand::VibratoSpeed),
    (0xB0, 16, VolumeCommand::Vibrato),
    (0xC0, 16, VolumeCommand::Pan),
    (0xD0, 16, VolumeCommand::PanLeft),
    (0xE0, 16, VolumeCommand::PanRight),
    (0xF0, 16, VolumeCommand::TonePortamento),
];
const IMPULSE_TRACKER: &[ByteRange] = &[
    (0, 65, VolumeCommand::Volume),
    (65, 10, VolumeCommand::FineUp),
    (75, 10, VolumeCommand::FineDown),
    (85, 10, VolumeCommand::Up),
    (95, 10, VolumeCommand::Down),
    (105, 10, VolumeCommand::PortamentoDown),
    (115, 10, VolumeCommand::PortamentoUp),
    (128, 65, VolumeCommand::Pan),
    (193, 10, VolumeCommand::TonePortamento),
    (203, 10, VolumeCommand::Vibrato),
];

impl VolumeCommand {
    const fn ranges(dialect: Dialect) -> &'static [ByteRange] {
        match dialect {
            Dialect::ProTracker => &[],
            Dialect::ScreamTracker3 => SCREAM_TRACKER,
            Dialect::FastTracker2 => FAST_TRACKER,
            Dialect::ImpulseTracker => IMPULSE_TRACKER,
        }
    }

    /// Returns what a stored byte stands for.
    #[must_use]
    pub fn from_byte(dialect: Dialect, byte: u8) -> Self {
        let meant = Self::ranges(dialect).iter().find_map(|(first, count, column)| {
            let value = byte.checked_sub(*first)?;
            (value < *count).then(|| column(value))
        });
        meant.unwrap_or(Self::Unknown(byte))
    }

    /// Returns the byte that stands for it; none if the dialect has nothing like it.
    #[must_use]
    pub fn byte(self, dialect: Dialect) -> Option<u8> {
        if let Self::Unknown(byte) = self {
            return Some(byte);
        }
        let mut bytes = Self::ranges(dialect)
            .iter()
            .flat_map(|(first, count, _)| (0..*count).map(move |value| first + value));
        bytes.find(|byte| Self::from_byte(dialect, *byte) == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_begin_and_end_where_they_are_documented_to() {
        let it = |byte| VolumeCommand::from_byte(Dialect::ImpulseTracker, byte);
        assert_eq!(
            [it(64), it(65), it(124), it(125)],
            [
                VolumeCommand::Volume(64),
                VolumeCommand::FineUp(0),
                VolumeCommand::PortamentoUp(9),
                VolumeCommand::Unknown(125)
            ]
        );
        assert_eq!(
            [it(192), it(193), it(212), it(213)],
            [
                VolumeCommand::Pan(64),
                VolumeCommand::TonePortamento(0),
                VolumeCommand::Vibrato(9),
                VolumeCommand::Unknown(213)
            ]
        );
        let xm = |byte| VolumeCommand::from_byte(Dialect::FastTracker2, byte);
        assert_eq!(
            [xm(0x50), xm(0x51), xm(0xFF)],
            [VolumeCommand::Volume(64), VolumeCommand::Unknown(0x51), VolumeCommand::TonePortamento(15)]
        );
    }
}
