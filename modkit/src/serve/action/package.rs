//! Actions that look into a package: its tables and its properties, as its document has them.

use std::sync::Arc;

use data_encoding::BASE64;
use serde_json::{Value as Json, json};
use unreal::containers::mount::MountedEntry;
use unreal::{AssetPackage, ClassPath, Mappings};

use super::{ActionRequest, Done};
use crate::json::uassetapi::UassetApi;
use crate::json::{DocumentWriter, JsonFormat};
use crate::packages::GamePackages;
use crate::report::PackageRow;
use crate::serve::answer::Reporter;
use crate::serve::problem::Problem;
use crate::serve::request::{PackageChoice, ReportKind, ReportRequest};
use crate::serve::{Server, ServerRequest};

/// Bytes of an object in an answer, at most.
const MAX_RAW: u64 = 1 << 30;

/// A package that an action is about.
pub(super) struct OpenedPackage {
    /// Path of its file.
    pub(super) file: String,
    packages: GamePackages,
    entry: MountedEntry,
    /// Warnings.
    message: String,
}

impl OpenedPackage {
    /// Returns what an action did that looks into the package.
    fn done(self, data: impl Into<Json>) -> Done {
        Done::new(self.message, data)
    }
}

/// Returns the short name of a class of `UAssetAPI`: `NormalExport`.
fn class(object: &Json) -> &str {
    let class = object["$type"].as_str().unwrap_or_default();
    let class = class.split(',').next().unwrap_or_default();
    class.rsplit('.').next().unwrap_or_default()
}

/// Returns the type of a property: `IntProperty`.
pub(super) fn property_type(property: &Json) -> String {
    let class = class(property);
    class.strip_suffix("Data").unwrap_or(class).to_owned()
}

/// Returns the exports of a document.
fn exports(document: &Json) -> &[Json] {
    document["Exports"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Returns the class of the object that a package is for: the one that is called as the package, or else the first.
fn main_class(package: &PackageRow) -> String {
    let own = package.path.rsplit('/').next().unwrap_or_default();
    let main = package.exports.iter().filter(|export| export.outer.is_none());
    let named = main.clone().find(|export| export.name.eq_ignore_ascii_case(own));
    let class = named.or_else(|| main.clone().next()).and_then(|export| export.class.as_deref());
    class.map(|class| class.rsplit(['.', '/']).next().unwrap_or(class)).unwrap_or_default().to_owned()
}

/// Returns whether a class is of a family: `Texture2D` is a `Texture`, and either mesh a `Mesh`.
fn is_of(class: &str, family: &str) -> bool {
    match family {
        "Texture" => class.starts_with("Texture") || class.starts_with("VolumeTexture"),
        "Mesh" => matches!(class, "StaticMesh" | "SkeletalMesh"),
        "Blueprint" => class.ends_with("BlueprintGeneratedClass") || class.ends_with("Blueprint"),
        family => class == family,
    }
}

impl Server<'_> {
    /// Returns the file of a request as a report would open it.
    fn report<'s>(
        &'s self,
        request: &ActionRequest,
        file: &str,
    ) -> Result<(ReportRequest<'s>, PackageChoice), Problem> {
        let words = self.words(request, &["show", file]).package()?;
        match self.front_end.request(words.list())? {
            ServerRequest::Report(ReportRequest {
                file,
                keys,
                kind: ReportKind::Tables(choice),
                is_quiet,
            }) => {
                let kind = ReportKind::Tables(choice.clone());
                Ok((ReportRequest { file, keys, kind, is_quiet }, choice))
            }
            _ => Err(self.failed(file, "is not a package")),
        }
    }

    /// Returns the mappings of a request.
    pub(super) fn mappings(&self, request: &ActionRequest) -> Result<Option<Arc<Mappings>>, Problem> {
        let (_, choice) = self.report(request, self.needed(request, "file_path")?)?;
        Ok(choice.options.mappings)
    }

    /// Opens the package that a request names.
    pub(super) fn open_package(&self, request: &ActionRequest) -> Result<OpenedPackage, Problem> {
        self.open_file(request, self.needed(request, "file_path")?)
    }

    /// Opens a package that is one file, or the one of a game that `internal_path` names.
    pub(super) fn open_file(&self, request: &ActionRequest, file: &str) -> Result<OpenedPackage, Problem> {
        let (report, choice) = self.report(request, file)?;
        let mut messages = Vec::new();
        let packages = Reporter::new(self, &report, &mut messages).packages(&choice);
        let packages = packages.map_err(|error| self.front_end.problem(error, Some(&report)))?;
        let &[entry] = &packages.entries[..] else {
            let count = packages.entries.len();
            return Err(self.failed(file, format!("has {count} packages: internal_path says which is meant")));
        };
        Ok(OpenedPackage { file: file.to_owned(), packages, entry, message: messages.join("\n") })
    }

    fn package(&self, opened: &OpenedPackage) -> Result<AssetPackage, Problem> {
        opened.packages.package(opened.entry).map_err(|error| self.failed(&opened.file, error))
    }

    /// Returns a package, the mappings of its game, and whether its objects lie in a file of their own.
    pub(super) fn parts(
        &self,
        opened: &OpenedPackage,
    ) -> Result<(AssetPackage, Option<Arc<Mappings>>, bool), Problem> {
        let OpenedPackage { packages, entry, .. } = opened;
        Ok((self.package(opened)?, packages.options.mappings.clone(), packages.is_split(*entry)))
    }

    fn tables(&self, opened: &OpenedPackage) -> Result<PackageRow, Problem> {
        let tables = opened.packages.tables(opened.entry);
        tables.map_err(|unread| self.failed(&opened.file, unread.error))
    }

    /// Returns the document of a package.
    pub(super) fn document(&self, opened: &OpenedPackage) -> Result<Json, Problem> {
        let failed = |error: &dyn std::fmt::Display| self.failed(&opened.file, error);
        let format = JsonFormat::UassetApi(UassetApi::V1_1);
        let writer = DocumentWriter::new(&opened.packages, format).map_err(|error| failed(&error))?;
        let text = writer.document(opened.entry).map_err(|error| failed(&error))?.text;
        serde_json::from_str(&text).map_err(|error| failed(&error))
    }

    /// Returns the index of the export that a request names, which the document has.
    pub(super) fn export_index(&self, request: &ActionRequest, document: &Json) -> Result<usize, Problem> {
        let index = request.index("export_index").map_err(|(key, why)| self.wrong_key(key, why))?;
        let index = index.ok_or_else(|| self.wrong_key("export_index", "is missing"))?;
        let count = exports(document).len();
        if index >= count {
            return Err(self.wrong_key("export_index", &format!("is {index}, of {count} exports")));
        }
        Ok(index)
    }

    pub(super) fn summary(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let package = self.package(&opened)?;
        let document = self.document(&opened)?;
        let tables = self.tables(&opened)?;
        let count = |key: &str| document[key].as_array().map_or(0, Vec::len);
        let [engine_4, engine_5] = package.version().numbers();
        let data = json!({
            "file_path": opened.file,
            "file_name": file_name(&opened.file),
            "detected_type": main_class(&tables),
            "name_count": count("NameMap"),
            "import_count": count("Imports"),
            "export_count": count("Exports"),
            "has_unversioned_properties": document["HasUnversionedProperties"],
            "package_flags": tables.flags,
            "file_version_ue4": engine_4,
            "file_version_ue5": engine_5,
            "uses_event_driven_loader": document["UsesEventDrivenLoader"],
            "package_guid": document["PackageGuid"],
        });
        Ok(opened.done(data))
    }

    pub(super) fn names(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let document = self.document(&opened)?;
        let names = document["NameMap"].as_array().map(Vec::as_slice).unwrap_or_default();
        let row = |(index, value): (usize, &Json)| json!({ "index": index, "value": value });
        let rows: Vec<Json> = names.iter().enumerate().map(row).collect();
        Ok(opened.done(rows))
    }

    pub(super) fn imports(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let document = self.document(&opened)?;
        let imports = document["Imports"].as_array().map(Vec::as_slice).unwrap_or_default();
        let row = |(index, import): (usize, &Json)| {
            json!({
                "index": index,
                "class_package": import["ClassPackage"],
                "class_name": import["ClassName"],
                "object_name": import["ObjectName"],
                "outer_index": import["OuterIndex"],
                "is_optional": import["bImportOptional"],
            })
        };
        let rows: Vec<Json> = imports.iter().enumerate().map(row).collect();
        Ok(opened.done(rows))
    }

    pub(super) fn exports(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let package = self.package(&opened)?;
        let document = self.document(&opened)?;
        let row = |(index, export): (usize, &Json)| {
            let class_name = package.export(index).and_then(|object| object.class).map(ClassPath::name);
            let properties = if class(export) == "RawExport" { None } else { export["Data"].as_array() };
            json!({
                "index": index,
                "object_name": export["ObjectName"],
                "class_name": class_name,
                "class_index": export["ClassIndex"],
                "super_index": export["SuperIndex"],
                "outer_index": export["OuterIndex"],
                "serial_size": export["SerialSize"],
                "serial_offset": export["SerialOffset"],
                "object_flags": export["ObjectFlags"],
                "export_type": class(export),
                "property_count": properties.map_or(0, Vec::len),
            })
        };
        let rows: Vec<Json> = exports(&document).iter().enumerate().map(row).collect();
        Ok(opened.done(rows))
    }

    pub(super) fn properties(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let mut document = self.document(&opened)?;
        let index = self.export_index(request, &document)?;
        let row = |property: &Json| {
            json!({
                "name": property["Name"],
                "type": property_type(property),
                "value": property["Value"],
                "array_index": property["ArrayIndex"],
            })
        };
        let properties = self.properties_of(&opened.file, &mut document, index)?;
        let rows: Vec<Json> = properties.iter().map(row).collect();
        Ok(opened.done(rows))
    }

    /// Returns the properties of an export of a document.
    pub(super) fn properties_of<'d>(
        &self,
        file: &str,
        document: &'d mut Json,
        index: usize,
    ) -> Result<&'d mut Vec<Json>, Problem> {
        let export = document["Exports"].get_mut(index);
        let export = export.filter(|export| class(export) != "RawExport");
        let properties = export.and_then(|export| export.get_mut("Data")?.as_array_mut());
        properties.ok_or_else(|| {
            self.failed(
                file,
                format!("Exports[{index}] is raw bytes: its properties are not known to the byte"),
            )
        })
    }

    pub(super) fn raw_data(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let package = self.package(&opened)?;
        let index = self.export_index(request, &json!({ "Exports": vec![(); package.len()] }))?;
        let failed = |error: unreal::Error| self.failed(&opened.file, error);
        let range = package.range(index).map_err(failed)?;
        let size = range.end.saturating_sub(range.start);
        if size > MAX_RAW {
            return Err(
                self.failed(&opened.file, format!("Exports[{index}] has {size} bytes, too many for a line"))
            );
        }
        let mut bytes = vec![0; usize::try_from(size).unwrap_or_default()];
        package.source().read_at(range.start, &mut bytes).map_err(|error| failed(error.into()))?;
        let data = json!({ "export_index": index, "size": size, "base64": BASE64.encode(&bytes) });
        Ok(opened.done(data))
    }

    /// Tells the class of the main object of a package, or whether that is of a family.
    pub(super) fn detect(&self, request: &ActionRequest, family: Option<&str>) -> Result<Done, Problem> {
        let file = self.needed(request, "file_path")?;
        let opened = self.open_file(request, file)?;
        let data = self.detected(&opened, family)?;
        Ok(opened.done(data))
    }

    fn detected(&self, opened: &OpenedPackage, family: Option<&str>) -> Result<Json, Problem> {
        let class = main_class(&self.tables(opened)?);
        Ok(match family {
            Some(family) => is_of(&class, family).into(),
            None => json!({ "file_path": opened.file, "type": class }),
        })
    }

    /// Tells the same of several packages.
    pub(super) fn detect_each(&self, request: &ActionRequest, family: Option<&str>) -> Result<Done, Problem> {
        let mut done = self.each_file(request, &[".uasset", ".umap"], |file, _| {
            let class = main_class(&self.tables(&self.open_file(request, file)?)?);
            Ok(json!({ "file_path": file, "type": class, "matches": family.map(|family| is_of(&class, family)) }))
        })?;
        let mut rows = match done.data["files"].take() {
            Json::Array(rows) => rows,
            _ => Vec::new(),
        };
        if family.is_some() {
            rows.retain(|row| row["matches"] == true);
        }
        for row in rows.iter_mut().filter_map(Json::as_object_mut) {
            row.remove("matches");
            if row.contains_key("type") {
                row.remove("success");
            }
        }
        done.data = Json::Array(rows);
        Ok(done)
    }
}

/// Returns the name of a file without its folder.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
