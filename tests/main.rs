//! The command, the library as others use it, and the pages of the project.

mod as_dependency;
#[cfg(feature = "cli")]
mod bad_input;
#[cfg(feature = "cli")]
mod certificates;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod conform;
#[cfg(all(feature = "cli", unix))]
mod devtools;
mod facade;
#[cfg(feature = "cli")]
mod graph_files;
#[cfg(feature = "cli")]
mod guarantees;
#[cfg(feature = "cli")]
mod json;
#[cfg(all(feature = "cli", unix))]
mod network;
#[cfg(all(feature = "cli", unix))]
mod newcomer;
#[cfg(feature = "cli")]
mod plan;
#[cfg(all(feature = "cli", unix))]
mod report;
#[cfg(feature = "cli")]
mod running;
mod supply_chain;
#[cfg(feature = "cli")]
mod system;
mod workspace;
