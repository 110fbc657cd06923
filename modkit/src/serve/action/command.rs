//! Actions that a command does.

use serde_json::{Value as Json, json};
use unreal::hash;

use super::{ActionRequest, CommandDone, Done};
use crate::report::{MeshRow, TextureRow};
use crate::serve::answer::ReportRow;
use crate::serve::problem::Problem;
use crate::serve::{RequestError, Server};

/// The words of a command.
pub(super) struct Words<'w, 's> {
    server: &'w Server<'s>,
    request: &'w ActionRequest,
    words: Vec<String>,
}

impl Words<'_, '_> {
    /// Adds an option whose value is that of a key, if the request has it.
    pub(super) fn option(mut self, option: &str, key: &str) -> Result<Self, Problem> {
        if let Some(text) = self.server.optional(self.request, key)? {
            self.words.push(format!("{option}={text}"));
        }
        Ok(self)
    }

    /// Adds words.
    pub(super) fn add<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Self {
        self.words.extend(words.into_iter().map(str::to_owned));
        self
    }

    /// Adds what says which package of a file is meant, and how it is read.
    pub(super) fn package(self) -> Result<Self, Problem> {
        let path = self.server.optional(self.request, "internal_path")?;
        let words = match path {
            Some(path) => self.add([path]),
            None => self,
        };
        words.option("--usmap", "usmap_path")?.option("--aes", "aes_key")?.option("--engine", "engine")
    }

    /// Adds a filter: entries whose path contains one of the patterns.
    fn filter(self) -> Result<Self, Problem> {
        let texts = self.request.texts("filter_patterns");
        let patterns = texts.map_err(|(key, why)| self.server.wrong_key(key, why))?;
        Ok(match &patterns[..] {
            [] => self,
            [one] => self.add(["--filter", one]),
            several => {
                let any = format!("*{{{}}}*", several.join(","));
                self.add(["--filter", &any])
            }
        })
    }

    /// Returns the words.
    pub(super) fn list(&self) -> &[String] {
        &self.words
    }

    /// Runs the command.
    pub(super) fn run(self) -> Result<CommandDone, Problem> {
        self.server.command(&self.words)
    }
}

impl Server<'_> {
    /// Begins a command about a file.
    pub(super) fn words<'w>(&'w self, request: &'w ActionRequest, words: &[&str]) -> Words<'w, 'w> {
        Words { server: self, request, words: words.iter().map(|word| (*word).to_owned()).collect() }
    }

    /// Returns a text of a request, if it has it.
    pub(super) fn optional<'r>(
        &self,
        request: &'r ActionRequest,
        key: &str,
    ) -> Result<Option<&'r str>, Problem> {
        request.text(key).map_err(|(key, why)| self.wrong_key(key, why))
    }

    /// Returns a text that a request must have.
    pub(super) fn needed<'r>(&self, request: &'r ActionRequest, key: &str) -> Result<&'r str, Problem> {
        self.optional(request, key)?.ok_or_else(|| self.wrong_key(key, "is missing"))
    }

    /// Does an action that is a command, or has no other home.
    pub(super) fn as_command(&self, action: &str, request: &ActionRequest) -> Result<Done, Problem> {
        let file = || self.needed(request, "file_path");
        match action {
            "listpakfiles" | "listiostorefiles" => {
                let done =
                    self.words(request, &["ls", file()?]).option("--aes", "aes_key")?.filter()?.run()?;
                let rows = done.rows_as_json();
                let data = json!({ "count": rows.len(), "files": rows });
                Ok(done.with(data))
            }
            "ispakencrypted" | "isiostoreencrypted" => {
                self.any_entry(request, |row| row["encrypted"] == true)
            }
            "ispakcompressed" | "isiostorecompressed" => {
                self.any_entry(request, |row| !row["compression"].is_null())
            }
            "extractpakfile" => {
                let [path, output] =
                    [self.needed(request, "internal_path")?, self.needed(request, "output_path")?];
                let words = self.words(request, &["cat", file()?, path, "-o", output]);
                Ok(words.option("--aes", "aes_key")?.run()?.with(json!({ "path": output })))
            }
            "extractpakall" => {
                let words =
                    self.words(request, &["unpack", file()?, "-o", self.needed(request, "output_path")?]);
                Ok(words.option("--aes", "aes_key")?.filter()?.run()?.with(Json::Null))
            }
            "extractiostore" => {
                let output = self.needed(request, "output_path")?;
                let words = self.words(request, &["unpack", file()?, "--legacy", "-o", output]);
                let words = words.option("--aes", "aes_key")?.option("--engine", "engine")?.filter()?;
                Ok(words.run()?.with(Json::Null))
            }
            "createpak" | "createiostore" | "createmodiostore" => self.pack(request),
            "extractscriptobjects" => {
                let done = self.words(request, &["scripts", file()?]).option("--aes", "aes_key")?.run()?;
                let rows = done.rows_as_json();
                let data = json!({ "count": rows.len(), "objects": rows });
                Ok(done.with(data))
            }
            "inspectzen" | "dump" => {
                let done = self.words(request, &["show", file()?]).package()?.run()?;
                let data = only_or_all(done.rows_as_json());
                Ok(done.with(data))
            }
            "getmeshinfo" | "skeletalmeshinfo" => {
                let done = self.words(request, &["mesh", file()?]).package()?.run()?;
                let is_skeletal = |row: &&ReportRow| match row {
                    ReportRow::Mesh(MeshRow { class, .. }) => class.contains("Skeletal"),
                    _ => false,
                };
                let rows = done.rows.iter().filter(|row| action == "getmeshinfo" || is_skeletal(row));
                let rows = rows.map(|row| serde_json::to_value(row).unwrap_or_default()).collect();
                Ok(done.with(only_or_all(rows)))
            }
            "gettextureinfo" => {
                let done = self.words(request, &["texture", file()?]).package()?.run()?;
                let data = only_or_all(done.rows_as_json());
                Ok(done.with(data))
            }
            "hasinlinetexturedata" => {
                let done = self.words(request, &["texture", file()?]).package()?.run()?;
                let has_inline = textures(&done).any(|row| row.mips.iter().any(|mip| mip.place == "inline"));
                Ok(done.with(has_inline))
            }
            "extracttexturepng" => {
                let output = self.needed(request, "output_path")?;
                let words = self.words(request, &["texture", file()?, "-o", output]);
                let words = words.package()?.option("--format", "format")?;
                let mip = request.index("mip_index").map_err(|(key, why)| self.wrong_key(key, why))?;
                let mip = mip.map(|mip| format!("--mip={mip}"));
                Ok(words.add(mip.as_deref()).run()?.with(json!({ "path": output })))
            }
            "stripmipmapsnative" => self.strip(request, file()?, self.optional(request, "output_path")?),
            "batchstripmipmapsnative" => {
                self.each_file(request, &[".uasset"], |file, _| Ok(self.strip(request, file, None)?.data))
            }
            "cityhash" => {
                let path = file()?;
                Ok(Done::new(
                    "",
                    json!({ "path": path, "hash": format!("0x{:016X}", hash::package_id(path)) }),
                ))
            }
            _ => Err(self.front_end.problem(RequestError::UnknownAction(request.sent().to_owned()), None)),
        }
    }

    fn any_entry(&self, request: &ActionRequest, is_it: impl Fn(&Json) -> bool) -> Result<Done, Problem> {
        let words = self.words(request, &["ls", self.needed(request, "file_path")?]);
        let done = words.option("--aes", "aes_key")?.run()?;
        let is_any = done.rows_as_json().iter().any(is_it);
        Ok(done.with(is_any))
    }

    fn pack(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let output = self.needed(request, "output_path")?;
        let flag = |key| request.flag(key).map_err(|(key, why)| self.wrong_key(key, why));
        let words = self.words(request, &["pack", self.needed(request, "input_dir")?, "-o", output]);
        let compress = flag("compress")?.unwrap_or_default().then_some("--compress=zlib");
        let encrypt = flag("obfuscate")?.unwrap_or_default().then_some("--encrypt");
        let words = words.add(compress).add(encrypt).option("--aes", "aes_key")?;
        let words = words.option("--mount", "mount_point")?.option("--engine", "engine")?;
        let words = words.option("--base", "base_path")?.option("--game", "game")?;
        Ok(words.run()?.with(json!({ "path": output })))
    }

    /// Strips the mips of a texture, in its own file unless another one is named.
    fn strip(&self, request: &ActionRequest, file: &str, output: Option<&str>) -> Result<Done, Problem> {
        let mips = |file: &str| {
            let done = self.words(request, &["texture", file]).package()?.run()?;
            Ok::<usize, Problem>(textures(&done).map(|row| row.mips.len()).sum())
        };
        let original = mips(file)?;
        let output = output.unwrap_or(file);
        let words = self.words(request, &["texture", file, "--strip", "--force", "-o", output]);
        let done = words.package()?.run()?;
        let data = json!({ "original_mips": original, "new_mips": mips(output)? });
        Ok(done.with(data))
    }
}

fn textures(done: &CommandDone) -> impl Iterator<Item = &TextureRow> {
    done.rows.iter().filter_map(|row| match row {
        ReportRow::Texture(row) => Some(row),
        _ => None,
    })
}

/// Returns the only row, or a list of all.
fn only_or_all(mut rows: Vec<Json>) -> Json {
    if rows.len() == 1 { rows.remove(0) } else { Json::Array(rows) }
}
