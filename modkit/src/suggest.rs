//! What was probably meant by a name that nothing has.

/// Returns the paths that are most like a name, the most similar first: those that contain it, in whole or in their
/// last part, then those that differ from it by a third of its letters at most, in whole, in their last part, or in a
/// word of that. Words end at `_`, `-`, `.`, a space, and before a capital letter. Case does not matter.
#[must_use]
pub(crate) fn suggestions(paths: impl Iterator<Item = String>, name: &str) -> Vec<String> {
    let whole = name.trim_matches('/').to_lowercase();
    let last = last_part(&whole);
    if last.is_empty() {
        return Vec::new();
    }
    let ranked = paths.filter_map(|path| Some((rank(&path, &whole, last)?, path)));
    let mut ranked: Vec<(Rank, String)> = ranked.collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().map(|(_, path)| path).collect()
}

/// What is less comes first: whether the name is not contained, and by how much it differs.
type Rank = (bool, usize);

fn rank(path: &str, whole: &str, last: &str) -> Option<Rank> {
    let lower = path.to_lowercase();
    let of_path = last_part(path);
    let contains = lower.contains(whole) || last_part(&lower).contains(last);
    let most = (last.chars().count() / 3).max(1);
    let stem = of_path.split_once('.').map_or(of_path, |(stem, _)| stem);
    let parts = words(of_path).chain([of_path, stem]).map(|part| distance(part, last));
    let near = parts.chain([distance(&lower, whole)]).min().unwrap_or(usize::MAX);
    (contains || near <= most).then_some((!contains, near))
}

fn distance(text: &str, lower: &str) -> usize {
    strsim::damerau_levenshtein(&text.to_lowercase(), lower)
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns the words of a name.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['_', '-', '.', ' ']).flat_map(|word| {
        let letters = || word.char_indices().zip(word.chars().skip(1));
        // `WindLoop`, but not within `UI`.
        let ends = letters().filter(|((_, one), next)| one.is_lowercase() && next.is_uppercase());
        let ends: Vec<usize> = ends.map(|((at, one), _)| at + one.len_utf8()).chain([word.len()]).collect();
        let starts = [0].into_iter().chain(ends.clone());
        starts.zip(ends).map(|(start, end)| word.get(start..end).unwrap_or_default()).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 5] =
        ["/Game/Audio/A_WindLoop", "/Game/Audio/SW_Steps", "/Game/Ui/SW_Click", "Weapons.FireBig", "UIClick"];

    fn suggested(name: &str) -> Vec<String> {
        suggestions(PATHS.into_iter().map(str::to_owned), name)
    }

    #[test]
    fn what_contains_a_name_comes_before_what_is_written_nearly_so() {
        assert_eq!(suggested("click"), ["/Game/Ui/SW_Click", "UIClick"]);
        assert_eq!(suggested("Sounds/Steps"), ["/Game/Audio/SW_Steps"]);
        assert_eq!(suggested("clikc"), ["/Game/Ui/SW_Click"]);
        assert_eq!(suggested("/Game/Audoi/SW_Steps"), ["/Game/Audio/SW_Steps"]);
    }

    #[test]
    fn a_word_of_a_name_in_capitals_may_be_misspelt() {
        assert_eq!(suggested("Widn"), ["/Game/Audio/A_WindLoop"]);
        assert_eq!(suggested("Fier"), ["Weapons.FireBig"]);
        assert_eq!(words("A_WindLoop2 Ünder").collect::<Vec<_>>(), ["A", "Wind", "Loop2", "Ünder"]);
        assert!(suggested("Thunder").is_empty() && suggested("").is_empty() && suggested("/").is_empty());
    }
}
