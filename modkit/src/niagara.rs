//! Data interfaces of Niagara systems: curves that are baked into tables, and arrays. Their colours can be changed.
//!
//! ```text
//! ShaderLUT   R0 G0 B0 A0 R1 G1 …      1 to 4 numbers for each sample
//! ColorData   (R G B A) (R G B A) …    an array of them
//! ```
//!
//! Source: *uassettool-internals*, on data interfaces; a system of 5.8 measured.

use std::ops::RangeInclusive;

use unreal::{
    AssetPackage, ClassPath, EditablePackage, EditablePart, Error, Limits, Mappings, PackageBytes, Property,
};
use unreal::{PropertyError, Value, read_object};

/// A kind of data interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceKind {
    /// The class without its package.
    pub class: &'static str,
    /// Name of its group.
    pub group: &'static str,
    /// Name of the number of all samples of its group.
    pub total: &'static str,
    /// The property that holds its numbers.
    property: &'static str,
    /// Numbers of a sample.
    pub channels: usize,
    /// Whether these are a colour.
    pub is_color: bool,
}

/// The kinds that are known.
pub const KINDS: [InterfaceKind; 12] = {
    const fn kind(
        class: &'static str,
        group: &'static str,
        total: &'static str,
        property: &'static str,
        channels: usize,
        is_color: bool,
    ) -> InterfaceKind {
        InterfaceKind { class, group, total, property, channels, is_color }
    }
    [
        kind("NiagaraDataInterfaceColorCurve", "color_curves", "total_color_count", "ShaderLUT", 4, true),
        kind(
            "NiagaraDataInterfaceVector4Curve",
            "vector4_curves",
            "total_vector4_count",
            "ShaderLUT",
            4,
            false,
        ),
        kind(
            "NiagaraDataInterfaceVectorCurve",
            "vector3_curves",
            "total_vector3_count",
            "ShaderLUT",
            3,
            true,
        ),
        kind(
            "NiagaraDataInterfaceVector2DCurve",
            "vector2d_curves",
            "total_vector2d_count",
            "ShaderLUT",
            2,
            false,
        ),
        kind("NiagaraDataInterfaceCurve", "float_curves", "total_float_count", "ShaderLUT", 1, false),
        kind(
            "NiagaraDataInterfaceArrayColor",
            "array_colors",
            "total_array_color_values",
            "ColorData",
            4,
            true,
        ),
        kind(
            "NiagaraDataInterfaceArrayFloat3",
            "array_float3s",
            "total_array_float3_values",
            "VectorData",
            3,
            true,
        ),
        kind(
            "NiagaraDataInterfaceArrayFloat2",
            "array_float2s",
            "total_array_float2_values",
            "VectorData",
            2,
            false,
        ),
        kind(
            "NiagaraDataInterfaceArrayFloat4",
            "array_float4s",
            "total_array_float4_values",
            "VectorData",
            4,
            false,
        ),
        kind(
            "NiagaraDataInterfaceArrayPosition",
            "array_positions",
            "total_array_position_values",
            "PositionData",
            3,
            false,
        ),
        kind(
            "NiagaraDataInterfaceArrayFloat",
            "array_floats",
            "total_array_float_values",
            "FloatData",
            1,
            false,
        ),
        kind("NiagaraDataInterfaceArrayInt32", "array_ints", "total_array_int_values", "IntData", 1, false),
    ]
};

/// A data interface of a package.
#[derive(Clone, Debug, PartialEq)]
pub struct DataInterface {
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// Kind of data interface.
    pub kind: InterfaceKind,
    /// Numbers, sample by sample; empty if it states none.
    pub values: Vec<f64>,
}

impl DataInterface {
    /// Returns the samples: of each, the numbers of its channels.
    pub fn samples(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.kind.channels)
    }
}

/// The data interfaces of a package.
#[derive(Debug, Default)]
pub struct NiagaraDetails {
    /// Name of the package.
    pub package: String,
    /// Number of exports of the package.
    pub exports: usize,
    /// Interfaces of known kinds.
    pub interfaces: Vec<DataInterface>,
    /// Interfaces of other kinds: export index, name and class.
    pub others: Vec<(usize, String, String)>,
    /// Whether it is a system, or part of one.
    pub is_niagara: bool,
    /// Interfaces that cannot be read: export index, name and reason.
    pub unread: Vec<(usize, String, Error)>,
}

/// Finds the data interfaces of a package. Without tags, mappings say what their properties are. Objects may share
/// their bytes, so all of them share the limits.
#[must_use]
pub fn details(package: &AssetPackage, mappings: Option<&Mappings>, limits: &mut Limits) -> NiagaraDetails {
    let mut details = NiagaraDetails {
        package: package.name().to_owned(),
        exports: package.len(),
        ..NiagaraDetails::default()
    };
    for export in 0..package.len() {
        let Some(object) = package.export(export) else { continue };
        let (name, class) = (object.name.to_owned(), object.class.map(ClassPath::name).unwrap_or_default());
        details.is_niagara |= class.starts_with("Niagara");
        let Some(kind) = kind_of(package, export) else {
            if class.starts_with("NiagaraDataInterface") {
                details.others.push((export, name, class.to_owned()));
            }
            continue;
        };
        match read_object(package, export, mappings, limits) {
            Ok(object) => {
                let values = object.get(kind.property).map(numbers).unwrap_or_default();
                details.interfaces.push(DataInterface { export, name, kind, values });
            }
            Err(error) => details.unread.push((export, name, error)),
        }
    }
    details
}

fn kind_of(package: &AssetPackage, export: usize) -> Option<InterfaceKind> {
    let class = package.export(export)?.class?;
    KINDS.into_iter().find(|kind| kind.class == class.name())
}

/// Returns the numbers of a value, one after another.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Float(number) => vec![(*number).into()],
        Value::Double(number) => vec![*number],
        Value::Int(number) => vec![(*number).into()],
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::Struct(fields) => fields.iter().flat_map(|field| numbers(&field.value)).collect(),
        _ => Vec::new(),
    }
}

/// A colour to set, and the samples that get it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColorEdit {
    /// Red, green, blue and alpha; more than 1 glows.
    pub color: [f32; 4],
    /// The number of an export, or what its name contains, whatever the case; all colours without it.
    pub export: Option<String>,
    /// Index of the only export that is changed; none for all that the name fits.
    pub export_index: Option<usize>,
    /// Samples that are changed; all without it. `usize::MAX` as the last is that of each interface.
    pub samples: Option<RangeInclusive<usize>>,
    /// Channels that are changed.
    pub channels: [bool; 4],
}

/// A package with other colours.
#[derive(Debug)]
pub struct RecoloredPackage {
    /// Its bytes.
    pub bytes: PackageBytes,
    /// Number of samples of which something was set.
    pub samples: usize,
    /// Number of numbers that were set.
    pub numbers: usize,
}

/// Errors of setting colours.
#[derive(Debug)]
#[non_exhaustive]
pub enum ColorError {
    /// The package cannot be read.
    Read(Error),
    /// No interface has such colours.
    None,
    /// An interface has fewer samples: its name, and their number.
    Samples(String, usize),
    /// The package cannot be written.
    Write(PropertyError),
}

impl std::fmt::Display for ColorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::None => f.write_str("no data interface has such colours"),
            Self::Samples(name, 1) => write!(f, "{name} has 1 colour"),
            Self::Samples(name, count) => write!(f, "{name} has {count} colours"),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ColorError {}

/// Changes colours of a package. Nothing else changes.
///
/// # Errors
/// [`ColorError`] if it cannot be read or written, or there are no such colours.
pub fn set_colors(
    package: &AssetPackage,
    mappings: Option<&Mappings>,
    edit: &ColorEdit,
    limits: &mut Limits,
) -> Result<RecoloredPackage, ColorError> {
    let mut editable = EditablePackage::read(package, mappings, limits).map_err(ColorError::Read)?;
    let (mut set, mut recolored) = (0, 0);
    let mut is_any = false;
    for part in &mut editable.parts {
        let EditablePart::Object(object) = part else { continue };
        let Some(kind) = kind_of(package, object.export) else { continue };
        let name = package.export(object.export).map(|export| export.name).unwrap_or_default();
        let is_meant = match &edit.export {
            // What is named may be something else than a colour.
            Some(wanted) => {
                wanted.parse() == Ok(object.export) || name.to_lowercase().contains(&wanted.to_lowercase())
            }
            None => kind.is_color || edit.export_index.is_some(),
        };
        let is_meant = is_meant && edit.export_index.is_none_or(|index| index == object.export);
        let property = object.properties.iter_mut().find(|property| property.is(kind.property));
        let Some(Property { value: Value::Array(values), .. }) = property.filter(|_| is_meant) else {
            continue;
        };
        let count = values.iter().map(|value| numbers(value).len()).sum::<usize>() / kind.channels;
        let samples = edit.samples.clone().unwrap_or(0..=count.saturating_sub(1));
        let is_open = *samples.end() == usize::MAX;
        if is_open && *samples.start() >= count {
            continue;
        }
        if !is_open && *samples.end() >= count && edit.samples.is_some() {
            return Err(ColorError::Samples(name.to_owned(), count));
        }
        is_any |= count > 0;
        if edit.channels.iter().take(kind.channels).any(|is_set| *is_set) {
            recolored += (*samples.start()..count).filter(|sample| samples.contains(sample)).count();
        }
        let mut number = 0;
        for value in values {
            each_number(value, &mut |value| {
                let (sample, channel) = (number / kind.channels, number % kind.channels);
                if samples.contains(&sample) && edit.channels[channel] {
                    put(value, edit.color[channel]);
                    set += 1;
                }
                number += 1;
            });
        }
    }
    if !is_any {
        return Err(ColorError::None);
    }
    let bytes = editable.write(mappings, limits).map_err(ColorError::Write)?;
    Ok(RecoloredPackage { bytes, samples: recolored, numbers: set })
}

/// Goes through the numbers of a value.
fn each_number(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| each_number(value, visit)),
        Value::Struct(fields) => fields.iter_mut().for_each(|field| each_number(&mut field.value, visit)),
        Value::Float(_) | Value::Double(_) | Value::Int(_) => visit(value),
        _ => {}
    }
}

fn put(value: &mut Value, number: f32) {
    match value {
        Value::Float(old) => *old = number,
        Value::Double(old) => *old = number.into(),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "what is no whole number is cut, and what is too large"
        )]
        Value::Int(old) => *old = number as i32,
        _ => {}
    }
}

/// Parses a colour: three or four numbers.
///
/// # Errors
/// A sentence for the user.
pub fn color(text: &str) -> Result<[f32; 4], String> {
    let numbers: Option<Vec<f32>> = text
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|number: &f32| number.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[red, green, blue]) => Ok([red, green, blue, 1.0]),
        Some(&[red, green, blue, alpha]) => Ok([red, green, blue, alpha]),
        _ => Err("four numbers are needed: 1,0.5,0,1".to_owned()),
    }
}

/// Parses the channels of a colour that are meant: some of `rgba`.
///
/// # Errors
/// A sentence for the user.
pub fn color_channels(text: &str) -> Result<[bool; 4], String> {
    let mut channels = [false; 4];
    for letter in text.chars() {
        let place = "rgba".find(letter.to_ascii_lowercase()).ok_or("some of rgba are needed")?;
        channels[place] = true;
    }
    if text.is_empty() { Err("some of rgba are needed".to_owned()) } else { Ok(channels) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_kind_are_found_however_deep() {
        let field = |value| Property { name: "R".to_owned(), index: 0, value, form: None };
        let colour = Value::Struct(vec![field(Value::Float(0.5)), field(Value::Double(0.1))]);
        let values = Value::Array(vec![colour, Value::Int(-3), Value::Bool(true)]);
        assert_eq!(numbers(&values), [0.5, 0.1, -3.0]);
    }
}
