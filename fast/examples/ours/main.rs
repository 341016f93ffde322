//! Our side of the comparison with the rivals (`fast/rivals/compare.sh`): runs one row and prints
//! its cost.
//!
//! `ours ROW FILE` writes the input of the rival (a graph as pairs of little-endian u32, or JSON),
//! repeats the work a few times and prints one line of JSON: the best wall-clock and processor
//! time, the peak memory, and some answers. `ours alone WORK` prints the cost of work without a
//! rival.

mod alone;
mod leakage;
mod measured;
mod paper_bounds;
mod runs;

use measured::Row;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let row: fn() -> Result<Row, Box<dyn Error>> = match arguments.first().map(String::as_str) {
        Some("alone") => {
            let name = arguments.get(1).ok_or("name the work")?;
            println!("{}", alone::measure(name)?);
            return Ok(());
        }
        Some("all_pairs_hypercube") => || paper_bounds::all_pairs("hypercube:11", 19),
        Some("all_pairs_erdos_renyi") => {
            || paper_bounds::all_pairs("erdos-renyi:4096:c=2:seed=1", 18)
        }
        Some("one_observer_million") => {
            || paper_bounds::one_observer("regular:1000000:d=8:seed=1", 20)
        }
        Some("gd_leakage") => || leakage::gradient_descent("hypercube:10", 10),
        Some("one_shot_leakage") => {
            || leakage::one_shot("erdos-renyi:4096:c=2:seed=1:connected", 17)
        }
        Some("reconstruction") => || leakage::reconstruction("414", "596", 10),
        Some("vector_losses") => || leakage::vectors("karate", 10),
        Some("masked_pairs") => || leakage::masked_pairs("regular:300:d=8:seed=1", "3"),
        Some("dropout_run") => runs::dropout,
        Some("logistic_descent") => runs::logistic_descent,
        other => return Err(format!("no row {other:?}").into()),
    };
    let file = arguments.get(1).ok_or("name the file for the rival")?;
    row()?.run(file)
}
