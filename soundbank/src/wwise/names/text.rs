use super::Named;

/// Gives the rows of the table that Wwise writes for each bank: headings begin in the first column, rows in the second.
pub(super) fn read_table(text: &str, add: &mut dyn FnMut(Named, u32, &str)) {
    let mut named = None;
    let mut columns: Vec<&str> = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').map(str::trim).take(MAX_COLUMNS).collect();
        match cells.as_slice() {
            [heading, ..] if !heading.is_empty() => {
                named = Some(match *heading {
                    "Event" => Named::Event,
                    "In Memory Audio" | "Streamed Audio" => Named::Media,
                    _ => Named::Other,
                });
                columns.clone_from(&cells);
            }
            [_, row @ ..] => {
                let Some(named) = named else { continue };
                let Some(id) = row.first().and_then(|id| id.parse().ok()) else { continue };
                for (cell, column) in cells.iter().zip(&columns) {
                    let is_name = match *column {
                        "Name" => true,
                        "Audio source file" => named == Named::Media,
                        "Wwise Object Path" => named == Named::Event,
                        _ => false,
                    };
                    if is_name {
                        add(named, id, cell);
                    }
                }
            }
            [] => {}
        }
    }
}

/// Columns beyond these are not looked at.
const MAX_COLUMNS: usize = 16;

/// Gives the constants of `Wwise_IDs.h`: `static const AkUniqueID PLAY_A = 1342629461U;`. Their names are in upper
/// case, so a better one is preferred.
pub(super) fn read_header(text: &str, add: &mut dyn FnMut(Named, u32, &str)) {
    for line in text.split(['\n', ';', '{', '}']) {
        let Some((_, constant)) = line.split_once("AkUniqueID ") else { continue };
        let Some((name, value)) = constant.split_once('=') else { continue };
        if let Ok(id) = value.trim().trim_end_matches(['U', 'u', 'L', 'l']).parse() {
            add(Named::Other, id, name.trim());
        }
    }
}
