//! The keys of a request.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

/// A request with `action`. Its keys are found whatever their case, with or without underscores: `file_path`,
/// `filePath` and `FilePath` are the same.
#[derive(Debug)]
pub(in crate::serve) struct ActionRequest {
    /// Name of the action in lower case, without underscores.
    action: String,
    /// Name of the action as it was sent.
    sent: String,
    keys: BTreeMap<String, Json>,
}

/// Returns a name in lower case, without underscores.
fn normalized(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

impl<'de> Deserialize<'de> for ActionRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut keys: BTreeMap<String, Json> = BTreeMap::new();
        for (key, value) in BTreeMap::<String, Json>::deserialize(deserializer)? {
            if !value.is_null() {
                keys.insert(normalized(&key), value);
            }
        }
        match keys.remove("action") {
            Some(Json::String(sent)) => Ok(Self { action: normalized(&sent), sent, keys }),
            _ => Err(serde::de::Error::custom("action is not a text")),
        }
    }
}

/// Why a key is of no use: its name, and what it is not.
pub(super) type KeyError<'k> = (&'k str, &'static str);

impl ActionRequest {
    /// Returns the name of the action in lower case, without underscores.
    pub(super) fn action(&self) -> &str {
        &self.action
    }

    /// Returns the name of the action as it was sent.
    pub(super) fn sent(&self) -> &str {
        &self.sent
    }

    /// Returns a value.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.keys.get(&normalized(key))
    }

    /// Returns a text, which is not empty.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn text<'k>(&self, key: &'k str) -> Result<Option<&str>, KeyError<'k>> {
        match self.get(key) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(&text[..]).filter(|text| !text.is_empty())),
            Some(_) => Err((key, "is not a text")),
        }
    }

    /// Returns a whole number.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn index<'k>(&self, key: &'k str) -> Result<Option<usize>, KeyError<'k>> {
        let number = |value: &Json| value.as_u64().and_then(|number| usize::try_from(number).ok());
        self.get(key).map(|value| number(value).ok_or((key, "is not an index"))).transpose()
    }

    /// Returns a number as single precision.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn number<'k>(&self, key: &'k str) -> Result<Option<f32>, KeyError<'k>> {
        #[expect(clippy::cast_possible_truncation, reason = "packages hold single precision")]
        let number = |value: &Json| value.as_f64().map(|number| number as f32);
        let finite = |value: &Json| number(value).filter(|number| number.is_finite());
        self.get(key).map(|value| finite(value).ok_or((key, "is not a number"))).transpose()
    }

    /// Returns whether something is wanted; `None` if the request does not say.
    ///
    /// # Errors
    /// If it is neither true nor false.
    pub(super) fn flag<'k>(&self, key: &'k str) -> Result<Option<bool>, KeyError<'k>> {
        self.get(key).map(|value| value.as_bool().ok_or((key, "is neither true nor false"))).transpose()
    }

    /// Returns a list of texts; a text is a list of one.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn texts<'k>(&self, key: &'k str) -> Result<Vec<String>, KeyError<'k>> {
        let error = (key, "is not a list of texts");
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(Json::String(text)) => Ok(vec![text.clone()]),
            Some(Json::Array(values)) => {
                values.iter().map(|value| value.as_str().map(str::to_owned).ok_or(error)).collect()
            }
            Some(_) => Err(error),
        }
    }
}
