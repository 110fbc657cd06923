//! Containers that lie: each lie is met by the check that is for it. Without that check one of these tests fails.

mod pak;
mod toc;

use unreal::containers::{Container, IoStore};
use unreal::{Error, KeyRing, Limits, Memory, Source};

fn open_pak(bytes: Vec<u8>) -> Result<Container, Error> {
    Container::open_pak(Box::new(Memory(bytes)), &KeyRing::default(), &mut Limits::default())
}

fn open_toc(table: Vec<u8>, data: Vec<u8>) -> Result<Container, Error> {
    let data: Box<dyn Source> = Box::new(Memory(data));
    let store =
        IoStore::open(Box::new(Memory(table)), vec![Some(data)], &KeyRing::default(), &mut Limits::default());
    store.map(Container::IoStore)
}

/// Why the first entry of a container cannot be read, or the container not be opened.
fn fault(container: Result<Container, Error>) -> String {
    let read = |container: &Container| {
        let source = container.open(0)?;
        let mut bytes = vec![0; usize::try_from(source.len().min(1 << 20)).expect("a megabyte")];
        source.read_at(0, &mut bytes).map_err(Error::from)
    };
    match container.and_then(|container| read(&container)) {
        Ok(()) => "nothing".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn refused(container: Result<Container, Error>, reason: &str) {
    let fault = fault(container);
    assert!(fault.contains(reason), "{reason}: {fault}");
}
