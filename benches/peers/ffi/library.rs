//! Libraries that are opened while the program runs, and tables of their functions.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use libloading::Library;

use super::super::scene::Absent;

/// Opens the library of a pkg-config package, by one of the names it may have: where pkg-config says, or where the
/// system looks.
pub(super) fn packaged(package: &str, names: &[&str]) -> Result<Library, Absent> {
    let asked = Command::new("pkg-config").args(["--variable=libdir", package]).output();
    let folder = asked.ok().filter(|answer| answer.status.success()).map(|answer| answer.stdout);
    let folder = folder.and_then(|folder| String::from_utf8(folder).ok());
    let folder = folder.as_deref().map(str::trim).filter(|folder| !folder.is_empty());
    let there = names.iter().filter_map(|name| Some(Path::new(folder?).join(name).into_os_string()));
    let anywhere = names.iter().map(OsString::from);
    let found = there.chain(anywhere).find_map(|path| opened(&path).ok());
    found.ok_or_else(|| Absent(format!("no library of the package {package}")))
}

/// Opens the library that an environment variable names.
pub(super) fn named_by(variable: &str) -> Result<Library, Absent> {
    let path = std::env::var_os(variable).ok_or_else(|| Absent(format!("{variable} names no library")))?;
    opened(&path)
}

fn opened(path: &OsStr) -> Result<Library, Absent> {
    // SAFETY: the user asked for this library by name; what it runs when it is opened is the user's choice.
    let library = unsafe { Library::new(path) };
    library.map_err(|error| Absent(error.source().unwrap_or(&error).to_string()))
}

/// A table of functions of a library, each found by its name.
macro_rules! functions {
    ($(#[$about:meta])* $table:ident: $(fn $name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        $(#[$about])*
        #[allow(non_snake_case, reason = "the library's own names")]
        pub(super) struct $table {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// Kept open for the functions above.
            _library: libloading::Library,
        }

        impl $table {
            /// Finds all of them.
            ///
            /// # Safety
            /// The library's functions of these names must have these types.
            unsafe fn find(library: libloading::Library) -> Result<Self, Absent> {
                Ok(Self {
                    // SAFETY: the types are right, the caller says; the library stays open as long as the table.
                    $($name: *unsafe { library.get(stringify!($name)) }
                        .map_err(|_| Absent(concat!("the library has no ", stringify!($name)).to_owned()))?,)*
                    _library: library,
                })
            }
        }
    };
}
pub(super) use functions;
