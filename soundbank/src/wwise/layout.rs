mod property;

use super::version::Version;

pub(super) use property::PropertyIds;

/// How the items of a bank are laid out: every difference between versions, decided once.
///
/// Source: the specification's sections 2.1 to 2.6. Versions 113 to 172 were measured on real banks; what differs only
/// before 113 was not.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Whether the type of an item takes four bytes.
    pub(super) has_wide_types: bool,
    /// Whether the header states the alignment of media.
    pub(super) has_alignment: bool,
    /// How counts of actions and exceptions are coded.
    pub(super) count: CountCoding,
    /// Names within items.
    pub(super) text: TextCoding,
    /// Sources of sounds and tracks.
    pub(super) source: SourceCoding,
    /// Stream kinds: before, 1 was streamed and 2 was prefetch, in four bytes.
    pub(super) is_prefetch_one: bool,
    /// Whether plugins of kind 5 have parameters.
    pub(super) has_kind_5_parameters: bool,
    /// Nodes.
    pub(super) node: NodeLayout,
    /// Numbers of properties.
    pub(super) property: PropertyIds,
    /// Whether an event limits its instances.
    pub(super) has_event_limits: bool,
    /// Actions.
    pub(super) action: ActionLayout,
    /// Random and sequence containers: whether the loop has a range.
    pub(super) has_loop_range: bool,
    /// Random and sequence containers: bytes of flags.
    pub(super) playlist_flags: FlagCoding,
    /// Random and sequence containers: whether a weight takes one byte.
    pub(super) has_narrow_weights: bool,
    /// Switch containers: whether the type of the group takes four bytes.
    pub(super) has_wide_group_type: bool,
    /// Switch containers: bytes of flags of a node.
    pub(super) switch_node_flags: usize,
    /// Layers: whether a layer's parameter has a type.
    pub(super) has_parameter_types: bool,
    /// Layers: whether the container ends with a flag.
    pub(super) has_layer_flag: bool,
    /// Music.
    pub(super) music: MusicLayout,
    /// Whether trees have kinds of their groups, one byte each.
    pub(super) has_group_kinds: bool,
    /// Bytes of a tree's mode.
    pub(super) tree_mode: usize,
    /// Whether a dialogue event states its probability.
    pub(super) has_dialogue_probability: bool,
    /// Whether a dialogue event has properties.
    pub(super) has_dialogue_properties: bool,
    /// Global settings.
    pub(super) settings: SettingsLayout,
}

/// A count of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountCoding {
    /// Four bytes.
    Word,
    /// Seven bits a byte.
    Var,
}

/// A name within an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextCoding {
    /// There is none.
    Absent,
    /// It states its length.
    LengthFirst,
    /// It ends at the first zero byte.
    UntilZero,
}

/// The source of a sound after its media id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceCoding {
    /// File id; offset and size unless streamed.
    FileOffsetSizeInBank,
    /// File id, offset unless streamed, size.
    FileOffsetSize,
    /// Size.
    Size,
    /// Cache id, size.
    CacheSize,
}

/// Flags of a playlist container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlagCoding {
    /// One byte each.
    FiveBytes,
    /// A bit each.
    Bits,
}

/// What the base of all nodes consists of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeLayout {
    /// Bytes of an effect.
    pub(super) effect: usize,
    /// Whether metadata follow the effects.
    pub(super) has_metadata: bool,
    /// Whether an attachment can be overridden.
    pub(super) has_attachment: bool,
    /// Bytes of priority and MIDI.
    pub(super) priority: usize,
    /// Whether properties are bundles; before, they were at fixed offsets.
    pub(super) has_bundles: bool,
    /// Whether pitch of such fixed properties is an integer.
    pub(super) has_integer_pitch: bool,
    /// Whether a state group follows the properties.
    pub(super) has_state_group: bool,
    /// Positioning.
    pub(super) position: PositionCoding,
    /// Whether paths of automation have ranges.
    pub(super) has_path_ranges: bool,
    /// Sends to auxiliary buses.
    pub(super) aux: AuxCoding,
    /// Bytes of voice limits; none if they are not known.
    pub(super) limits: Option<usize>,
    /// States.
    pub(super) states: StateCoding,
    /// Curves of game parameters.
    pub(super) rtpc: RtpcLayout,
    /// Whether a feedback bus follows if the bank has them.
    pub(super) can_feed_back: bool,
    /// Whether that bus is followed by its volumes.
    pub(super) has_feedback_volumes: bool,
    /// Whether a sound ends with its loop counts.
    pub(super) has_sound_loops: bool,
}

/// Positioning of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PositionCoding {
    /// Up to 56: panning in twelve bytes, then as up to 72.
    Panned,
    /// Up to 72: whether it is 3D, the panner otherwise.
    ThreeOrTwo,
    /// Up to 89: whether it is 2D and 3D.
    ThreeAndTwo,
    /// Up to 122: bit 3.
    Bit3,
    /// Up to 126: bit 4, kind of path in bit 4.
    Bit4,
    /// Up to 129: bit 4, kind of path in bit 6.
    Bit4Path6,
    /// Later: bit 1.
    Bit1,
}

/// Sends to auxiliary buses of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AuxCoding {
    /// There are none.
    Absent,
    /// Three bytes and one that says whether there are any.
    Bytes,
    /// Bit 3 says whether there are any.
    Bits,
    /// The same, then a bus of reflections.
    BitsReflections,
}

/// States of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateCoding {
    /// One group; nine bytes a state.
    OneGroup,
    /// Groups; eight bytes a state.
    Groups,
    /// Properties, then groups with their states.
    Properties {
        /// Whether a property says if it is in dB.
        has_decibels: bool,
        /// Whether a group has a further word.
        has_group_word: bool,
        /// Whether a state has its properties there; else the id of an instance.
        is_inline: bool,
    },
}

/// Curves of game parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RtpcLayout {
    /// Whether there are two bytes of type and accumulation.
    pub(super) has_type: bool,
    /// The number of the property.
    pub(super) property: RtpcProperty,
}

/// The number of a property that a curve moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RtpcProperty {
    /// Four bytes.
    Word,
    /// One byte.
    Byte,
    /// Seven bits a byte.
    Var,
}

/// Bodies of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ActionLayout {
    /// Whether the kind takes four bytes, and the body states its length.
    pub(super) is_old: bool,
    /// Whether it says if its target is a bus.
    pub(super) has_bus_flag: bool,
    /// Whether the bank of a play action has a type.
    pub(super) has_bank_type: bool,
    /// Whether a stop action has a second byte.
    pub(super) has_stop_flags: bool,
    /// Whether a game parameter's action has a second byte.
    pub(super) has_parameter_flag: bool,
    /// Bytes of an exception.
    pub(super) exception: usize,
    /// Whether kinds 0x1B00 and 0x1B01 have no body.
    pub(super) has_triggers_1b: bool,
}

/// Music.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MusicLayout {
    /// Whether a node begins with flags.
    pub(super) has_flags: bool,
    /// Bytes of a stinger.
    pub(super) stinger: usize,
    /// The flags of a track.
    pub(super) track_flags: TrackFlags,
    /// Whether a clip has a cache id.
    pub(super) has_clip_cache: bool,
    /// Whether a clip has an event.
    pub(super) has_clip_event: bool,
    /// Whether clips have automation.
    pub(super) has_automation: bool,
    /// Whether six bytes follow a track's base.
    pub(super) has_track_loops: bool,
    /// Whether the type of a track takes four bytes.
    pub(super) has_wide_track_type: bool,
    /// Whether a rule names lists of sources; before, one.
    pub(super) has_rule_lists: bool,
    /// Bytes of a rule's source part.
    pub(super) rule_source: usize,
    /// Bytes of a rule's destination part.
    pub(super) rule_destination: usize,
    /// Whether a rule always has its object.
    pub(super) has_rule_object: bool,
    /// Whether a switch is a tree; before, a list.
    pub(super) has_switch_tree: bool,
    /// Whether loops of a playlist have ranges.
    pub(super) has_playlist_ranges: bool,
    /// Bytes of a playlist's weight.
    pub(super) playlist_weight: usize,
}

/// Where the flags of a track are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrackFlags {
    /// There are none.
    Absent,
    /// Before the sources.
    First,
    /// After the sources.
    AfterSources,
}

/// Global settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SettingsLayout {
    /// Bytes before the number of state groups.
    pub(super) head: usize,
    /// Whether groups of switches and parameters have types.
    pub(super) has_types: bool,
    /// Textures of rooms at the end.
    pub(super) textures: TextureCoding,
}

/// Textures of rooms in global settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextureCoding {
    /// There are none.
    Absent,
    /// Textures of 56 bytes, then reverberators of 40.
    WithReverberators,
    /// Textures of 28 bytes.
    Alone,
}

impl Layout {
    /// Decides all facts of a version.
    pub(super) fn of(version: Version) -> Self {
        let from = |number| version.reaches(number);
        Self {
            has_wide_types: !from(49),
            has_alignment: from(135),
            count: if from(123) { CountCoding::Var } else { CountCoding::Word },
            text: match () {
                () if from(137) => TextCoding::UntilZero,
                () if from(63) => TextCoding::LengthFirst,
                () => TextCoding::Absent,
            },
            source: match () {
                () if from(151) => SourceCoding::CacheSize,
                () if from(113) => SourceCoding::Size,
                () if from(89) => SourceCoding::FileOffsetSize,
                () => SourceCoding::FileOffsetSizeInBank,
            },
            is_prefetch_one: from(90),
            has_kind_5_parameters: !from(127),
            node: NodeLayout::of(version),
            property: PropertyIds::of(version),
            has_event_limits: from(155),
            action: ActionLayout {
                is_old: !from(57),
                has_bus_flag: from(66),
                has_bank_type: from(144),
                has_stop_flags: from(123),
                has_parameter_flag: from(90),
                exception: if from(66) { 5 } else { 4 },
                has_triggers_1b: from(150),
            },
            has_loop_range: from(73),
            playlist_flags: if from(90) { FlagCoding::Bits } else { FlagCoding::FiveBytes },
            has_narrow_weights: !from(57),
            has_wide_group_type: !from(90),
            switch_node_flags: match () {
                () if from(152) => 1,
                () if from(90) => 2,
                () => 6,
            },
            has_parameter_types: from(90),
            has_layer_flag: from(119),
            music: MusicLayout {
                has_flags: from(90),
                stinger: if from(63) { 24 } else { 20 },
                track_flags: match () {
                    () if from(153) => TrackFlags::AfterSources,
                    () if from(112) => TrackFlags::First,
                    () => TrackFlags::Absent,
                },
                has_clip_cache: from(151),
                has_clip_event: from(133),
                has_automation: from(63),
                has_track_loops: !from(57),
                has_wide_track_type: !from(90),
                has_rule_lists: from(73),
                rule_source: if from(63) { 21 } else { 17 },
                // 16 bytes, the jump's word, a halfword from 133 on, a halfword, a byte, and one more after 62.
                rule_destination: match () {
                    () if from(133) => 26,
                    () if from(63) => 24,
                    () => 23,
                },
                has_rule_object: !from(73),
                has_switch_tree: from(73),
                has_playlist_ranges: from(90),
                playlist_weight: if from(57) { 4 } else { 2 },
            },
            has_group_kinds: from(73),
            tree_mode: if from(46) && !from(73) { 2 } else { 1 },
            has_dialogue_probability: from(73),
            has_dialogue_properties: from(119),
            settings: SettingsLayout {
                head: 4_usize
                    .saturating_add(if from(141) { 2 } else { 0 })
                    .saturating_add(if from(54) { 2 } else { 0 })
                    .saturating_add(if from(127) { 2 } else { 0 })
                    .saturating_add(if from(155) { 4 } else { 0 }),
                has_types: from(90),
                textures: match () {
                    () if from(123) => TextureCoding::Alone,
                    () if from(119) => TextureCoding::WithReverberators,
                    () => TextureCoding::Absent,
                },
            },
        }
    }
}

impl NodeLayout {
    fn of(version: Version) -> Self {
        let from = |number| version.reaches(number);
        Self {
            effect: if from(150) { 6 } else { 7 },
            has_metadata: from(137),
            has_attachment: from(112) && !from(146),
            priority: match () {
                () if from(90) => 1,
                () if from(57) => 2,
                () => 4,
            },
            has_bundles: from(57),
            has_integer_pitch: !from(39),
            has_state_group: !from(53),
            position: match () {
                () if from(130) => PositionCoding::Bit1,
                () if from(127) => PositionCoding::Bit4Path6,
                () if from(123) => PositionCoding::Bit4,
                () if from(90) => PositionCoding::Bit3,
                () if from(73) => PositionCoding::ThreeAndTwo,
                () if from(57) => PositionCoding::ThreeOrTwo,
                () => PositionCoding::Panned,
            },
            has_path_ranges: from(37),
            aux: match () {
                () if from(135) => AuxCoding::BitsReflections,
                () if from(90) => AuxCoding::Bits,
                () if from(66) => AuxCoding::Bytes,
                () => AuxCoding::Absent,
            },
            limits: match () {
                () if from(90) => Some(6),
                () if from(73) => Some(13),
                () if from(54) => Some(9),
                () if from(37) => Some(7),
                () => None,
            },
            states: match () {
                () if from(123) => StateCoding::Properties {
                    has_decibels: from(128),
                    has_group_word: from(155),
                    is_inline: from(150),
                },
                () if from(53) => StateCoding::Groups,
                () => StateCoding::OneGroup,
            },
            rtpc: RtpcLayout {
                has_type: from(90),
                property: match () {
                    () if from(114) => RtpcProperty::Var,
                    () if from(90) => RtpcProperty::Byte,
                    () => RtpcProperty::Word,
                },
            },
            can_feed_back: !from(127),
            has_feedback_volumes: !from(57),
            has_sound_loops: !from(57),
        }
    }
}

#[cfg(test)]
mod tests;
