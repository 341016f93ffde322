//! A row of the table: a graph, work on it, and its cost.

use muffliato_model::Graph;
use std::{error::Error, time::Instant};

/// Work that returns some answers, equal to the rival's.
pub type Work = Box<dyn Fn() -> Result<Vec<f64>, Box<dyn Error>>>;

/// Work to be compared.
pub struct Row {
    /// Written to a file for the rival.
    pub given: Vec<u8>,
    pub work: Work,
    pub repetitions: usize,
}

/// Returns the edges as pairs of little-endian u32.
pub fn edge_bytes(graph: &Graph) -> Vec<u8> {
    let ends = graph.edges().flat_map(|(u, v)| [u as u32, v as u32]);
    ends.flat_map(u32::to_le_bytes).collect()
}

/// Returns several graphs as lists of edges, in JSON.
pub fn edge_lists<'a>(graphs: impl Iterator<Item = &'a Graph>) -> String {
    let list = |graph: &Graph| {
        let edges: Vec<[usize; 2]> = graph.edges().map(|(u, v)| [u, v]).collect();
        format!("{edges:?}")
    };
    let lists: Vec<String> = graphs.map(list).collect();
    format!("[{}]", lists.join(", "))
}

impl Row {
    /// Writes the input of the rival to `file`, does the work, and prints the least time, the memory and the
    /// answers as a line of JSON.
    pub fn run(&self, file: &str) -> Result<(), Box<dyn Error>> {
        std::fs::write(file, &self.given)?;
        let (mut seconds, mut processor) = (f64::INFINITY, f64::INFINITY);
        let mut answers = Vec::new();
        for _ in 0..self.repetitions {
            let (start, used) = (Instant::now(), processor_seconds());
            answers = (self.work)()?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
            processor = processor.min(processor_seconds() - used);
        }
        let peak = peak_megabytes();
        println!(
            "{{\"seconds\": {seconds}, \"processor\": {processor}, \"peak_mb\": {peak}, \
             \"answers\": {answers:?}}}"
        );
        Ok(())
    }
}

/// Returns the largest resident size so far, from the kernel; 0 if unknown.
pub fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// Returns the processor time of all threads so far (user and system, in the kernel's ticks of 10
/// ms); 0 if unknown.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
