//! Actions about several files, and documents of one.

use std::path::{Path, PathBuf};

use exporter::Overwrite;
use importer::open::FileType;
use serde_json::{Value as Json, json};
use unreal::Limits;

use super::{ActionRequest, Done};
use crate::json::from_json;
use crate::packages::STRUCTURES;
use crate::serve::Server;
use crate::serve::problem::Problem;
use crate::unpack::write_package;

/// Folders within folders that are looked through.
const MAX_DEPTH: usize = 64;

/// Files of an action, at most.
const MAX_FILES: usize = 1 << 20;

impl Server<'_> {
    /// Writes a package as a document of `UAssetAPI`.
    pub(super) fn export_to_json(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let file = self.needed(request, "file_path")?;
        let beside = Path::new(file).with_extension("json").display().to_string();
        let output = self.optional(request, "output_path")?.unwrap_or(&beside);
        self.document_of(request, file, output).map(|message| Done::new(message, json!({ "path": output })))
    }

    fn document_of(&self, request: &ActionRequest, file: &str, output: &str) -> Result<String, Problem> {
        let words = self.words(request, &["json", file, "-o", output, "--format=uassetapi"]);
        Ok(words.package()?.run()?.message)
    }

    /// Makes a package of the document in a request.
    pub(super) fn import_from_json(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let file = self.needed(request, "file_path")?;
        let text = match request.get("json_data") {
            Some(Json::String(text)) => text.clone(),
            Some(document @ Json::Object(_)) => document.to_string(),
            _ => return Err(self.wrong_key("json_data", "is missing or not a text")),
        };
        self.write_document(request, &text, file)
    }

    /// Writes the package that a document describes over a file.
    pub(super) fn write_document(
        &self,
        request: &ActionRequest,
        text: &str,
        output: &str,
    ) -> Result<Done, Problem> {
        let mappings = self.mappings(request)?;
        self.check_output(output)?;
        let limits = &mut Limits::with_structures(STRUCTURES);
        let package =
            from_json(text, mappings.as_deref(), limits).map_err(|error| self.failed(output, error))?;
        let kept = self.optional(request, "usmap_path")?.map(PathBuf::from);
        let overwrite = Overwrite::forced(true).keeping(kept.into_iter().collect());
        write_package(Path::new(output), &package.bytes, package.split, &overwrite)
            .and_then(|written| written.finish(&mut std::io::sink()))
            .map_err(|error| self.failed(output, error))?;
        Ok(Done::new(format!("{output} written"), Json::Null))
    }

    /// Checks that a file may be written: it is not where requests and answers go.
    pub(super) fn check_output(&self, output: &str) -> Result<(), Problem> {
        let words = ["from-json", "document", "-o", output].map(str::to_owned);
        self.front_end.request(&words).map(drop)
    }

    /// Writes packages as documents of `UAssetAPI`, each beside its file or below a folder.
    pub(super) fn json_of_packages(&self, request: &ActionRequest) -> Result<Done, Problem> {
        self.each_file(request, &[".uasset", ".umap"], |file, output| {
            let output = output.with_extension("json").display().to_string();
            self.document_of(request, file, &output).map(|_| json!({ "path": file, "output": output }))
        })
    }

    /// Makes packages of documents.
    pub(super) fn packages_of_json(&self, request: &ActionRequest) -> Result<Done, Problem> {
        self.each_file(request, &[".json"], |file, output| {
            // A document may be named X.umap.json.
            let named = output.with_extension("");
            let output = if named.extension().is_some() { named } else { output.with_extension("uasset") };
            let output = output.display().to_string();
            let words = self.words(request, &["from-json", file, "-o", &output]);
            words.option("--usmap", "usmap_path")?.run().map(|_| json!({ "path": file, "output": output }))
        })
    }

    /// Does something with each file of a request. What cannot be done is counted, and the others go on.
    pub(super) fn each_file(
        &self,
        request: &ActionRequest,
        extensions: &[&str],
        mut work: impl FnMut(&str, &Path) -> Result<Json, Problem>,
    ) -> Result<Done, Problem> {
        let (files, base) = self.files_of(request, extensions)?;
        let output = self.optional(request, "output_path")?.map(Path::new);
        let (mut rows, mut failed) = (Vec::new(), 0_usize);
        for file in &files {
            if self.front_end.is_interrupted() {
                break;
            }
            let path = Path::new(file);
            let below = base.as_deref().and_then(|base| path.strip_prefix(base).ok());
            let below = below.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
            let target = output.map_or_else(|| path.to_owned(), |folder| folder.join(below));
            rows.push(match work(file, &target) {
                Ok(Json::Object(mut row)) => {
                    row.insert("success".to_owned(), true.into());
                    Json::Object(row)
                }
                Ok(value) => json!({ "path": file, "success": true, "result": value }),
                Err(problem) => {
                    failed += 1;
                    json!({ "path": file, "success": false, "message": problem.message })
                }
            });
        }
        let converted = rows.len() - failed;
        let message = match rows.len() {
            0 => "no files".to_owned(),
            all => format!("{converted} of {all} files done"),
        };
        let data = json!({ "converted": converted, "failed": failed, "files": rows });
        Ok(Done { message, data, is_partly: failed > 0 || rows.is_empty() })
    }

    /// Returns the files of a request, and the folder that their paths are kept below.
    fn files_of(
        &self,
        request: &ActionRequest,
        extensions: &[&str],
    ) -> Result<(Vec<String>, Option<PathBuf>), Problem> {
        let listed = request.texts("file_paths").map_err(|(key, why)| self.wrong_key(key, why))?;
        let base = self.optional(request, "base_path")?.map(PathBuf::from);
        if !listed.is_empty() {
            return Ok((listed, base));
        }
        let folder = match self.optional(request, "input_dir")? {
            Some(folder) => folder,
            None => self.needed(request, "file_path")?,
        };
        let folder = Path::new(folder);
        if !self.files.is_folder(folder) {
            return Ok((vec![folder.display().to_string()], base));
        }
        let mut files = Vec::new();
        self.find(folder, extensions, 0, &mut files)?;
        files.sort();
        Ok((files, Some(base.unwrap_or_else(|| folder.to_owned()))))
    }

    /// Finds files in a folder and those below it.
    fn find(
        &self,
        folder: &Path,
        extensions: &[&str],
        depth: usize,
        found: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let label = folder.display().to_string();
        for entry in self.files.list(folder).map_err(|error| self.failed(&label, error))? {
            let path = folder.join(&entry.name);
            let name = entry.name.to_string_lossy().to_lowercase();
            match entry.file_type {
                FileType::Folder if depth < MAX_DEPTH => self.find(&path, extensions, depth + 1, found)?,
                FileType::File if extensions.iter().any(|extension| name.ends_with(extension)) => {
                    if found.len() == MAX_FILES {
                        return Err(self.failed(&label, "more than a million files"));
                    }
                    found.push(path.display().to_string());
                }
                _ => {}
            }
        }
        Ok(())
    }
}
