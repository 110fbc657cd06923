use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use song::{Parameter, Scale, SoundDefaults, Voicing};

/// The shape of a sound as a file has it: parameters that are not as they always were, by their keys.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct StoredShape(BTreeMap<String, StoredValue>);

/// A value of a parameter.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum StoredValue {
    Number(f64),
    /// That of a choice.
    Name(String),
}

impl StoredShape {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn of(voicing: &Voicing, own: &SoundDefaults) -> Self {
        let changed = Parameter::ALL.into_iter().filter(|parameter| parameter.is_stored_by_key());
        let values = changed.filter_map(|parameter| {
            let value = parameter.get(voicing, own);
            if value == parameter.default_value(own) {
                return None;
            }
            let value = match parameter.scale() {
                Scale::Choice(_) => StoredValue::Name(parameter.text(value, own)),
                // Most are kept in single precision.
                _ => StoredValue::Number((value * 1e6).round() / 1e6),
            };
            Some((parameter.names().1.to_owned(), value))
        });
        Self(values.collect())
    }

    /// Sets what it says in a voicing; a value out of range is the nearest that there is.
    pub(super) fn apply(&self, voicing: &mut Voicing, own: &SoundDefaults) {
        for (key, value) in &self.0 {
            let Some(parameter) = Parameter::of_key(key) else { continue };
            let value = match value {
                StoredValue::Number(number) => Some(*number),
                StoredValue::Name(name) => parameter.named_value(name),
            };
            let filter = voicing.shape.filter.kind;
            if let Some(value) = value {
                parameter.set(voicing, own, value);
            }
            // The cutoff of a filter that is off says nothing of it.
            if parameter == Parameter::Cutoff {
                voicing.shape.filter.kind = filter;
            }
        }
    }

    /// Returns a key or a name that means nothing, in words.
    pub(super) fn problem(&self) -> Option<String> {
        self.0.iter().find_map(|(key, value)| {
            let parameter = Parameter::of_key(key).filter(|parameter| parameter.is_stored_by_key());
            match (parameter, value) {
                (None, _) => Some(format!("unknown parameter `{key}`")),
                (Some(parameter), StoredValue::Name(name)) if parameter.named_value(name).is_none() => {
                    Some(format!("unknown {key} `{name}`"))
                }
                _ => None,
            }
        })
    }
}
