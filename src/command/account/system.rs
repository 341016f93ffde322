//! `muffliato account --system`: the losses of any linear view.

use crate::command::atomic_file::save_text;
use crate::command::input::{NoiseArgs, text_file};
use crate::command::output::{OutputArgs, Report, write_csv, write_json};
use crate::command::{
    number,
    output::fields,
    table::{aligned, wrapped},
};
use anyhow::{Context, bail};
use muffliato::io::Matrix;
use muffliato::reference::BigRational;
use muffliato_account::{Account, Guarantee, Loss, rounded_up};
use muffliato_certificate::{LinearSystem, MAX_BYTES};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Largest number of entries of a Matrix Market file.
const MOST_ENTRIES: usize = 1 << 24;

/// The losses of the inputs of a system, each by itself or all together.
struct SystemReport<'a> {
    sets: Vec<(Vec<usize>, Loss, Guarantee, f64)>,
    noise: &'a NoiseArgs,
}

/// Reads a system from a JSON file, or A and B from two Matrix Market files joined by a comma.
fn read(files: &str) -> anyhow::Result<LinearSystem> {
    if let Some((a, b)) = files.split_once(',') {
        let (a, b) = (matrix_market(Path::new(a))?, matrix_market(Path::new(b))?);
        let one = BigRational::from_integer(1.into());
        let width = a.first().map_or(0, Vec::len);
        return Ok(LinearSystem::try_new(a, b, vec![one; width], &[])?);
    }
    LinearSystem::parse(text_file(Path::new(files), MAX_BYTES as u64)?.as_bytes()).with_context(
        || format!("{files}: give an object with A, B, std and known, or A.mtx,B.mtx"),
    )
}

/// Reads a matrix of numbers exactly as it is written.
fn matrix_market(path: &Path) -> anyhow::Result<Vec<Vec<BigRational>>> {
    let name = path.display();
    let Matrix { rows, columns, entries } = Matrix::read_file(path)?;
    if rows.saturating_mul(columns) > MOST_ENTRIES {
        bail!("{name}: more than {MOST_ENTRIES} entries; give a smaller matrix");
    }
    let zero = BigRational::from_integer(0.into());
    let mut matrix = vec![vec![zero; columns]; rows];
    for (row, column, text) in entries {
        let number = LinearSystem::number(&text);
        matrix[row][column] =
            number.with_context(|| format!("{name}: {text:?} is not a number; write a decimal"))?;
    }
    Ok(matrix)
}

/// Computes the losses of inputs, or of a group of inputs, and writes them.
pub fn run(
    files: &str,
    chosen: (Vec<usize>, bool),
    certificate: Option<&PathBuf>,
    at_least: bool,
    noise: &NoiseArgs,
    output: &OutputArgs,
) -> anyhow::Result<()> {
    let system = read(files)?;
    let account = Account::of_system(&system);
    let sets: Vec<Vec<usize>> = match chosen {
        (group, true) => vec![group],
        (inputs, false) if inputs.is_empty() => (0..system.size().2).map(|i| vec![i]).collect(),
        (inputs, false) => inputs.into_iter().map(|input| vec![input]).collect(),
    };
    if let Some(path) = certificate {
        let [inputs] = &sets[..] else {
            bail!("--certificate is about one claim; name one --source or a --group of inputs");
        };
        let claim = if at_least {
            account.attack_certificate(inputs)?
        } else {
            account.certificate(inputs)?
        };
        save_text(path, &claim.to_json()?)?;
    }
    let mut rows = Vec::new();
    for inputs in sets {
        let guarantee = account.guarantee(&inputs)?;
        let curve = guarantee.repeated(noise.runs).at(noise.sigma, noise.sensitivity)?;
        let epsilon = curve.epsilon(noise.delta)?;
        rows.push((inputs.clone(), account.loss(&inputs)?, guarantee, epsilon));
    }
    output.deliver(&SystemReport { sets: rows, noise })
}

fn names(inputs: &[usize]) -> String {
    inputs.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

impl Report for SystemReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let row = |(inputs, loss, _, epsilon): &(Vec<usize>, Loss, Guarantee, f64)| {
            let status = loss.status().as_str().to_string();
            vec![names(inputs), loss.rounded_up(), status, rounded_up(*epsilon)]
        };
        let rows: Vec<_> = self.sets.iter().map(row).collect();
        write!(out, "{}", aligned("input,loss,status,eps", &rows))?;
        let noise = self.noise;
        if let Some((_, _, guarantee, _)) = self.sets.first() {
            let runs = match noise.runs {
                1 => String::new(),
                runs => format!(" of {runs} runs together"),
            };
            let text = format!(
                "loss: in units of L = alpha Delta^2 / (2 sigma^2). eps{runs}: at delta = {:e} with sigma = {} and sensitivity {}. For the first row: {}.\n",
                noise.delta,
                noise.sigma,
                noise.sensitivity,
                guarantee.repeated(noise.runs)
            );
            write!(out, "\n{}", wrapped(&text))?;
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let noise = self.noise;
        let all = self.sets.iter().map(|(inputs, loss, guarantee, epsilon)| {
            json!({
                "inputs": inputs,
                "leakage": number::loss(loss),
                "guarantee": guarantee.repeated(noise.runs).conditions(),
                "epsilon": epsilon,
            })
        });
        let all: Vec<Value> = all.collect();
        let fields = fields! {
            "sigma": noise.sigma,
            "sensitivity": noise.sensitivity,
            "delta": noise.delta,
            "runs": noise.runs,
            "losses": all,
        };
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.sets.iter().map(|(inputs, loss, _, epsilon)| {
            let exact = loss.fraction().map(ToString::to_string).unwrap_or_default();
            let status = loss.status().as_str().to_string();
            [names(inputs), loss.upper().to_string(), exact, status, epsilon.to_string()]
        });
        write_csv(out, "inputs,loss_upper,loss_exact,status,epsilon", rows)
    }
}
