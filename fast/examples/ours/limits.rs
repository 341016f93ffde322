//! What the machine can do: how fast memory is read and written in order, and how many additions and multiplications it does in
//! registers, with as many threads as the work has.

use rayon::prelude::*;
use std::{hint::black_box, time::Instant};

const ENTRIES: usize = 1 << 24;

/// One line of JSON: bytes a second, operations a second.
pub fn measure() -> String {
    let source = vec![1.0_f64; ENTRIES];
    let mut target = vec![0.0_f64; ENTRIES];
    let mut copy = f64::INFINITY;
    for _ in 0..8 {
        let start = Instant::now();
        let chunks = target
            .par_chunks_mut(1 << 16)
            .zip(source.par_chunks(1 << 16));
        chunks.for_each(|(target, source)| target.copy_from_slice(source));
        black_box(&mut target);
        copy = copy.min(start.elapsed().as_secs_f64());
    }
    // Reading the source, and reading and writing the target's lines.
    let bandwidth = 3.0 * 8.0 * ENTRIES as f64 / copy;

    let threads = rayon::current_num_threads();
    let rounds = 20_000_000_u32;
    let mut arithmetic = f64::INFINITY;
    for _ in 0..4 {
        let start = Instant::now();
        (0..threads).into_par_iter().for_each(|_| {
            pulp::Arch::new().dispatch(
                #[inline(always)]
                || {
                    let (factor, mut sums) = (black_box(0.999), [1.0_f64; 48]);
                    for _ in 0..rounds {
                        for sum in &mut sums {
                            *sum = *sum * factor + 1.0;
                        }
                    }
                    black_box(sums);
                },
            );
        });
        arithmetic = arithmetic.min(start.elapsed().as_secs_f64());
    }
    let peak = 96.0 * f64::from(rounds) * threads as f64 / arithmetic;
    format!("{{\"bandwidth\": {bandwidth:e}, \"peak\": {peak:e}, \"threads\": {threads}}}")
}
