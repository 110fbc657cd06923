use std::path::PathBuf;

use clap::Args;

use super::examples;

/// `usampler page`
#[derive(Debug, Args)]
#[command(after_long_help = examples::PAGE)]
pub struct PageArgs {
    /// The page
    #[arg(short, long, value_name = "FILE", default_value = "usampler.html")]
    pub output: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
    /// A package, module or file of audio that the page opens by itself
    pub file: Option<PathBuf>,
}
