//! `muffliato account --system`: the losses of any linear view.

use crate::command::input::{NoiseArgs, bounded};
use crate::command::output::{OutputArgs, Report, write_csv, write_json};
use crate::command::{
    output::fields,
    table::{aligned, wrapped},
};
use anyhow::{Context, bail};
use muffliato::reference::BigRational;
use muffliato_account::{Account, Guarantee, Loss, rounded_up};
use muffliato_certificate::{LinearSystem, MAX_BYTES};
use serde_json::{Value, json};
use std::fs::File;
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
    LinearSystem::parse(&bytes(Path::new(files))?).with_context(|| {
        format!("{files}: give an object with A, B, std and known, or A.mtx,B.mtx")
    })
}

fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
    bounded(file, MAX_BYTES as u64, &name)
}

/// Reads a general matrix of numbers, sparse (coordinate) or dense (array), exactly as it is written.
fn matrix_market(path: &Path) -> anyhow::Result<Vec<Vec<BigRational>>> {
    let name = path.display();
    let text =
        String::from_utf8(bytes(path)?).with_context(|| format!("{name}: not a text file"))?;
    let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let (_, head) = lines.next().unwrap_or((1, ""));
    let sparse = match head.to_lowercase().split_whitespace().collect::<Vec<_>>()[..] {
        [
            "%%matrixmarket",
            "matrix",
            kind @ ("coordinate" | "array"),
            "real" | "integer" | "double",
            "general",
        ] => kind == "coordinate",
        _ => bail!(
            "{name}: the first line must be %%MatrixMarket matrix coordinate|array real general"
        ),
    };
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('%'));
    let (number, sizes) = lines.next().with_context(|| format!("{name}: it has no sizes"))?;
    let sizes: Vec<usize> = sizes
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{name}, line {number}: sizes are whole numbers"))?;
    let (rows, columns, expected) = match sizes[..] {
        [rows, columns, entries] if sparse => (rows, columns, entries),
        [rows, columns] if !sparse => (rows, columns, rows.saturating_mul(columns)),
        _ => bail!(
            "{name}, line {number}: a matrix has two sizes, and the number of its entries if it is sparse"
        ),
    };
    if rows.saturating_mul(columns) > MOST_ENTRIES {
        bail!("{name}: more than {MOST_ENTRIES} entries");
    }
    let zero = BigRational::from_integer(0.into());
    let mut matrix = vec![vec![zero; columns]; rows];
    let mut seen = std::collections::HashSet::new();
    let mut count = 0;
    for (number, line) in lines {
        let at = || format!("{name}, line {number}");
        let words: Vec<&str> = line.split_whitespace().collect();
        let (row, column, text) = match words[..] {
            [row, column, entry] if sparse => {
                let place = |word: &str, most: usize| {
                    let place: Option<usize> = word.parse().ok();
                    place.filter(|place| (1..=most).contains(place)).map(|place| place - 1)
                };
                let (row, column) = (place(row, rows), place(column, columns));
                let place = row.zip(column).filter(|place| seen.insert(*place));
                let (row, column) = place.with_context(|| {
                    format!("{}: there is no such place, or it is given twice", at())
                })?;
                (row, column, entry)
            }
            [entry] if !sparse && count < expected => {
                (count % rows.max(1), count / rows.max(1), entry)
            }
            _ => bail!("{}: not an entry", at()),
        };
        let entry = LinearSystem::number(text);
        matrix[row][column] =
            entry.with_context(|| format!("{}: {text:?} is not a number", at()))?;
        count += 1;
    }
    if count != expected {
        bail!("{name}: {count} entries in place of {expected}");
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
        std::fs::write(path, claim.to_json()? + "\n")
            .with_context(|| format!("--certificate {}", path.display()))?;
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
        let one = |(inputs, loss, guarantee, epsilon): &(Vec<usize>, Loss, Guarantee, f64)| json!({ "inputs": inputs, "loss": loss, "guarantee": guarantee, "epsilon": epsilon });
        let all: Vec<Value> = self.sets.iter().map(one).collect();
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
