//! Wwise: banks, packages of files, and the names that lie beside them.
