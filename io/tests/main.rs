//! Graph files of all formats.

mod graph_files;
mod hostile_input;
mod mutation;
mod texts;
