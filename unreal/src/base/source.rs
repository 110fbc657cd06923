use std::io;
use std::sync::Arc;

/// Bytes that can be read at any place, from several threads at once.
pub trait Source: Send + Sync {
    /// Returns how many bytes there are.
    fn len(&self) -> u64;

    /// Returns whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether it gives the bytes of a compressed package as if it were not compressed.
    fn is_unpacked(&self) -> bool {
        false
    }

    /// Returns the compressed package of which it gives the decompressed bytes. Only there is the summary complete: its
    /// list of chunks takes bytes that have no offset in the decompressed package.
    fn compressed(&self) -> Option<&dyn Source> {
        None
    }

    /// Fills a slice with the bytes from a place on.
    ///
    /// # Errors
    /// `UnexpectedEof` if there are fewer, else whatever reading them gave.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;

    /// Returns all of the bytes, if they lie in memory: nobody needs to copy those.
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    /// Returns how many bytes from an offset on may be read ahead: beyond them another file would have to be opened, or
    /// another block decompressed.
    fn read_ahead(&self, _at: u64) -> u64 {
        u64::MAX
    }
}

/// Whatever points to a source is one.
macro_rules! through {
    ($($pointer:ty),*) => {
        $(impl<S: Source + ?Sized> Source for $pointer {
            fn len(&self) -> u64 {
                (**self).len()
            }

            fn is_unpacked(&self) -> bool {
                (**self).is_unpacked()
            }

            fn compressed(&self) -> Option<&dyn Source> {
                (**self).compressed()
            }

            fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
                (**self).read_at(at, into)
            }

            fn in_memory(&self) -> Option<&[u8]> {
                (**self).in_memory()
            }

            fn read_ahead(&self, at: u64) -> u64 {
                (**self).read_ahead(at)
            }
        })*
    };
}

through!(&S, Box<S>, Arc<S>);

/// A file that lies in memory: a `Vec<u8>`, a `&[u8]` or the like.
#[derive(Clone, Debug)]
pub struct Memory<B>(pub B);

impl<B> From<B> for Memory<B> {
    fn from(bytes: B) -> Self {
        Self(bytes)
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Source for Memory<B> {
    fn len(&self) -> u64 {
        u64::try_from(self.0.as_ref().len()).unwrap_or(u64::MAX)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let rest = self.0.as_ref().get(start..).unwrap_or_default();
        let bytes = rest.get(..into.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(bytes);
        Ok(())
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self.0.as_ref())
    }
}

#[cfg(any(unix, windows))]
pub use file::FileSource;

#[cfg(any(unix, windows))]
mod file {
    use std::fs::{self, File};
    use std::io;
    use std::path::Path;

    use super::Source;

    /// A regular file, read where it is asked for; its length is the one it had when it was opened.
    #[derive(Debug)]
    pub struct FileSource {
        file: File,
        length: u64,
    }

    impl FileSource {
        /// Opens the file of that name. What [`FileSource::new`] refuses is not opened: a pipe may have no writer.
        ///
        /// # Errors
        /// Whatever opening it gave, and what [`FileSource::new`] says.
        pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
            check_kind(&fs::metadata(&path)?)?;
            Self::new(File::open(path)?)
        }

        /// Returns a file that is open already.
        ///
        /// # Errors
        /// `IsADirectory` for a folder, `Unsupported` for what else has no length, such as a pipe.
        pub fn new(file: File) -> io::Result<Self> {
            let metadata = file.metadata()?;
            check_kind(&metadata)?;
            Ok(Self { length: metadata.len(), file })
        }
    }

    fn check_kind(metadata: &fs::Metadata) -> io::Result<()> {
        match metadata {
            metadata if metadata.is_file() => Ok(()),
            metadata if metadata.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder")),
            _ => Err(io::Error::new(io::ErrorKind::Unsupported, "it is a pipe or a device, not a file")),
        }
    }

    impl Source for FileSource {
        fn len(&self) -> u64 {
            self.length
        }

        #[cfg(unix)]
        fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
            std::os::unix::fs::FileExt::read_exact_at(&self.file, into, at)
        }

        #[cfg(windows)]
        fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
            use std::os::windows::fs::FileExt;

            let mut at = at;
            let mut rest = into;
            while !rest.is_empty() {
                let read = match self.file.seek_read(rest, at) {
                    Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                    Ok(read) => read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(error),
                };
                rest = rest.get_mut(read..).unwrap_or_default();
                at = at.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_memory_says_so_also_after_a_reference() {
        let memory = Memory(vec![1, 2, 3]);
        let source: &dyn Source = &&memory;
        assert_eq!(source.in_memory(), Some(&[1, 2, 3][..]));
    }

    #[test]
    fn memory_gives_bytes_up_to_its_last_and_no_further() {
        let memory = Memory([1, 2, 3]);
        let mut two = [0; 2];
        memory.read_at(1, &mut two).unwrap();
        assert_eq!(two, [2, 3]);
        assert_eq!(memory.read_at(2, &mut two).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(memory.read_at(u64::MAX, &mut two).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_file_gives_bytes_up_to_its_last_and_no_further() {
        let source = FileSource::open("src/base/source.rs").unwrap();
        let mut start = [0; 4];
        source.read_at(0, &mut start).unwrap();
        assert_eq!(&start, b"use ");
        let error = source.read_at(source.len() - 3, &mut start).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_folder_is_no_file() {
        assert_eq!(FileSource::open("src").unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_no_file() {
        assert_eq!(FileSource::open("/dev/zero").unwrap_err().kind(), io::ErrorKind::Unsupported);
    }
}
