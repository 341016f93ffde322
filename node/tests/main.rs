//! Nodes of a run, well-behaved and hostile.

mod agreement;
mod crash;
mod decoder;
mod hostile;
mod known_answers;
mod mailbox;
