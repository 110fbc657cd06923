//! The decoder against a second one, over streams of other encoders and generated ones.

mod corpus;
mod generated;
mod mutate;
mod twin;
mod vectors;
mod writer;
