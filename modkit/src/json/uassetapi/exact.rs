//! What a document of `UAssetAPI` cannot say of a package, so that an unedited one gives the same bytes.

use data_encoding::{BASE64, HEXLOWER};
use serde_json::{Value as Json, json};
use unreal::PackageBytes;

use super::object::NewObject;

/// Bytes in the place of others.
#[derive(Debug, Default, PartialEq, Eq)]
struct Splice {
    offset: usize,
    length: usize,
    bytes: Vec<u8>,
}

/// What a document cannot say.
#[derive(Debug, Default)]
pub(super) struct Exact {
    /// Name of the package.
    pub(super) name: String,
    /// Whether the hashes of its names are zero.
    pub(super) has_zero_hashes: bool,
    /// The BLAKE3 of what the rest of the document gives.
    assembled: Option<String>,
    header: Option<Splice>,
    objects: Option<Splice>,
}

impl Splice {
    /// Returns what makes bytes of others; none if they are equal.
    fn between(made: &[u8], original: &[u8]) -> Option<Self> {
        if made == original {
            return None;
        }
        let offset = made.iter().zip(original).take_while(|(one, other)| one == other).count();
        let (made, original) = (made.get(offset..)?, original.get(offset..)?);
        let end =
            made.iter().rev().zip(original.iter().rev()).take_while(|(one, other)| one == other).count();
        let length = made.len().checked_sub(end)?;
        Some(Self { offset, length, bytes: original.get(..original.len().checked_sub(end)?)?.to_vec() })
    }

    fn apply(&self, bytes: &mut Vec<u8>) -> bool {
        let end = self.offset.checked_add(self.length).filter(|end| *end <= bytes.len());
        let Some(end) = end.filter(|_| self.offset <= bytes.len()) else { return false };
        bytes.splice(self.offset..end, self.bytes.iter().copied());
        true
    }

    fn to_json(&self) -> Json {
        json!({ "offset": self.offset, "length": self.length, "bytes": BASE64.encode(&self.bytes) })
    }

    fn from_json(json: &Json) -> Option<Self> {
        let number = |key| usize::try_from(json.get(key)?.as_u64()?).ok();
        let bytes = BASE64.decode(json.get("bytes")?.as_str()?.as_bytes()).ok()?;
        Some(Self { offset: number("offset")?, length: number("length")?, bytes })
    }
}

fn hash(bytes: &PackageBytes) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes.header).update(&bytes.objects);
    HEXLOWER.encode(hasher.finalize().as_bytes())
}

impl Exact {
    pub(super) fn new(name: &str, has_zero_hashes: bool) -> Self {
        Self { name: name.to_owned(), has_zero_hashes, ..Self::default() }
    }

    /// Notes how the package that the document gives differs from the original.
    pub(super) fn compare(&mut self, made: &PackageBytes, original: &PackageBytes) {
        self.assembled = Some(hash(made));
        self.header = Splice::between(&made.header, &original.header);
        self.objects = Splice::between(&made.objects, &original.objects);
    }

    /// Returns the original if the document gives what it gave when it was written: else what it gives.
    pub(super) fn restore(&self, mut made: PackageBytes) -> PackageBytes {
        if self.assembled.as_deref() != Some(&hash(&made)) {
            return made;
        }
        let apply = |splice: &Option<Splice>, bytes| splice.as_ref().is_none_or(|splice| splice.apply(bytes));
        let (mut header, mut objects) = (made.header.clone(), made.objects.clone());
        if apply(&self.header, &mut header) && apply(&self.objects, &mut objects) {
            (made.header, made.objects) = (header, objects);
        }
        made
    }

    pub(super) fn to_json(&self) -> Json {
        let mut object = NewObject::plain();
        object.put("path", &*self.name);
        object.put("name_hashes", if self.has_zero_hashes { "zero" } else { "engine" });
        object.put("hash", json!(self.assembled));
        for (key, splice) in [("header", &self.header), ("objects", &self.objects)] {
            if let Some(splice) = splice {
                object.put(key, splice.to_json());
            }
        }
        object.into_json()
    }

    pub(super) fn from_json(json: &Json) -> Self {
        let text = |key| json.get(key).and_then(Json::as_str);
        Self {
            name: text("path").unwrap_or_default().to_owned(),
            has_zero_hashes: text("name_hashes") == Some("zero"),
            assembled: text("hash").map(str::to_owned),
            header: json.get("header").and_then(Splice::from_json),
            objects: json.get("objects").and_then(Splice::from_json),
        }
    }
}
