use super::Named;

/// Elements within each other that are looked at; what is deeper is passed over.
const DEEPEST: usize = 64;

/// Gives every element with an id and a name: `<Event Id Name ObjectPath>`, `<File Id>` with its `<ShortName>`, and the
/// like.
pub(super) fn read(text: &str, add: &mut dyn FnMut(Named, u32, &str)) {
    // Elements that are open, with their ids.
    let mut open: Vec<(&str, Option<u32>)> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        if let Some(("ShortName", _)) = open.last()
            && let Some((parent, Some(id))) = open.iter().rev().nth(1)
        {
            add(kind(parent), *id, &unescape(before.trim()));
        }
        rest = after;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some(end) = tag_end(rest) else { break };
        let (tag, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after.get(1..).unwrap_or_default();
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if tag.starts_with('/') {
            open.pop();
            continue;
        }
        let is_closed = tag.ends_with('/');
        let (name, attributes) =
            tag.split_once([' ', '\t', '\r', '\n']).unwrap_or((tag.trim_end_matches('/'), ""));
        let mut id = None;
        let mut names = [None, None];
        for (key, value) in Attributes(attributes) {
            match key {
                "Id" => id = value.parse().ok(),
                "Name" => names[0] = Some(value),
                "ObjectPath" if name == "Event" => names[1] = Some(value),
                _ => {}
            }
        }
        if let Some(id) = id {
            for name_of in names.into_iter().flatten() {
                add(kind(name), id, &unescape(name_of));
            }
        }
        if !is_closed {
            if open.len() >= DEEPEST {
                return;
            }
            open.push((name, id));
        }
    }
}

fn kind(element: &str) -> Named {
    match element {
        "Event" | "DialogueEvent" => Named::Event,
        "File" => Named::Media,
        _ => Named::Other,
    }
}

/// Returns where a tag ends: at the first `>` outside of quotes.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(of), _) if of == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// The attributes of a tag: `Id="1" Name="A"`.
struct Attributes<'t>(&'t str);

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, rest) = self.0.split_once('=')?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, rest) = rest.get(1..)?.split_once(quote)?;
        self.0 = rest;
        Some((key.trim(), value))
    }
}

/// Replaces the five entities that XML defines.
fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.into();
    }
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        .into_iter()
        .fold(text.to_owned(), |text, (entity, of)| text.replace(entity, of))
}
