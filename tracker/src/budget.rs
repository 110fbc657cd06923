/// Bytes of memory that reading one module may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleBudget {
    /// For tables, cells and instruments.
    pub structures: u64,
    /// For decoded frames.
    pub decoded: u64,
}

impl Default for ModuleBudget {
    /// Allows 64 MiB of structures and 4 GiB of decoded frames.
    fn default() -> Self {
        Self { structures: 64 << 20, decoded: 4 << 30 }
    }
}
