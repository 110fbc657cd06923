use crate::UniqueNames;

/// Bytes of a name, the zero at its end included.
pub(super) const NAME: usize = 20;

/// Returns a text with a zero at its end, of an even number of bytes.
pub(super) fn text(text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = ascii(text).bytes().take(254).collect();
    bytes.push(0);
    if bytes.len() % 2 == 1 {
        bytes.push(0);
    }
    bytes
}

fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '_' }).collect()
}

/// Returns a name that no other of its table has, with `end` at its end. The last part of a long path says more than
/// the first.
pub(super) fn unique(names: &mut UniqueNames, path: &str, end: &str) -> [u8; NAME] {
    let path = ascii(path);
    let short = if path.len() + end.len() < NAME { &path } else { path.rsplit('.').next().unwrap_or(&path) };
    let name = names.unique_with(|number| {
        let room = (NAME - 1).saturating_sub(number.len() + end.len());
        format!("{}{number}{end}", &short[..short.len().min(room)])
    });
    let mut bytes = [0; NAME];
    bytes.iter_mut().zip(name.bytes()).for_each(|(byte, of_name)| *byte = of_name);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(names: &mut UniqueNames, path: &str, end: &str) -> String {
        let bytes = unique(names, path, end);
        assert_eq!(bytes[NAME - 1], 0);
        String::from_utf8(bytes.to_vec()).unwrap().trim_end_matches('\0').to_owned()
    }

    #[test]
    fn long_names_are_cut_and_none_is_given_twice() {
        let mut names = UniqueNames::exact();
        assert_eq!(name(&mut names, "Drums.Kick", "L"), "Drums.KickL");
        assert_eq!(name(&mut names, "Weapons.Instigator.ReloadingAndFiring", ""), "ReloadingAndFiring");
        assert_eq!(name(&mut names, "Weapons.Instigator.ReloadingAndFiring", ""), "ReloadingAndFirin~2");
        assert_eq!(name(&mut names, "é", ""), "_");
    }

    #[test]
    fn texts_end_with_a_zero_and_are_even() {
        assert_eq!(text("ab"), b"ab\0\0");
        assert_eq!(text("abc"), b"abc\0");
    }
}
