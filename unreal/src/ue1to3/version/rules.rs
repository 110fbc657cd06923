//! Every threshold, and the only comparisons of versions.

use crate::base::unsupported::Unsupported;

use super::{
    AudioEnd, AudioLocation, BodyStart, BulkForm, ExportFields, ExtraWords, FileVersion, FlagWidth, Identity,
    Layout, Lineage, NameCoding, NameReference, Outers, PropertyCoding, SummaryFields, WaveFields,
    WordBeforeType, game,
};
use crate::base::reader::IndexCoding;
use crate::base::threshold::thresholds;

thresholds! {
    pub FileVersion = FileVersion::new;
    /// The oldest version that is read.
    ///
    /// Source: own measurements; none older was seen.
    OLDEST = 35;
    /// From here on an object's frame has no eight zero bytes before it.
    ///
    /// Source: own measurements of 35, 37 and 41.
    NO_ZEROS_BEFORE_FRAME = 40;
    /// From here up to 53 nothing is known of outers and frames: inferred for each package.
    ///
    /// Source: own measurements; 44 and 54 were seen, none between.
    UNSEEN_BETAS = 45;
    /// From here on tables refer to outers as objects, and bodies have a frame only where flags say so.
    ///
    /// Source: own measurements of 59 packages of versions 35 to 59.
    OBJECT_OUTERS = 54;
    /// From here on one byte follows the properties; before, two.
    ///
    /// Source: own measurements of 56 and 57.
    ONE_BYTE_AFTER_PROPERTIES = 57;
    /// From here on nothing follows the properties.
    ///
    /// Source: own measurements of 57 and 58.
    NOTHING_AFTER_PROPERTIES = 58;
    /// From here on a sound states where its data ends.
    ///
    /// Source: order of fields in the games listed by sezero's *umr* (61 without, 62 with); 61, 68 and 69 measured.
    SKIP_OFFSET = 62;
    /// From here on a name states its length; before, it ends at the first zero byte.
    ///
    /// Source: Unreal Wiki, *Package File Format/Data Details*, "Name values".
    NAME_STATES_LENGTH = 64;
    /// From here on the summary has a GUID and generations; before, it points to a heritage table.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Package header".
    GENERATIONS = 68;
    /// From here on some games write further words before the skip offset; others of the same version do not.
    ///
    /// Source: sezero's *umr* (Undying 79 to 85, Harry Potter 2 79; Mobile Forces 80 to 83 none).
    EXTRA_WORDS = 77;
    /// From here on it is Unreal Engine 2, and games with further words are identified by their licensee.
    ///
    /// Source: own measurements of 126, 128 and 129.
    ENGINE_2 = 100;
    /// From here on a sound has no word before its file type; from 100 to here it may, in one game.
    ///
    /// Source: *OpenMPT* (America's Army); no such file was seen.
    NO_WORD_BEFORE_TYPE = 120;
    /// From here on it is Unreal Engine 3: indexes take four bytes, properties name their type.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Data types"; 512 to 868 measured.
    ENGINE_3 = 178;
    /// From here on flags of names and objects take eight bytes.
    ///
    /// Source: Unreal Wiki, "Export table"; for names *UELib* and *UEViewer* (the Wiki says 141).
    WIDE_FLAGS = 195;
    /// From here on an export names its archetype and has a table of components.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Export table".
    ARCHETYPES = 220;
    /// From here on the summary states the version of the engine.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Package header".
    ENGINE_VERSION = 245;
    /// From here on an export has flags.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Export table".
    EXPORT_FLAGS = 247;
    /// From here on the summary states its size, and an export its offset even if it has no bytes.
    ///
    /// Source: Unreal Wiki, "Package header"; the offset from *UEViewer*, measured in 512.
    HEADER_SIZE = 249;
    /// From here on bulk data has flags.
    ///
    /// Source: *UELib* and *UEViewer*.
    BULK_FLAGS = 251;
    /// From here on bulk data states its stored size.
    ///
    /// Source: *UELib* and *UEViewer*.
    BULK_STORED_SIZE = 254;
    /// From here on bulk data names a package.
    ///
    /// Source: *UELib* and *UEViewer*.
    BULK_PACKAGE = 260;
    /// From here on bulk data has flags, elements, stored size and offset, and no end offset.
    ///
    /// Source: *UELib* and *UEViewer*; 512 to 867 measured.
    BULK_RECORD = 266;
    /// From here on the summary names a folder.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Package header".
    FOLDER = 269;
    /// From here on the summary states the version of the cooker.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Package header".
    COOKER_VERSION = 277;
    /// From here on generations, exports and bodies speak of net objects.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Generation infos" and "Export table".
    NET_OBJECTS = 322;
    /// From here on a wave has data for the Xbox 360.
    ///
    /// Source: *UELib*; 512 and 813 to 867 measured.
    XBOX_360 = 327;
    /// From here on the summary has compressed chunks; none where it is not compressed.
    ///
    /// Source: Unreal Wiki, "Package header", which says cooked packages only; measured in all from 512 on.
    COMPRESSION = 334;
    /// From here on a name reference has a number.
    ///
    /// Source: *UELib* and *UEViewer*; 512 to 868 measured.
    NUMBERED_NAMES = 343;
    /// From here on a wave has data for the PlayStation 3.
    ///
    /// Source: *UELib*; 512 and 813 to 867 measured.
    PS3 = 376;
    /// From here on a wave has data for PCs, and no file type.
    ///
    /// Source: *UELib*; 512 and 813 to 867 measured.
    PC = 380;
    /// From here on a wave has offsets and sizes of its channels.
    ///
    /// Source: *UELib*.
    CHANNEL_ARRAYS = 385;
    /// From here on a wave states the number of its channels.
    ///
    /// Source: *UELib*.
    CHANNEL_COUNT = 390;
    /// From here on the summary has the offset of the dependencies.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Package header".
    DEPENDS = 415;
    /// From here on a wave has its channels among its properties.
    ///
    /// Source: *UELib*; 512 and 813 to 867 measured.
    CHANNELS_ARE_PROPERTIES = 420;
    /// From here on an export has the flags of its former package.
    ///
    /// Source: *UELib* (the Wiki says 487); 512 measured.
    EXPORT_PACKAGE_FLAGS = 475;
    /// From here on the summary has a number for the origin of the package.
    ///
    /// Source: *UELib*; 512 measured.
    PACKAGE_SOURCE = 482;
    /// From here on the summary lists additional packages to cook.
    ///
    /// Source: *UELib*; 512 (without) and 737 to 868 measured.
    ADDITIONAL_PACKAGES = 516;
    /// From here on an export has no table of components.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Export table".
    NO_COMPONENT_MAP = 543;
    /// From here on the summary has the offset of the thumbnails.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Package header".
    THUMBNAILS = 584;
    /// From here on the summary has tables of GUIDs.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Package header".
    GUID_TABLES = 623;
    /// From here on a byte property names its enumeration.
    ///
    /// Source: *UELib* and *UEViewer*; 512 and 813 to 868 measured.
    ENUM_NAMES = 633;
    /// From here on the value of a Bool property takes one byte; before, four.
    ///
    /// Source: *UELib* and *UEViewer*; 512 and 813 to 868 measured.
    SMALL_BOOLS = 673;
    /// From here on the summary lists texture allocations.
    ///
    /// Source: *UELib*; 737 (without) and 813 to 868 measured.
    TEXTURE_ALLOCATIONS = 767;
    /// From here on a wave has data for the Wii U.
    ///
    /// Source: *UELib*; 820 and 867 measured.
    WII_U = 845;
    /// From here on a wave has data for the iPhone.
    ///
    /// Source: *UELib*; 867 measured.
    IPHONE = 851;
    /// From here on a wave has data for Flash.
    ///
    /// Source: *UELib*; 867 measured.
    FLASH = 854;
}

impl Layout {
    /// Returns the facts about a format: those of its version, then the deviations of its game.
    ///
    /// # Errors
    /// [`Unsupported`] for a format that is not read.
    pub fn of(identity: &Identity) -> Result<Self, Unsupported> {
        let at_least = |threshold| identity.version.reaches(threshold);
        if !at_least(OLDEST) {
            return Err(Unsupported::TooOld { version: identity.version.0, licensee: identity.licensee.0 });
        }
        let engine_3 = at_least(ENGINE_3);
        let mut layout = Self {
            game: None,
            order: identity.order,
            index: if engine_3 { IndexCoding::Int32 } else { IndexCoding::Compact },
            name: if at_least(NAME_STATES_LENGTH) { NameCoding::LengthFirst } else { NameCoding::UntilZero },
            name_flags: Self::flag_width(identity.version),
            name_reference: if at_least(NUMBERED_NAMES) {
                NameReference::Numbered
            } else {
                NameReference::Index
            },
            summary: Self::summary_fields(identity.version),
            lineage: if at_least(GENERATIONS) { Lineage::Generations } else { Lineage::Heritage },
            outers: Self::outers(identity.version),
            export: Self::export_fields(identity.version),
            body: Self::body_start(identity.version),
            properties: if engine_3 {
                PropertyCoding::TypeName {
                    enum_names: at_least(ENUM_NAMES),
                    small_bools: at_least(SMALL_BOOLS),
                }
            } else {
                PropertyCoding::InfoByte
            },
            before_type: if at_least(ENGINE_2) && !at_least(NO_WORD_BEFORE_TYPE) {
                WordBeforeType::Possible
            } else {
                WordBeforeType::Never
            },
            extra_words: if at_least(EXTRA_WORDS) && !at_least(ENGINE_2) {
                ExtraWords::Unknown
            } else {
                ExtraWords::Expected(0)
            },
            audio_end: if at_least(SKIP_OFFSET) { AudioEnd::SkipOffset } else { AudioEnd::Unstated },
            words_after_end: 0,
            group_text: false,
            audio: AudioLocation::Inside,
            bulk: Self::bulk_form(identity.version),
            wave: Self::wave_fields(identity.version),
        };
        game::quirk(&mut layout, identity);
        Ok(layout)
    }

    fn summary_fields(version: FileVersion) -> SummaryFields {
        let at_least = |threshold| version.reaches(threshold);
        SummaryFields {
            header_size: at_least(HEADER_SIZE),
            folder: at_least(FOLDER),
            depends: at_least(DEPENDS),
            guid_tables: at_least(GUID_TABLES),
            thumbnails: at_least(THUMBNAILS),
            net_objects: at_least(NET_OBJECTS),
            engine_version: at_least(ENGINE_VERSION),
            cooker_version: at_least(COOKER_VERSION),
            compression: at_least(COMPRESSION),
            package_source: at_least(PACKAGE_SOURCE),
            additional_packages: at_least(ADDITIONAL_PACKAGES),
            texture_allocations: at_least(TEXTURE_ALLOCATIONS),
        }
    }

    fn export_fields(version: FileVersion) -> ExportFields {
        let at_least = |threshold| version.reaches(threshold);
        ExportFields {
            archetype: at_least(ARCHETYPES),
            flags: Self::flag_width(version),
            always_placed: at_least(HEADER_SIZE),
            component_map: at_least(ARCHETYPES) && !at_least(NO_COMPONENT_MAP),
            export_flags: at_least(EXPORT_FLAGS),
            net_objects: at_least(NET_OBJECTS),
            package_flags: at_least(EXPORT_PACKAGE_FLAGS),
            default_objects: at_least(ENGINE_3),
        }
    }

    fn wave_fields(version: FileVersion) -> WaveFields {
        let at_least = |threshold| version.reaches(threshold);
        WaveFields {
            file_type: !at_least(PC),
            channels: at_least(CHANNEL_ARRAYS) && !at_least(CHANNELS_ARE_PROPERTIES),
            channel_count: at_least(CHANNEL_COUNT) && !at_least(CHANNELS_ARE_PROPERTIES),
            pc: at_least(PC),
            xbox_360: at_least(XBOX_360),
            ps3: at_least(PS3),
            xbox_one: false,
            ps4: false,
            wii_u: at_least(WII_U),
            iphone: at_least(IPHONE),
            flash: at_least(FLASH),
        }
    }

    fn outers(version: FileVersion) -> Outers {
        if version.reaches(OBJECT_OUTERS) {
            Outers::Objects
        } else if version.reaches(UNSEEN_BETAS) {
            Outers::Unknown
        } else {
            Outers::Names
        }
    }

    fn bulk_form(version: FileVersion) -> BulkForm {
        if version.reaches(BULK_RECORD) {
            BulkForm::Record
        } else {
            BulkForm::EndOffset {
                flags: version.reaches(BULK_FLAGS),
                stored: version.reaches(BULK_STORED_SIZE),
                package: version.reaches(BULK_PACKAGE),
            }
        }
    }

    fn flag_width(version: FileVersion) -> FlagWidth {
        if version.reaches(WIDE_FLAGS) { FlagWidth::U64 } else { FlagWidth::U32 }
    }

    fn body_start(version: FileVersion) -> BodyStart {
        let after = if version.reaches(NOTHING_AFTER_PROPERTIES) {
            0
        } else if version.reaches(ONE_BYTE_AFTER_PROPERTIES) {
            1
        } else {
            2
        };
        if version.reaches(NET_OBJECTS) {
            BodyStart::NetIndex
        } else if version.reaches(UNSEEN_BETAS) {
            BodyStart::Plain { after }
        } else {
            let zeros = if version.reaches(NO_ZEROS_BEFORE_FRAME) { 0 } else { 8 };
            BodyStart::Framed { zeros, after }
        }
    }
}

impl FileVersion {
    /// Returns the generation of the engine that writes this version: 1, 2 or 3.
    #[must_use]
    pub const fn engine(self) -> u8 {
        if self.reaches(ENGINE_3) {
            3
        } else if self.reaches(ENGINE_2) {
            2
        } else {
            1
        }
    }
}

#[cfg(test)]
mod tests;
