//! player-cli
