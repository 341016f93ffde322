//! Everything that is certified in floats, against fractions on small graphs.

use muffliato_certificate::check_lower;
use muffliato_design::{
    Costs, Covering, Design, DesignError, LowerProof, LowerRefusal, NoisePlan, Options, Potential,
    Problem, Stop, Targets, design, large_plan, verify,
};
use muffliato_model::{CustomWeights, Fraction, Graph, Network, WeightScheme, families, threads};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use std::time::Instant;

fn rational(x: Fraction) -> BigRational {
    BigRational::new(x.numerator().into(), x.denominator().into())
}

fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

/// The inverse of a matrix by elimination; `None` if it is singular.
fn inverse(mut m: Vec<Vec<BigRational>>) -> Option<Vec<Vec<BigRational>>> {
    let n = m.len();
    for (i, row) in m.iter_mut().enumerate() {
        row.extend((0..n).map(|j| if i == j { BigRational::one() } else { BigRational::zero() }));
    }
    for k in 0..n {
        let pivot = (k..n).find(|&i| !m[i][k].is_zero())?;
        m.swap(k, pivot);
        let scale = m[k][k].clone();
        m[k].iter_mut().for_each(|x| *x /= &scale);
        for i in (0..n).filter(|&i| i != k) {
            let factor = m[i][k].clone();
            for j in 0..2 * n {
                let product = &factor * &m[k][j];
                m[i][j] -= product;
            }
        }
    }
    Some(m.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// The exact masked bound of all nodes outside `removed`.
fn losses(plan: &NoisePlan, removed: &[usize]) -> Vec<(usize, BigRational)> {
    let kept: Vec<usize> = (0..plan.nodes.len()).filter(|v| !removed.contains(v)).collect();
    let at = |v: usize| kept.iter().position(|&w| w == v);
    let mut m = vec![vec![BigRational::zero(); kept.len()]; kept.len()];
    for (i, &v) in kept.iter().enumerate() {
        m[i][i] += rational(plan.nodes[v]);
    }
    for &((a, b), k) in &plan.masks {
        if let (Some(a), Some(b)) = (at(a), at(b)) {
            m[a][a] += rational(k);
            m[b][b] += rational(k);
            m[a][b] -= rational(k);
            m[b][a] -= rational(k);
        }
    }
    let inverse = inverse(m).expect("every node has some noise");
    kept.iter().enumerate().map(|(i, &v)| (v, inverse[i][i].clone())).collect()
}

fn all_graphs(nodes: usize) -> impl Iterator<Item = Graph> {
    let pairs: Vec<_> = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
    (0..1_u32 << pairs.len()).map(move |chosen| {
        let edges = pairs.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
        Graph::try_new(nodes, edges.map(|(_, &edge)| edge)).unwrap()
    })
}

fn found(problem: &Problem, gap: f64) -> Design {
    design(problem, &Options { gap, deadline: None }, |_| {}).unwrap()
}

/// Every pair meets its target in fractions, and the file says the same.
fn check(problem: &Problem, found: &Design) {
    let nodes = problem.mask_graph().nodes();
    let sets = (0..1_u32 << nodes).filter(|set| set.count_ones() as usize == problem.coalition());
    for set in sets {
        let observers: Vec<usize> = (0..nodes).filter(|v| set >> v & 1 == 1).collect();
        for (u, loss) in losses(found.plan(), &observers) {
            if let Some(target) = problem.target(u, &observers) {
                assert!(loss <= target, "{u} to {observers:?}: {loss}");
            }
        }
    }
    let ends = found.ends();
    assert!(ends.lower <= ends.upper, "{ends:?}");
    assert_eq!(verify(&found.to_json(problem).unwrap()), Ok(ends));
}

#[test]
fn optimum_of_every_small_graph_is_enclosed() {
    let mut seen = 0;
    for nodes in 2..=5 {
        for graph in all_graphs(nodes) {
            let problem = Problem::new(Network::metropolis(graph.clone()).unwrap(), 4).unwrap();
            let found = found(&problem, 0.03);
            assert!(found.ends().gap() <= 0.03, "{graph:?}: {:?}", found.ends());
            let floor = Covering::of(&graph).total.to_f64().unwrap();
            assert!(found.multiples_of_trusted().lower >= floor * (1.0 - 1e-9), "{graph:?}");
            check(&problem, &found);
            seen += 1;
        }
    }
    assert_eq!(seen, 2 + 8 + 64 + 1024);
}

#[test]
fn covering_plan_is_optimal_on_every_small_graph() {
    for nodes in 2..=5 {
        for graph in all_graphs(nodes) {
            let covering = Covering::of(&graph);
            // From above: what is left of every component has enough noise.
            for v in 0..nodes {
                let away: Vec<bool> = (0..nodes).map(|w| w == v).collect();
                for component in graph.isolating(&away).unwrap().components() {
                    if component != [v] {
                        let noise: BigRational =
                            component.iter().map(|&w| &covering.variances[w]).sum();
                        assert!(noise >= BigRational::one(), "{graph:?} {v} {component:?}");
                    }
                }
            }
            let total: BigRational = covering.variances.iter().sum();
            assert_eq!(total, covering.total);
            // From below: masks that cost nothing.
            let edges: Vec<_> = graph.edges().collect();
            let costs = vec![BigRational::one(); nodes]
                .into_iter()
                .chain(vec![BigRational::zero(); edges.len()]);
            let proof = covering.proof(&BigRational::one()).unwrap();
            let lower = check_lower(
                nodes,
                &edges,
                &costs.collect::<Vec<_>>(),
                |_, _| Some(BigRational::one()),
                &proof,
            );
            assert_eq!(lower, Ok(total), "{graph:?}");
        }
    }
}

#[test]
fn leaf_blocks_of_known_graphs() {
    let blocks = |graph: Graph| Covering::of(&graph).leaf_blocks;
    assert_eq!(blocks(families::karate().unwrap()), 3);
    assert_eq!(blocks(families::florentine().unwrap()), 4);
    assert_eq!(blocks(families::star(10).unwrap()), 9);
    assert_eq!(blocks(families::path(100_000).unwrap()), 2);
    assert_eq!(Covering::of(&families::ring(50_000).unwrap()).total, ratio(50_000, 49_999));
}

#[test]
fn costs_enclose_the_exact_ones() {
    let custom = |graph: &Graph| {
        CustomWeights::try_new(
            graph,
            4,
            [(0, 0, 3), (0, 1, 1), (1, 0, 1), (1, 1, 2), (1, 2, 1), (2, 1, 1), (2, 2, 3)],
        )
    };
    let path = families::path(3).unwrap();
    let mut cases = vec![(path.clone(), WeightScheme::Custom(custom(&path).unwrap()))];
    for graph in [
        families::karate().unwrap(),
        families::star(5).unwrap(),
        Graph::try_new(4, [(0, 1)]).unwrap(),
    ] {
        for scheme in ["metropolis", "max-degree-inverse", "lazy:lazy:metropolis"] {
            cases.push((graph.clone(), scheme.parse().unwrap()));
        }
    }
    for (graph, scheme) in cases {
        let (n, steps) = (graph.nodes(), 5);
        let weights = exact_weights(&graph, &scheme);
        let mut power: Vec<Vec<BigRational>> =
            (0..n).map(|i| (0..n).map(|j| ratio(i64::from(i == j), 1)).collect()).collect();
        for _ in 0..steps {
            power = (0..n)
                .map(|i| {
                    let used: Vec<usize> = (0..n).filter(|&k| !weights[i][k].is_zero()).collect();
                    (0..n)
                        .map(|j| used.iter().map(|&k| &weights[i][k] * &power[k][j]).sum())
                        .collect()
                })
                .collect();
        }
        let costs =
            Costs::of(&Network::try_new(graph.clone(), scheme.clone()).unwrap(), steps, &graph)
                .unwrap();
        let square = |x: BigRational| &x * &x;
        let encloses = |(lower, upper): (f64, f64), exact: BigRational| {
            let float = |x| BigRational::from_float(x).unwrap();
            assert!(
                float(lower) <= exact && exact <= float(upper),
                "{scheme}: {lower} {exact} {upper}"
            );
            assert!(upper <= lower * (1.0 + 1e-10) + 1e-20);
        };
        for w in 0..n {
            encloses(costs.nodes[w], (0..n).map(|j| square(power[j][w].clone())).sum());
        }
        for ((a, b), &cost) in graph.edges().zip(&costs.masks) {
            encloses(cost, (0..n).map(|j| square(&power[j][a] - &power[j][b])).sum());
        }
    }
}

fn exact_weights(graph: &Graph, scheme: &WeightScheme) -> Vec<Vec<BigRational>> {
    let n = graph.nodes();
    let mut w = vec![vec![BigRational::zero(); n]; n];
    let larger = |a, b| graph.degree(a).max(graph.degree(b)) as i64;
    if let WeightScheme::Lazy(inner) = scheme {
        let mut lazy = exact_weights(graph, inner);
        (0..n).for_each(|v| lazy[v][v] += BigRational::one());
        lazy.iter_mut().flatten().for_each(|x| *x /= BigInt::from(2));
        return lazy;
    }
    let off_diagonal = |a, b| match scheme {
        WeightScheme::Metropolis => ratio(1, 1 + larger(a, b)),
        WeightScheme::MaxDegreeInverse => ratio(1, larger(a, b)),
        _ => ratio(1, 4),
    };
    for (a, b) in graph.edges() {
        w[a][b] = off_diagonal(a, b);
        w[b][a] = off_diagonal(a, b);
    }
    for v in 0..n {
        let others: BigRational = w[v].iter().sum();
        w[v][v] = BigRational::one() - others;
    }
    w
}

/// Bugs that a checker of lower ends might have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    None,
    TargetAdded,
    NoTarget,
    NoMasks,
    NoNodes,
    MasksOfSourceFree,
    TwiceTheMultipliers,
    SourceMayObserve,
}

/// A negative gain times a negative cost would be a lower end above 0.
#[test]
fn costs_that_are_none_prove_nothing() {
    let potential =
        Potential { source: 0, observers: vec![1], multiplier: 1, values: vec![(0, 1)] };
    let check = |costs: &[i64], target: i64| {
        let costs: Vec<_> = costs.iter().map(|&cost| ratio(cost, 1)).collect();
        let proof = LowerProof { unit: ratio(1, 1), potentials: vec![potential.clone()] };
        check_lower(2, &[(0, 1)], &costs, |_, _| Some(ratio(target, 1)), &proof)
    };
    assert_eq!(check(&[2, 1, 1], 1), Ok(ratio(2, 1)));
    assert_eq!(check(&[2, 1, 1], 5), Ok(ratio(0, 1)));
    for costs in [&[-1, 1, 1][..], &[2, -1, 1], &[2, 1], &[2, 1, 1, 1]] {
        assert_eq!(check(costs, 5), Err(LowerRefusal::Costs), "{costs:?}");
    }
    let source = Potential { source: 2, observers: vec![1], multiplier: 1, values: vec![] };
    let proof = LowerProof { unit: ratio(1, 1), potentials: vec![source] };
    let refused = check_lower(2, &[], &[], |_, _| Some(ratio(1, 1)), &proof);
    assert_eq!(refused, Err(LowerRefusal::Node { potential: 0, node: 2 }));
}

/// The rule of `check_lower` in floats, with a bug.
fn lower_with(bug: Bug, graph: &Graph, costs: &Costs, potentials: &[Potential]) -> f64 {
    let n = graph.nodes();
    let edges: Vec<_> = graph.edges().collect();
    let mut loads = vec![0.0; n + edges.len()];
    let mut gain = 0.0;
    for p in potentials {
        if p.observers.contains(&p.source) && bug != Bug::SourceMayObserve {
            return 0.0;
        }
        let mut y = vec![0.0; n];
        let values = p.values.iter();
        values.for_each(|&(w, value)| y[w] = value as f64 / 64.0);
        let lambda = p.multiplier as f64;
        if bug != Bug::NoNodes {
            (0..n).for_each(|w| loads[w] += lambda * y[w] * y[w]);
        }
        for (i, &(a, b)) in edges.iter().enumerate() {
            let mut free = p.observers.contains(&a) || p.observers.contains(&b);
            free |= bug == Bug::NoMasks;
            free |= bug == Bug::MasksOfSourceFree && (a == p.source || b == p.source);
            if !free {
                loads[n + i] += lambda * (y[a] - y[b]) * (y[a] - y[b]);
            }
        }
        let target = match bug {
            Bug::NoTarget => 0.0,
            Bug::TargetAdded => -1.0,
            _ => 1.0,
        };
        gain += lambda * (2.0 * y[p.source] - target);
    }
    let costs = costs.nodes.iter().chain(&costs.masks).map(|cost| cost.0);
    let loaded = loads.iter().zip(costs).filter(|(load, _)| **load > 0.0);
    let factor = loaded.map(|(load, cost)| cost / load).fold(f64::INFINITY, f64::min);
    factor * gain * if bug == Bug::TwiceTheMultipliers { 2.0 } else { 1.0 }
}

/// The rule never proves more than the certified upper end, whatever the potentials are, and every planted bug does.
#[test]
fn planted_bugs_in_the_lower_rule_are_caught() {
    let bugs = [
        Bug::TargetAdded,
        Bug::NoTarget,
        Bug::NoMasks,
        Bug::NoNodes,
        Bug::MasksOfSourceFree,
        Bug::TwiceTheMultipliers,
        Bug::SourceMayObserve,
    ];
    let mut caught = vec![];
    let mut random = 1_u64;
    let mut draw = |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let bow_tie = Graph::try_new(5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]);
    for graph in [families::path(4), families::ring(5), bow_tie].map(Result::unwrap) {
        let n = graph.nodes();
        let problem = Problem::new(Network::metropolis(graph.clone()).unwrap(), 3).unwrap();
        let costs = problem.costs().unwrap();
        let found = found(&problem, 0.002);
        let upper = found.ends().upper;
        let unit = found.proof().unit.to_f64().unwrap();
        for trial in 0..400 {
            let mut potentials: Vec<Potential> = if trial % 4 == 0 {
                let good = |p: &Potential| {
                    let value =
                        |&(w, y): &(usize, i64)| (w, (y as f64 * unit * 64.0).round() as i64);
                    let values = p.values.iter().map(value).collect();
                    Potential { values, ..p.clone() }
                };
                found.proof().potentials.iter().map(good).collect()
            } else {
                let any = |source: usize| {
                    let observer =
                        if trial % 8 == 6 { source } else { (source + 1 + draw(n - 1)) % n };
                    let value = |w: usize, random: usize| match trial % 4 {
                        1 => 64,
                        2 => 64 * i64::from(w == source),
                        _ => 32 * random as i64,
                    };
                    let mut values: Vec<_> = (0..n).map(|w| (w, value(w, draw(4)))).collect();
                    values.retain(|(w, _)| *w != observer || observer == source);
                    Potential { source, observers: vec![observer], multiplier: 1 << 30, values }
                };
                (0..n).map(any).collect()
            };
            if trial >= 8 {
                potentials
                    .iter_mut()
                    .for_each(|p| p.multiplier += (p.multiplier / 16) * draw(8) as u64);
            }
            for bug in bugs {
                let proved = lower_with(bug, &graph, &costs, &potentials);
                if proved > upper * 1.0001 && !caught.contains(&bug) {
                    caught.push(bug);
                }
            }
            let floats = lower_with(Bug::None, &graph, &costs, &potentials);
            let proof = LowerProof { unit: ratio(1, 64), potentials };
            match problem.check_lower(&costs, &proof) {
                Ok(proved) => {
                    assert!((proved - floats.max(0.0)).abs() <= 1e-9, "{proved} {floats}");
                    assert!(proved <= upper);
                }
                Err(refused) => {
                    assert!(matches!(refused, DesignError::Lower(_)) && trial % 8 == 6);
                }
            }
        }
    }
    assert_eq!(caught.len(), bugs.len(), "{caught:?}");
}

#[test]
fn wrong_proofs_and_plans_are_refused() {
    let problem =
        Problem::new(Network::metropolis(families::path(3).unwrap()).unwrap(), 3).unwrap();
    let costs = problem.costs().unwrap();
    let good = Potential { source: 0, observers: vec![1], multiplier: 1, values: vec![(0, 1)] };
    let refused = |unit: i64, potential: Potential| {
        let proof = LowerProof { unit: ratio(unit, 1), potentials: vec![potential] };
        problem.check_lower(&costs, &proof)
    };
    assert!(refused(1, good.clone()).unwrap() > 0.3);
    let lower = |refusal| Err(DesignError::Lower(refusal));
    assert_eq!(refused(0, good.clone()), lower(LowerRefusal::Unit));
    assert_eq!(refused(-1, good.clone()), lower(LowerRefusal::Unit));
    let values = vec![(0, 1), (1, 1)];
    assert_eq!(
        refused(1, Potential { values, ..good.clone() }),
        lower(LowerRefusal::AtObserver { potential: 0, node: 1 })
    );
    let values = vec![(0, 1), (0, 1)];
    assert_eq!(
        refused(1, Potential { values, ..good.clone() }),
        lower(LowerRefusal::Node { potential: 0, node: 0 })
    );
    let observers = vec![1, 2];
    assert_eq!(
        refused(1, Potential { observers, ..good.clone() }),
        lower(LowerRefusal::NoTarget { potential: 0 })
    );
    for source in [1, 3] {
        assert_eq!(
            refused(1, Potential { source, ..good.clone() }),
            lower(LowerRefusal::NoTarget { potential: 0 })
        );
    }
    assert_eq!(refused(1, Potential { multiplier: 0, ..good.clone() }), lower(LowerRefusal::Empty));
    assert_eq!(
        refused(1, Potential { observers: vec![7], ..good }),
        lower(LowerRefusal::Node { potential: 0, node: 7 })
    );

    let found = found(&problem, 0.01);
    let half = |x: Fraction| Fraction::try_new(x.numerator(), x.denominator() * 2).unwrap();
    let mut plan = found.plan().clone();
    plan.nodes[0] = half(plan.nodes[0]);
    assert!(matches!(
        problem.check_plan(&costs, &plan),
        Err(DesignError::Missed { source_node: 0, .. })
    ));
    plan.nodes.pop();
    assert_eq!(problem.check_plan(&costs, &plan), Err(DesignError::Shape));
    let silent = NoisePlan { nodes: vec![Fraction::ZERO; 3], ..found.plan().clone() };
    assert!(matches!(
        problem.check_plan(&costs, &silent),
        Err(DesignError::Missed { loss: f64::INFINITY, .. })
    ));
}

#[test]
fn a_gossip_matrix_survives_its_file() {
    let graph = families::path(3).unwrap();
    let entries = [(0, 0, 3), (0, 1, 1), (1, 0, 1), (1, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 2)];
    let weights = WeightScheme::Custom(CustomWeights::try_new(&graph, 4, entries).unwrap());
    let problem = Problem::new(Network::try_new(graph, weights).unwrap(), 5).unwrap();
    let found = found(&problem, 0.01);
    assert_eq!(verify(&found.to_json(&problem).unwrap()), Ok(found.ends()));
}

#[test]
fn a_short_plan_file_takes_little_memory() {
    let problem = Problem::new(Network::metropolis("path:3".parse().unwrap()).unwrap(), 2).unwrap();
    let json = found(&problem, 0.01).to_json(&problem).unwrap();
    let file: serde_json::Value = serde_json::from_str(&json).unwrap();
    // A million nodes in each of ten thousand networks, and in one alone.
    let mut networks = file.clone();
    let protocol = networks["protocol"].as_object_mut().unwrap();
    protocol.remove("network");
    let network = serde_json::json!({"edges": [], "weights": "metropolis"});
    protocol.extend([
        ("nodes".into(), 1_000_000.into()),
        ("gossip_steps".into(), 10_000.into()),
        ("each".into(), 1.into()),
        ("networks".into(), vec![network; 10_000].into()),
    ]);
    let mut nodes = file;
    nodes["protocol"]["nodes"] = 1_000_000.into();
    for (large, why) in [(networks, "on one network"), (nodes, "more nodes than letters")] {
        match verify(&large.to_string()) {
            Err(DesignError::File(refusal)) => assert!(refusal.contains(why), "{refusal}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn wrong_files_are_refused() {
    let problem =
        Problem::new(Network::metropolis(families::florentine().unwrap()).unwrap(), 30).unwrap();
    let found = found(&problem, 0.01);
    let json = found.to_json(&problem).unwrap();
    assert!(json.contains("Medici"));
    assert_eq!(verify(&json), Ok(found.ends()));
    for (from, to) in [
        ("\"design\":2", "\"design\":1"),
        ("\"design\":2", "\"design\":2,\"extra\":0"),
        ("\"metropolis\"", "\"unknown\""),
        ("\"gossip_steps\":30", "\"gossip_steps\":-1"),
        ("\"rounds\":1", "\"rounds\":2"),
        ("\"rounds\":1", "\"rounds\":1,\"acceleration\":\"5/4\""),
        ("\"coalition\":1", "\"coalition\":0"),
        ("{\"all\":\"1\"}", "{\"all\":\"0\"}"),
        ("{\"all\":\"1\"}", "{\"all\":\"1/2\"}"),
        ("{\"all\":\"1\"}", "{\"pairs\":[[0,0,\"1\"]]}"),
        ("\"nodes\":15", "\"nodes\":0"),
    ] {
        assert!(json.contains(from));
        assert!(verify(&json.replace(from, to)).is_err(), "{to}");
    }
    // Other weights or steps have other costs: the ends are computed, not read.
    let other = verify(&json.replace("\"gossip_steps\":30", "\"gossip_steps\":3")).unwrap();
    assert!(other.upper > found.ends().upper);
}

#[test]
fn targets_by_distance_and_by_pair_and_coalitions_are_met() {
    let network = |graph: Graph| Network::metropolis(graph).unwrap();
    let fraction = |text: &str| text.parse::<Fraction>().unwrap();
    let path = || Problem::new(network(families::path(5).unwrap()), 6).unwrap();
    let far = path()
        .with_targets(Targets::ByDistance(vec![None, Some(fraction("2")), Some(fraction("1/3"))]))
        .unwrap();
    assert_eq!(far.target(0, &[1]), None);
    assert_eq!(far.target(0, &[4]), Some(ratio(1, 3)));
    let pairs = path()
        .with_targets(Targets::Pairs(vec![(0, 1, fraction("1/2")), (2, 4, fraction("3"))]))
        .unwrap();
    let complete = Problem::new(network(families::ring(5).unwrap()), 6).unwrap();
    let pairs_collude = complete
        .with_mask_graph(families::complete(5).unwrap())
        .unwrap()
        .with_coalitions(2)
        .unwrap();
    for problem in [far, pairs, pairs_collude] {
        let found = found(&problem, 0.02);
        assert!(found.ends().gap() <= 0.02, "{:?}", found.ends());
        check(&problem, &found);
    }
}

#[test]
fn a_missing_node_takes_its_noise_along() {
    let problem =
        Problem::new(Network::metropolis(families::ring(4).unwrap()).unwrap(), 5).unwrap();
    let plan = found(&problem, 0.05).plan().clone();
    let worst = problem.worst_loss_if_one_is_missing(&plan).unwrap().unwrap().loss;
    let pairs = (0..4).flat_map(|v| (0..v).map(move |w| [v, w]));
    let exact = pairs.flat_map(|pair| losses(&plan, &pair)).map(|(_, loss)| loss).max().unwrap();
    let exact = exact.to_f64().unwrap();
    assert!(worst >= exact && worst <= exact * 1.000_001, "{worst} {exact}");

    // Neighbours may lose seven times as much.
    let seven = Fraction::try_new(7, 1).unwrap();
    let targets = Targets::ByDistance(vec![Some(seven), Some(Fraction::ONE)]);
    let problem = problem.with_targets(targets).unwrap();
    let plan = found(&problem, 0.05).plan().clone();
    let worst = problem.worst_loss_if_one_is_missing(&plan).unwrap().unwrap();
    let target = problem.target(worst.source, &worst.observers).unwrap().to_f64().unwrap();
    assert!((worst.loss / (worst.ratio * target) - 1.0).abs() < 1e-9, "{worst:?} {target}");
    let away = (0..4).filter(|w| *w != worst.source && !worst.observers.contains(w));
    let exact = away
        .flat_map(|w| losses(&plan, &[worst.observers[0], w]))
        .filter(|&(source, _)| source == worst.source)
        .map(|(_, loss)| loss.to_f64().unwrap());
    let exact = exact.fold(0.0, f64::max);
    assert!(worst.loss >= exact && worst.loss <= exact * 1.000_001, "{worst:?} {exact}");
}

#[test]
fn numbers_of_the_specification() {
    for (graph, steps, lowest, highest) in [
        (families::karate().unwrap(), 80, 3.22, 3.29),
        (families::florentine().unwrap(), 1000, 4.0 - 1e-9, 4.04),
        (families::grid(&[5, 5]).unwrap(), 1000, 25.0 / 24.0 - 1e-9, 1.053),
        (families::hypercube(4).unwrap(), 200, 16.0 / 15.0 - 1e-9, 1.078),
    ] {
        let problem = Problem::new(Network::metropolis(graph).unwrap(), steps).unwrap();
        let found = found(&problem, 0.01);
        let ends = found.multiples_of_trusted();
        assert!(lowest <= ends.lower && ends.upper <= highest && ends.gap() <= 0.01, "{ends:?}");
    }
}

#[test]
fn a_deadline_returns_certified_ends_and_threads_do_not_matter() {
    let problem =
        Problem::new(Network::metropolis(families::karate().unwrap()).unwrap(), 80).unwrap();
    let late = Options { gap: 0.01, deadline: Some(Instant::now()) };
    let early = design(&problem, &late, |_| {}).unwrap();
    assert!(early.ends().lower > 0.0 && early.ends().gap() > 0.01);
    assert_eq!(early.stop(), Stop::Deadline);
    assert_eq!(verify(&early.to_json(&problem).unwrap()), Ok(early.ends()));
    let with = |count: usize| threads::on(count, || found(&problem, 0.01)).unwrap();
    assert_eq!(with(1), with(3));
}

#[test]
fn coalitions_of_the_karate_club_converge() {
    for steps in [80, 120] {
        let karate = Network::metropolis(families::karate().unwrap()).unwrap();
        let problem = Problem::new(karate, steps).unwrap().with_coalitions(2).unwrap();
        let found = found(&problem, 0.01);
        let (ends, stop) = (found.ends(), found.stop());
        assert!(ends.gap() <= 0.01 && stop == Stop::Reached, "{steps}: {ends:?} {stop:?}");
    }
}

/// With exact losses in place of bounds for large graphs: the target is met, no node has less than the blocks need, and the estimate of the error is near the certified one.
#[test]
fn plans_for_large_graphs_meet_the_target() {
    for (graph, steps) in [
        (families::path(4).unwrap(), 30),
        (families::ring(5).unwrap(), 20),
        (families::star(5).unwrap(), 40),
    ] {
        let half = Targets::All("1/2".parse().unwrap());
        let problem = Problem::new(Network::metropolis(graph.clone()).unwrap(), steps).unwrap();
        let problem = problem.with_targets(half).unwrap();
        let worst = |plan: &NoisePlan| {
            let mut worst = vec![BigRational::zero(); graph.nodes()];
            for v in 0..graph.nodes() {
                for (u, loss) in losses(plan, &[v]) {
                    worst[u] = worst[u].clone().max(loss);
                }
            }
            worst
        };
        let found = large_plan(&problem, |plan, _| {
            let above = |loss: BigRational| loss.to_f64().unwrap().next_up();
            Ok::<_, DesignError>(Some(worst(plan).into_iter().map(above).collect()))
        });
        let found = found.unwrap().unwrap();
        assert!(found.finished && worst(&found.plan).iter().all(|loss| *loss <= ratio(1, 2)));
        let (floor, nodes) = (Covering::of(&graph).total.to_f64().unwrap(), graph.nodes() as f64);
        assert!(found.of_the_average >= floor, "{graph:?}: {found:?}");
        let costs = problem.costs().unwrap();
        let error = problem.error(&costs, &found.plan) / problem.trusted_error();
        // Five standard errors: a false alarm in less than one of 10^4 changes of the seed.
        let off = (found.estimate() - error).abs();
        assert!(off <= 5.0 * found.of_mixing.1 + 1e-6, "{graph:?}: {error} {found:?}");
        assert!(error < nodes, "{graph:?}: {error}");
        let late = large_plan(&problem, |_, _| Ok::<_, DesignError>(None));
        assert_eq!(late.unwrap(), None);
    }
    let karate = Network::metropolis(families::karate().unwrap()).unwrap();
    let pairs = Problem::new(karate, 3).unwrap().with_coalitions(2).unwrap();
    let refused = large_plan(&pairs, |_, _| Ok::<_, DesignError>(None));
    assert_eq!(refused, Err(DesignError::LargeTargets));
}

/// The exact losses towards an observer without secrets, in fractions: `a^T (A S A^T)^-1 a` over the messages.
fn losses_without_secrets(
    problem: &Problem,
    plan: &NoisePlan,
    observer: usize,
) -> Vec<BigRational> {
    let graph = problem.network().graph();
    let (n, steps) = (graph.nodes(), problem.steps());
    let weights = exact_weights(graph, problem.network().weights());
    let identity = (0..n).map(|i| (0..n).map(|j| ratio(i64::from(i == j), 1)).collect()).collect();
    let mut powers: Vec<Vec<Vec<BigRational>>> = vec![identity];
    for t in 1..steps {
        let last = &powers[t - 1];
        let entry = |i: usize, j: usize| (0..n).map(|k| &weights[i][k] * &last[k][j]).sum();
        powers.push((0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect());
    }
    // Each message over the draws that are hidden, those of time t after those of time t - 1.
    let draws: Vec<(usize, usize)> = (0..steps)
        .flat_map(|t| (0..n).map(move |w| (t, w)))
        .filter(|(_, w)| *w != observer)
        .collect();
    let message = |t: usize, w: usize| {
        let entry = |&(at, from): &(usize, usize)| match at <= t {
            true => powers[t - at][w][from].clone(),
            false => BigRational::zero(),
        };
        draws.iter().map(entry).collect::<Vec<_>>()
    };
    let messages: Vec<Vec<BigRational>> = (0..steps)
        .flat_map(|t| graph.neighbours(observer).map(move |w| (t, w)))
        .map(|(t, w)| message(t, w))
        .collect();
    let variance =
        |(t, w): (usize, usize)| rational(if t == 0 { plan.nodes[w] } else { plan.fresh[w] });
    let product = |a: &[BigRational], b: &[BigRational]| -> BigRational {
        let terms = a.iter().zip(b).zip(&draws);
        terms.map(|((a, b), &draw)| a * b * variance(draw)).sum()
    };
    let gram = messages.iter().map(|a| messages.iter().map(|b| product(a, b)).collect()).collect();
    let inverse = inverse(gram).expect("every message has fresh noise");
    let loss = |u: usize| {
        let Some(own) = draws.iter().position(|&draw| draw == (0, u)) else {
            return BigRational::zero();
        };
        let pairs = (0..messages.len()).flat_map(|i| (0..messages.len()).map(move |j| (i, j)));
        pairs.map(|(i, j)| &messages[i][own] * &inverse[i][j] * &messages[j][own]).sum()
    };
    (0..n).map(loss).collect()
}

/// Statistics prove no more than a plan costs, whatever they are, and a plan meets its targets in fractions.
#[test]
fn plans_without_secrets_are_enclosed() {
    let bow_tie = Graph::try_new(5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]);
    for (graph, far) in [
        (families::path(5), 2),
        (families::ring(5), 2),
        (families::star(5), 2),
        (families::path(4), 1),
        (bow_tie, 2),
    ] {
        let graph = graph.unwrap();
        let n = graph.nodes();
        let mut list = vec![None; far - 1];
        list.push(Some("1/2".parse().unwrap()));
        let problem = Problem::new(Network::metropolis(graph).unwrap(), 3).unwrap();
        let problem = problem.without_secrets().unwrap();
        let problem = problem.with_targets(Targets::ByDistance(list)).unwrap();
        let found = found(&problem, 0.01);
        let (ends, costs) = (found.ends(), problem.costs().unwrap());
        assert!(found.stop() == Stop::Reached && ends.gap() <= 0.01, "{ends:?}");
        assert_eq!(verify(&found.to_json(&problem).unwrap()), Ok(ends));
        let mut largest = 0.0_f64;
        for v in 0..n {
            let losses = losses_without_secrets(&problem, found.plan(), v);
            for (u, loss) in losses.into_iter().enumerate() {
                if let Some(target) = problem.target(u, &[v]) {
                    assert!(loss <= target, "{u} to {v}: {loss}");
                    largest = largest.max((loss / target).to_f64().unwrap());
                }
            }
        }
        assert!(largest > 0.99, "the bound is not tight: {largest}");

        let less = |x: Fraction| Fraction::try_new(x.numerator(), x.denominator() * 2).unwrap();
        let mut plan = found.plan().clone();
        plan.nodes.iter_mut().chain(&mut plan.fresh).for_each(|x| *x = less(*x));
        let missed = problem.check_plan(&costs, &plan);
        assert!(matches!(missed, Err(DesignError::Missed { .. })), "{missed:?}");

        for change in 0..60 {
            let mut proof = found.proof().clone();
            for (i, potential) in proof.potentials.iter_mut().enumerate() {
                for (at, (_, value)) in potential.values.iter_mut().enumerate() {
                    let random = (change * 31 + i * 7 + at * 13) % 17;
                    *value = match change % 3 {
                        0 => *value / 16 * random as i64,
                        1 if random == 0 => -*value,
                        _ => *value + (random as i64 - 8) * (1 << (change % 40)),
                    };
                }
                potential.multiplier = potential.multiplier / 8 * (1 + (change + i) as u64 % 8);
            }
            let proved = problem.check_lower(&costs, &proof).unwrap();
            assert!(proved <= ends.lower * 1.01, "{proved} {ends:?}");
        }
        let first = &found.proof().potentials[0];
        let at_observer = Potential { values: vec![(first.observers[0], 1)], ..first.clone() };
        let late = Potential { values: vec![(3 * n, 1)], ..first.clone() };
        for wrong in [at_observer, late] {
            let proof = LowerProof { potentials: vec![wrong], ..found.proof().clone() };
            let refused = problem.check_lower(&costs, &proof);
            assert!(matches!(refused, Err(DesignError::Lower(LowerRefusal::Node { .. }))));
        }
        let mut masked: serde_json::Value =
            serde_json::from_str(&found.to_json(&problem).unwrap()).unwrap();
        masked["protocol"]["plan"]["masks"] = serde_json::json!([[0, 1, "1"]]);
        assert!(matches!(verify(&masked.to_string()), Err(DesignError::File(_))));
    }
}
