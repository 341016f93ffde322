//! Shell completions and manual pages.

use super::{Command, output::print, session::Session, table::wrapped_help};
use clap::{Args, CommandFactory, builder::Resettable};
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
    /// Prints the completion script.
    pub fn run(self, _: &Session) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Command::command(), "muffliato", &mut script);
        print(|out| Ok(out.write_all(&script)?))
    }
}

/// Escapes text for roff.
fn roff(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

impl Man {
    /// Prints the manual page, in roff.
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
        let name = match page.get_name() {
            "muffliato" => "muffliato".to_string(),
            name => format!("muffliato-{name}"),
        };
        let extra = page.get_after_long_help().or(page.get_after_help());
        let extra = extra.map(|text| wrapped_help(&text.to_string()));
        let version = format!("muffliato {}", env!("CARGO_PKG_VERSION"));
        let page = page.after_help(Resettable::Reset).after_long_help(Resettable::Reset);
        let man = clap_mangen::Man::new(page).title(name).source(version);
        print(|out| {
            man.render(out)?;
            // Tables and examples keep their lines.
            if let Some(extra) = extra {
                writeln!(out, ".SH NOTES\n.nf\n{}\n.fi", roff(&extra))?;
            }
            Ok(())
        })
    }
}
