//! Actions about the data interfaces of Niagara systems, with the keys of *`UassetTool`*.

use std::ops::RangeInclusive;

use exporter::Overwrite;
use serde_json::{Map, Value as Json, json};
use unreal::Limits;

use super::package::file_name;
use super::{ActionRequest, Done};
use crate::niagara::{ColorEdit, set_colors};
use crate::packages::STRUCTURES;
use crate::report::{InterfaceRow, NiagaraRow};
use crate::serve::Server;
use crate::serve::answer::ReportRow;
use crate::serve::problem::Problem;
use crate::unpack::write_package;

/// A group of interfaces of the same kind: its names here and there, and of what its values consist.
struct Group {
    /// Name of the list of a row.
    own: &'static str,
    /// Names of the number of interfaces, of the number of all values, and of the list.
    keys: [&'static str; 3],
    /// Names of the parts of a value; none if it is a number itself.
    parts: &'static [&'static str],
}

const RGBA: &[&str] = &["r", "g", "b", "a"];
const XYZ: &[&str] = &["x", "y", "z"];

/// The groups in the order of answers; the document lists the first seven.
const GROUPS: [Group; 12] = {
    const fn group(own: &'static str, keys: [&'static str; 3], parts: &'static [&'static str]) -> Group {
        Group { own, keys, parts }
    }
    const XYZW: &[&str] = &["x", "y", "z", "w"];
    const XY: &[&str] = &["x", "y"];
    [
        group("color_curves", ["colorCurveCount", "totalColorCount", "colorCurves"], RGBA),
        group("float_curves", ["floatCurveCount", "totalFloatCount", "floatCurves"], &[]),
        group("vector2d_curves", ["vector2DCurveCount", "totalVector2DCount", "vector2DCurves"], XY),
        group("vector3_curves", ["vector3CurveCount", "totalVector3Count", "vector3Curves"], XYZ),
        group("array_colors", ["arrayColorCount", "totalArrayColorValues", "arrayColors"], RGBA),
        group("array_floats", ["arrayFloatCount", "totalArrayFloatValues", "arrayFloats"], &[]),
        group("array_float3s", ["arrayFloat3Count", "totalArrayFloat3Values", "arrayFloat3s"], XYZ),
        group("vector4_curves", ["vector4CurveCount", "totalVector4Count", "vector4Curves"], XYZW),
        group("array_float2s", ["arrayFloat2Count", "totalArrayFloat2Values", "arrayFloat2s"], XY),
        group("array_float4s", ["arrayFloat4Count", "totalArrayFloat4Values", "arrayFloat4s"], XYZW),
        group("array_positions", ["arrayPositionCount", "totalArrayPositionValues", "arrayPositions"], XYZ),
        group("array_ints", ["arrayInt32Count", "totalArrayInt32Values", "arrayInt32s"], &[]),
    ]
};

impl Group {
    /// Returns an interface with its values: the first, the middle and the last, or all.
    fn interface(&self, row: &InterfaceRow, is_full: bool) -> Json {
        let last = row.values.len().saturating_sub(1);
        let is_sample = |at: usize| is_full || at == 0 || at == last || at == row.values.len() / 2;
        let values = row.values.iter().enumerate().filter(|(at, _)| is_sample(*at));
        let values = values.map(|(at, value)| self.value(at, value)).collect::<Vec<_>>();
        let (count, samples) = match self.parts == RGBA {
            true => ("colorCount", "sampleColors"),
            false => ("valueCount", "sampleValues"),
        };
        json!({
            "exportIndex": row.export,
            "exportName": row.name,
            "className": row.class,
            count: row.count,
            samples: values,
        })
    }

    fn value(&self, at: usize, value: &[f64]) -> Json {
        let mut object = Map::new();
        object.insert("index".to_owned(), at.into());
        let parts = if self.parts.is_empty() { &["value"][..] } else { self.parts };
        for (part, number) in parts.iter().zip(value) {
            object.insert((*part).to_owned(), (*number).into());
        }
        Json::Object(object)
    }
}

impl Server<'_> {
    /// Lists the Niagara systems of a folder or game.
    pub(super) fn list_niagara(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let folder = match self.optional(request, "input_dir")? {
            Some(folder) => folder,
            None => self.needed(request, "file_path")?,
        };
        let done = self.words(request, &["niagara", folder]).package()?.run()?;
        let rows = done.rows.iter().filter_map(|row| match row {
            ReportRow::Niagara(row) => Some(row),
            _ => None,
        });
        let files: Vec<Json> = rows
            .map(|row| {
                let is_file = row.container.to_lowercase().ends_with(".uasset");
                let path = if is_file { &row.container } else { &row.path };
                json!({
                    "path": path,
                    "fileName": file_name(path),
                    "colorCurveCount": row.counts.get("color_curve_count"),
                    "totalColorCount": row.counts.get("total_color_count"),
                })
            })
            .collect();
        let data =
            json!({ "success": true, "baseDirectory": folder, "totalFiles": files.len(), "files": files });
        Ok(done.with(data))
    }

    /// Describes the data interfaces of a Niagara system.
    pub(super) fn niagara_details(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let file = self.asset_path(request)?;
        let is_full = request.flag("full_data").map_err(|(key, why)| self.wrong_key(key, why))?;
        let done = self.words(request, &["niagara", file]).package()?.run()?;
        let Some(ReportRow::Niagara(row)) = done.rows.first() else {
            return Err(self.failed(file, "has no data interfaces of Niagara"));
        };
        let data = details(row, file, is_full.unwrap_or_default());
        Ok(done.with(data))
    }

    /// Returns the file of a request about Niagara, which may name it as `AssetPath`.
    fn asset_path<'r>(&self, request: &'r ActionRequest) -> Result<&'r str, Problem> {
        let path = self.optional(request, "asset_path")?;
        path.map_or_else(|| self.needed(request, "file_path"), Ok)
    }

    /// Sets colours of a Niagara system.
    pub(super) fn edit_niagara(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let file = self.asset_path(request)?;
        let output = self.optional(request, "output_path")?.unwrap_or(file);
        let edit = self.color_edit(request)?;
        self.check_output(output)?;
        let opened = self.open_file(request, file)?;
        let (package, mappings, is_split) = self.parts(&opened)?;
        let limits = &mut Limits::with_structures(STRUCTURES);
        let changed = set_colors(&package, mappings.as_deref(), &edit, limits);
        let changed = changed.map_err(|error| self.failed(file, error))?;
        write_package(output.as_ref(), &changed.bytes, is_split, &Overwrite::forced(true))
            .and_then(|written| written.finish(&mut std::io::sink()))
            .map_err(|error| self.failed(output, error))?;
        let data = json!({ "success": true, "path": output, "modifiedCount": changed.samples });
        Ok(Done::new(format!("{} colours set in {output}", changed.samples), data))
    }

    fn color_edit(&self, request: &ActionRequest) -> Result<ColorEdit, Problem> {
        let wrong = |(key, why): (&str, &str)| self.wrong_key(key, why);
        let (mut color, mut channels) = ([0.0, 0.0, 0.0, 1.0], [true; 4]);
        let names = [("R", "ModifyR"), ("G", "ModifyG"), ("B", "ModifyB"), ("A", "ModifyA")];
        for ((value, channel), (name, modify)) in color.iter_mut().zip(&mut channels).zip(names) {
            *value = request.number(name).map_err(wrong)?.unwrap_or(*value);
            *channel = request.flag(modify).map_err(wrong)?.unwrap_or(true);
        }
        Ok(ColorEdit {
            color,
            channels,
            export_index: request.index("ExportIndex").map_err(wrong)?,
            export: self.optional(request, "ExportNameFilter")?.map(str::to_owned),
            samples: self.samples(request)?,
        })
    }

    /// Returns the values that are meant: one, or from one to another, to the end if that is not said.
    fn samples(&self, request: &ActionRequest) -> Result<Option<RangeInclusive<usize>>, Problem> {
        let index = |key| request.index(key).map_err(|(key, why)| self.wrong_key(key, why));
        let [one, start, end] = [index("ColorIndex")?, index("ColorIndexStart")?, index("ColorIndexEnd")?];
        match (one, start, end) {
            (Some(one), ..) => Ok(Some(one..=one)),
            (None, None, None) => Ok(None),
            (None, start, end) => {
                let (start, end) = (start.unwrap_or_default(), end.unwrap_or(usize::MAX));
                if start > end {
                    return Err(self.wrong_key("ColorIndexEnd", "is before ColorIndexStart"));
                }
                Ok(Some(start..=end))
            }
        }
    }
}

/// Returns the data interfaces of a package, with the keys of the document.
fn details(row: &NiagaraRow, file: &str, is_full: bool) -> Json {
    let mut data = Map::new();
    data.insert("success".to_owned(), true.into());
    data.insert("path".to_owned(), file.into());
    data.insert("fileName".to_owned(), file_name(file).into());
    data.insert("totalExports".to_owned(), row.total_exports.into());
    for group in GROUPS {
        let interfaces = row.groups.get(group.own).map(Vec::as_slice).unwrap_or_default();
        let [count, total, list] = group.keys.map(str::to_owned);
        data.insert(count, interfaces.len().into());
        data.insert(total, interfaces.iter().map(|row| row.count).sum::<usize>().into());
        data.insert(list, interfaces.iter().map(|row| group.interface(row, is_full)).collect());
    }
    Json::Object(data)
}
