//! Names that `UAssetAPI` has for flags, versions and other numbers; they are Epic's.

use unreal::AssetVersion;

/// Names of versions of Unreal Engine 4, a line each, from 214 on.
const ENGINE_4: &str = include_str!("engine_4_versions.txt");
const FIRST_OF_4: u32 = 214;
const PREFIX: &str = "VER_UE4_";

/// Names of versions of Unreal Engine 5, from 1000 on.
const ENGINE_5: [&str; 19] = [
    "INITIAL_VERSION",
    "NAMES_REFERENCED_FROM_EXPORT_DATA",
    "PAYLOAD_TOC",
    "OPTIONAL_RESOURCES",
    "LARGE_WORLD_COORDINATES",
    "REMOVE_OBJECT_EXPORT_PACKAGE_GUID",
    "TRACK_OBJECT_EXPORT_IS_INHERITED",
    "FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES",
    "ADD_SOFTOBJECTPATH_LIST",
    "DATA_RESOURCES",
    "SCRIPT_SERIALIZATION_OFFSET",
    "PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION",
    "PROPERTY_TAG_COMPLETE_TYPE_NAME",
    "ASSETREGISTRY_PACKAGEBUILDDEPENDENCIES",
    "METADATA_SERIALIZATION_OFFSET",
    "VERSE_CELLS",
    "PACKAGE_SAVED_HASH",
    "OS_SUB_OBJECT_SHADOW_SERIALIZATION",
    "IMPORT_TYPE_HIERARCHIES",
];
const FIRST_OF_5: u32 = 1000;

/// Returns the name of a version of Unreal Engine 4; none if it has none.
pub(super) fn engine_4(number: u32) -> Option<String> {
    let index = usize::try_from(number.checked_sub(FIRST_OF_4)?).ok()?;
    let name = ENGINE_4.lines().nth(index)?;
    Some(if name.starts_with("VAR_") { name.to_owned() } else { format!("{PREFIX}{name}") })
}

/// Returns the name of a version of Unreal Engine 5; none if it has none.
pub(super) fn engine_5(number: u32) -> Option<&'static str> {
    let index = usize::try_from(number.checked_sub(FIRST_OF_5)?).ok()?;
    ENGINE_5.get(index).copied()
}

/// Returns the version of Unreal Engine 4 of a name.
pub(super) fn engine_4_number(name: &str) -> Option<u32> {
    let short = name.strip_prefix(PREFIX).unwrap_or(name);
    let index = ENGINE_4.lines().position(|line| line == short)?;
    u32::try_from(index).ok()?.checked_add(FIRST_OF_4)
}

/// Returns the version of Unreal Engine 5 of a name.
pub(super) fn engine_5_number(name: &str) -> Option<u32> {
    let index = ENGINE_5.iter().position(|known| *known == name)?;
    u32::try_from(index).ok()?.checked_add(FIRST_OF_5)
}

/// Returns the version of the release that documents of 2022 name: `VER_UE4_19`, `VER_UE5_0`.
pub(super) fn release(name: &str) -> Option<AssetVersion> {
    let (major, minor) = name.strip_prefix("VER_UE")?.split_once('_')?;
    format!("{major}.{minor}").parse().ok()
}

/// Parts of the engine whose versions packages state: GUID and name.
pub(super) const CUSTOM_VERSIONS: [(&str, &str); 13] = [
    ("{375EC13C-06E4-48FB-B500-84F0262A717E}", "FCoreObjectVersion"),
    ("{E4B068ED-F494-42E9-A231-DA0B2E46BB41}", "FEditorObjectVersion"),
    ("{CFFC743F-43B0-4480-9391-14DF171D2073}", "FFrameworkObjectVersion"),
    ("{7B5AE74C-D270-4C10-A958-57980B212A5A}", "FSequencerObjectVersion"),
    ("{29E575DD-E0A3-4627-9D10-D276232CDCEA}", "FAnimPhysObjectVersion"),
    ("{601D1886-AC64-4F84-AA16-D3DE0DEAC7D6}", "FFortniteMainBranchObjectVersion"),
    ("{717F9EE7-E9B0-493A-88B3-91321B388107}", "FAssetRegistryVersion"),
    ("{9C54D522-A826-4FBE-9421-074661B482D0}", "FReleaseObjectVersion"),
    ("{AF43A65D-7FD3-4947-9873-3E8ED9C1BB05}", "FAnimObjectVersion"),
    ("{F2AED0AC-9AFE-416F-8664-AA7FFA26D6FC}", "FNiagaraObjectVersion"),
    ("{E7086368-6B23-4C58-8439-1B7016265E91}", "FFortniteReleaseBranchCustomObjectVersion"),
    ("{D89B5E42-24BD-4D46-8412-ACA8DF641779}", "FUE5ReleaseStreamObjectVersion"),
    ("{FCF57AFA-5076-4283-B9A9-E658FFA02D32}", "FNiagaraCustomVersion"),
];

/// Bits and their names.
pub(super) type Flags = &'static [(u64, &'static str)];

/// Epic: `EObjectFlags`.
pub(super) const OBJECT_FLAGS: Flags = &[
    (0, "RF_NoFlags"),
    (0x1, "RF_Public"),
    (0x2, "RF_Standalone"),
    (0x4, "RF_MarkAsNative"),
    (0x8, "RF_Transactional"),
    (0x10, "RF_ClassDefaultObject"),
    (0x20, "RF_ArchetypeObject"),
    (0x40, "RF_Transient"),
    (0x80, "RF_MarkAsRootSet"),
    (0x100, "RF_TagGarbageTemp"),
    (0x200, "RF_NeedInitialization"),
    (0x400, "RF_NeedLoad"),
    (0x800, "RF_KeepForCooker"),
    (0x1000, "RF_NeedPostLoad"),
    (0x2000, "RF_NeedPostLoadSubobjects"),
    (0x4000, "RF_NewerVersionExists"),
    (0x8000, "RF_BeginDestroyed"),
    (0x1_0000, "RF_FinishDestroyed"),
    (0x2_0000, "RF_BeingRegenerated"),
    (0x4_0000, "RF_DefaultSubObject"),
    (0x8_0000, "RF_WasLoaded"),
    (0x10_0000, "RF_TextExportTransient"),
    (0x20_0000, "RF_LoadCompleted"),
    (0x40_0000, "RF_InheritableComponentTemplate"),
    (0x80_0000, "RF_DuplicateTransient"),
    (0x100_0000, "RF_StrongRefOnFrame"),
    (0x200_0000, "RF_NonPIEDuplicateTransient"),
    (0x400_0000, "RF_Dynamic"),
    (0x800_0000, "RF_WillBeLoaded"),
    (0x1000_0000, "RF_HasExternalPackage"),
];

/// Epic: `EPackageFlags`.
pub(super) const PACKAGE_FLAGS: Flags = &[
    (0, "PKG_None"),
    (0x1, "PKG_NewlyCreated"),
    (0x2, "PKG_ClientOptional"),
    (0x4, "PKG_ServerSideOnly"),
    (0x10, "PKG_CompiledIn"),
    (0x20, "PKG_ForDiffing"),
    (0x40, "PKG_EditorOnly"),
    (0x80, "PKG_Developer"),
    (0x100, "PKG_UncookedOnly"),
    (0x200, "PKG_Cooked"),
    (0x400, "PKG_ContainsNoAsset"),
    (0x2000, "PKG_UnversionedProperties"),
    (0x4000, "PKG_ContainsMapData"),
    (0x1_0000, "PKG_Compiling"),
    (0x2_0000, "PKG_ContainsMap"),
    (0x4_0000, "PKG_RequiresLocalizationGather"),
    (0x10_0000, "PKG_PlayInEditor"),
    (0x20_0000, "PKG_ContainsScript"),
    (0x40_0000, "PKG_DisallowExport"),
    (0x1000_0000, "PKG_DynamicImports"),
    (0x2000_0000, "PKG_RuntimeGenerated"),
    (0x4000_0000, "PKG_ReloadingForCooker"),
    (0x8000_0000, "PKG_FilterEditorOnly"),
];

/// Epic: `EPropertyFlags`.
pub(super) const PROPERTY_FLAGS: Flags = &[
    (0, "CPF_None"),
    (0x1, "CPF_Edit"),
    (0x2, "CPF_ConstParm"),
    (0x4, "CPF_BlueprintVisible"),
    (0x8, "CPF_ExportObject"),
    (0x10, "CPF_BlueprintReadOnly"),
    (0x20, "CPF_Net"),
    (0x40, "CPF_EditFixedSize"),
    (0x80, "CPF_Parm"),
    (0x100, "CPF_OutParm"),
    (0x200, "CPF_ZeroConstructor"),
    (0x400, "CPF_ReturnParm"),
    (0x800, "CPF_DisableEditOnTemplate"),
    (0x2000, "CPF_Transient"),
    (0x4000, "CPF_Config"),
    (0x1_0000, "CPF_DisableEditOnInstance"),
    (0x2_0000, "CPF_EditConst"),
    (0x4_0000, "CPF_GlobalConfig"),
    (0x8_0000, "CPF_InstancedReference"),
    (0x20_0000, "CPF_DuplicateTransient"),
    (0x100_0000, "CPF_SaveGame"),
    (0x200_0000, "CPF_NoClear"),
    (0x800_0000, "CPF_ReferenceParm"),
    (0x1000_0000, "CPF_BlueprintAssignable"),
    (0x2000_0000, "CPF_Deprecated"),
    (0x4000_0000, "CPF_IsPlainOldData"),
    (0x8000_0000, "CPF_RepSkip"),
    (0x1_0000_0000, "CPF_RepNotify"),
    (0x2_0000_0000, "CPF_Interp"),
    (0x4_0000_0000, "CPF_NonTransactional"),
    (0x8_0000_0000, "CPF_EditorOnly"),
    (0x10_0000_0000, "CPF_NoDestructor"),
    (0x40_0000_0000, "CPF_AutoWeak"),
    (0x80_0000_0000, "CPF_ContainsInstancedReference"),
    (0x100_0000_0000, "CPF_AssetRegistrySearchable"),
    (0x200_0000_0000, "CPF_SimpleDisplay"),
    (0x400_0000_0000, "CPF_AdvancedDisplay"),
    (0x800_0000_0000, "CPF_Protected"),
    (0x1000_0000_0000, "CPF_BlueprintCallable"),
    (0x2000_0000_0000, "CPF_BlueprintAuthorityOnly"),
    (0x4000_0000_0000, "CPF_TextExportTransient"),
    (0x8000_0000_0000, "CPF_NonPIEDuplicateTransient"),
    (0x1_0000_0000_0000, "CPF_ExposeOnSpawn"),
    (0x2_0000_0000_0000, "CPF_PersistentInstance"),
    (0x4_0000_0000_0000, "CPF_UObjectWrapper"),
    (0x8_0000_0000_0000, "CPF_HasGetValueTypeHash"),
    (0x10_0000_0000_0000, "CPF_NativeAccessSpecifierPublic"),
    (0x20_0000_0000_0000, "CPF_NativeAccessSpecifierProtected"),
    (0x40_0000_0000_0000, "CPF_NativeAccessSpecifierPrivate"),
    (0x80_0000_0000_0000, "CPF_SkipSerialization"),
];

/// Epic: `EClassFlags`.
pub(super) const CLASS_FLAGS: Flags = &[
    (0, "CLASS_None"),
    (0x1, "CLASS_Abstract"),
    (0x2, "CLASS_DefaultConfig"),
    (0x4, "CLASS_Config"),
    (0x8, "CLASS_Transient"),
    (0x10, "CLASS_Parsed"),
    (0x20, "CLASS_MatchedSerializers"),
    (0x40, "CLASS_ProjectUserConfig"),
    (0x80, "CLASS_Native"),
    (0x100, "CLASS_NoExport"),
    (0x200, "CLASS_NotPlaceable"),
    (0x400, "CLASS_PerObjectConfig"),
    (0x800, "CLASS_ReplicationDataIsSetUp"),
    (0x1000, "CLASS_EditInlineNew"),
    (0x2000, "CLASS_CollapseCategories"),
    (0x4000, "CLASS_Interface"),
    (0x8000, "CLASS_CustomConstructor"),
    (0x1_0000, "CLASS_Const"),
    (0x2_0000, "CLASS_LayoutChanging"),
    (0x4_0000, "CLASS_CompiledFromBlueprint"),
    (0x8_0000, "CLASS_MinimalAPI"),
    (0x10_0000, "CLASS_RequiredAPI"),
    (0x20_0000, "CLASS_DefaultToInstanced"),
    (0x40_0000, "CLASS_TokenStreamAssembled"),
    (0x80_0000, "CLASS_HasInstancedReference"),
    (0x100_0000, "CLASS_Hidden"),
    (0x200_0000, "CLASS_Deprecated"),
    (0x400_0000, "CLASS_HideDropDown"),
    (0x800_0000, "CLASS_GlobalUserConfig"),
    (0x1000_0000, "CLASS_Intrinsic"),
    (0x2000_0000, "CLASS_Constructed"),
    (0x4000_0000, "CLASS_ConfigDoNotCheckDefaults"),
    (0x8000_0000, "CLASS_NewerVersionExists"),
];

/// Epic: `EFunctionFlags`.
pub(super) const FUNCTION_FLAGS: Flags = &[
    (0, "FUNC_None"),
    (0x1, "FUNC_Final"),
    (0x2, "FUNC_RequiredAPI"),
    (0x4, "FUNC_BlueprintAuthorityOnly"),
    (0x8, "FUNC_BlueprintCosmetic"),
    (0x40, "FUNC_Net"),
    (0x80, "FUNC_NetReliable"),
    (0x100, "FUNC_NetRequest"),
    (0x200, "FUNC_Exec"),
    (0x400, "FUNC_Native"),
    (0x800, "FUNC_Event"),
    (0x1000, "FUNC_NetResponse"),
    (0x2000, "FUNC_Static"),
    (0x4000, "FUNC_NetMulticast"),
    (0x8000, "FUNC_UbergraphFunction"),
    (0x1_0000, "FUNC_MulticastDelegate"),
    (0x2_0000, "FUNC_Public"),
    (0x4_0000, "FUNC_Private"),
    (0x8_0000, "FUNC_Protected"),
    (0x10_0000, "FUNC_Delegate"),
    (0x20_0000, "FUNC_NetServer"),
    (0x40_0000, "FUNC_HasOutParms"),
    (0x80_0000, "FUNC_HasDefaults"),
    (0x100_0000, "FUNC_NetClient"),
    (0x200_0000, "FUNC_DLLImport"),
    (0x400_0000, "FUNC_BlueprintCallable"),
    (0x800_0000, "FUNC_BlueprintEvent"),
    (0x1000_0000, "FUNC_BlueprintPure"),
    (0x2000_0000, "FUNC_EditorOnly"),
    (0x4000_0000, "FUNC_Const"),
    (0x8000_0000, "FUNC_NetValidate"),
];

/// Epic: `ETextFlag`.
pub(super) const TEXT_FLAGS: Flags = &[
    (0x1, "Transient"),
    (0x2, "CultureInvariant"),
    (0x4, "ConvertedProperty"),
    (0x8, "Immutable"),
    (0x10, "InitializedFromString"),
];

/// Epic: `EPropertyTagFlags`.
pub(super) const TAG_FLAGS: Flags = &[
    (0, "None"),
    (0x1, "HasArrayIndex"),
    (0x2, "HasPropertyGuid"),
    (0x4, "HasPropertyExtensions"),
    (0x8, "HasBinaryOrNativeSerialize"),
    (0x10, "BoolTrue"),
    (0x20, "SkippedSerialize"),
];

/// Epic: `EObjectDataResourceFlags`.
pub(super) const RESOURCE_FLAGS: Flags = &[
    (0, "None"),
    (0x1, "Inline"),
    (0x2, "Streaming"),
    (0x4, "Optional"),
    (0x8, "Duplicate"),
    (0x10, "MemoryMapped"),
    (0x20, "DerivedDataReference"),
];

/// Epic: `EObjectDataResourceVersion`.
pub(super) const RESOURCE_VERSIONS: Flags = &[(0, "Invalid"), (1, "Initial"), (2, "AddedCookedIndex")];

/// Epic: `EOverriddenPropertyOperation`.
pub(super) const OPERATIONS: Flags =
    &[(0, "None"), (1, "Modified"), (2, "Replace"), (3, "Add"), (4, "Remove")];

/// Epic: `EPropertyTagExtension`.
pub(super) const TAG_EXTENSIONS: Flags =
    &[(0, "NoExtension"), (1, "ReserveForFutureUse"), (2, "OverridableInformation")];

/// Epic: `EClassSerializationControlExtension`.
pub(super) const CONTROL_EXTENSIONS: Flags =
    &[(0, "NoExtension"), (1, "ReserveForFutureUse"), (2, "OverridableSerializationInformation")];

/// Epic: `ELifetimeCondition`.
pub(super) const LIFETIME_CONDITIONS: Flags = &[
    (0, "COND_None"),
    (1, "COND_InitialOnly"),
    (2, "COND_OwnerOnly"),
    (3, "COND_SkipOwner"),
    (4, "COND_SimulatedOnly"),
    (5, "COND_AutonomousOnly"),
    (6, "COND_SimulatedOrPhysics"),
    (7, "COND_InitialOrOwner"),
    (8, "COND_Custom"),
    (9, "COND_ReplayOrOwner"),
    (10, "COND_ReplayOnly"),
    (11, "COND_SimulatedOnlyNoReplay"),
    (12, "COND_SimulatedOrPhysicsNoReplay"),
    (13, "COND_SkipReplay"),
    (15, "COND_Never"),
    (16, "COND_Max"),
];

/// Epic: `ERichCurveInterpMode`.
pub(super) const INTERPOLATIONS: Flags =
    &[(0, "RCIM_Linear"), (1, "RCIM_Constant"), (2, "RCIM_Cubic"), (3, "RCIM_None")];

/// Epic: `ERichCurveTangentMode`.
pub(super) const TANGENTS: Flags =
    &[(0, "RCTM_Auto"), (1, "RCTM_User"), (2, "RCTM_Break"), (3, "RCTM_None"), (4, "RCTM_SmartAuto")];

/// Epic: `ERichCurveTangentWeightMode`.
pub(super) const TANGENT_WEIGHTS: Flags = &[
    (0, "RCTWM_WeightedNone"),
    (1, "RCTWM_WeightedArrive"),
    (2, "RCTWM_WeightedLeave"),
    (3, "RCTWM_WeightedBoth"),
];
