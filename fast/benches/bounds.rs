//! The kernels of the paper's bounds: all pairs, one observer, one source, refreshed closed forms, and how the cost
//! grows with the number of nodes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use muffliato_fast::bounds::{PaperBounds, RefreshedBounds};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::hint::black_box;

fn protocol(spec: &str, steps: usize) -> Protocol {
    let graph = spec.parse::<GraphSpec>().expect("a graph").build();
    let network = Network::try_new(graph.expect("a graph"), WeightScheme::Metropolis);
    Protocol::one_shot(network.expect("a network"), steps).expect("a protocol")
}

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kernels");
    group.sample_size(10);
    let observer = Observer::full(0);

    let cube = protocol("hypercube:11", 19);
    let bounds = PaperBounds::of(&cube).expect("bounds");
    group.bench_function("all pairs, hypercube:11, T=19", |bencher| {
        bencher.iter(|| black_box(bounds.all_pairs()));
    });
    let random = protocol("erdos-renyi:4096:c=2:seed=1", 18);
    let bounds = PaperBounds::of(&random).expect("bounds");
    group.bench_function("all pairs, erdos-renyi:4096:c=2, T=18", |bencher| {
        bencher.iter(|| black_box(bounds.all_pairs()));
    });
    group.bench_function("one observer, erdos-renyi:4096:c=2, T=18", |bencher| {
        bencher.iter(|| black_box(bounds.pairwise_all(&observer)));
    });
    let varying = vec![random.fixed_network().expect("fixed").clone(); 18];
    let varying = Protocol::time_varying(varying).expect("a protocol");
    let varying = PaperBounds::of(&varying).expect("bounds");
    group.bench_function("one observer, varying, n=4096, T=18", |bencher| {
        bencher.iter(|| black_box(varying.pairwise_all(&observer)));
    });
    let refreshed = random.refreshed("1/64".parse().expect("tau"));
    let refreshed = RefreshedBounds::of(&refreshed.expect("refreshed")).expect("bounds");
    group.bench_function("first passage, erdos-renyi:4096:c=2, T=18", |bencher| {
        bencher.iter(|| black_box(refreshed.first_passage_all(&observer)));
    });
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("growth");
    group.sample_size(10);
    for dimension in 8..=13 {
        let cube = protocol(&format!("hypercube:{dimension}"), 19);
        let bounds = PaperBounds::of(&cube).expect("bounds");
        let nodes = 1_u64 << dimension;
        group.throughput(Throughput::Elements(nodes * nodes));
        group.bench_function(BenchmarkId::new("all pairs", nodes), |bencher| {
            bencher.iter(|| black_box(bounds.all_pairs()));
        });
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(BenchmarkId::new("one observer", nodes), |bencher| {
            bencher.iter(|| black_box(bounds.pairwise_all(&Observer::full(0))));
        });
    }
    group.finish();
}

criterion_group!(benches, kernels, growth);
criterion_main!(benches);
