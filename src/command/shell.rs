//! Shell completions and manual pages.

use super::{Command, output::print, session::Session};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  muffliato completions bash > ~/.local/share/bash-completion/completions/muffliato"
)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Args)]
pub struct Man {
    /// Subcommand whose page is printed; by default the main page.
    subcommand: Option<String>,
}

impl Completions {
    /// Prints the script.
    pub fn run(self, _: &Session) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Command::command(), "muffliato", &mut script);
        print(|out| Ok(out.write_all(&script)?))
    }
}

impl Man {
    /// Prints the page.
    pub fn run(self, _: &Session) -> anyhow::Result<()> {
        let mut command = Command::command();
        command.build();
        let page = match self.subcommand {
            None => command,
            Some(name) => match command.find_subcommand(&name) {
                Some(found) => found.clone(),
                None => {
                    let all: Vec<_> = command.get_subcommands().map(|c| c.get_name()).collect();
                    anyhow::bail!(
                        "unknown subcommand {name:?}; the subcommands are {}",
                        all.join(", ")
                    )
                }
            },
        };
        print(|out| Ok(clap_mangen::Man::new(page).render(out)?))
    }
}
