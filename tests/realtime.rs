//! realtime
