#![allow(missing_docs)]
use muffliato_fast::bounds::PaperBounds;
use muffliato_model::*;
use std::time::Instant;
fn main() {
    let what = std::env::args().nth(1).unwrap();
    let steps: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let one = std::env::args().nth(3).is_some();
    let graph = what.parse::<GraphSpec>().unwrap().build().unwrap();
    let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
    let p = Protocol::one_shot(network, steps).unwrap();
    for _ in 0..4 {
        let t = Instant::now();
        let b = PaperBounds::of(&p).unwrap();
        let t1 = t.elapsed();
        if one {
            let f = b.pairwise_all(&Observer::full(0), &()).unwrap();
            println!("{:?} {:?} {:?} w {:e}", t1, t.elapsed(), f[5], f.iter().map(|f| f.relative_width()).fold(0.0, f64::max));
        } else {
            let f = b.all_pairs(&()).unwrap();
            let e = t.elapsed();
            println!("{:?} {:?} {:?} w {:e}", t1, e, f.get(3, 5), f.get(3, 5).unwrap().relative_width());
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    println!("{}", status.lines().find(|l| l.starts_with("VmHWM")).unwrap());
}
