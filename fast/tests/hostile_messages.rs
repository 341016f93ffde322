//! A node under hostile messages: whatever comes, in whatever order, it accepts what the protocol
//! allows and refuses the rest without a change. It never panics, and holds at most two messages of
//! a neighbour at a time.
//!
//! A script is a sequence of network events, one per line: `message`, `advance`, or `receive FROM
//! STEP VALUE...`. Scripts are those of `tests/corpus/messages`, and random ones under a fixed
//! seed. `MUFFLIATO_HOSTILE_ROUNDS=100000 cargo test -p muffliato-fast --test hostile_messages`
//! tries more. A failing script is printed; add it to the corpus.

use muffliato_fast::FastError;
use muffliato_fast::node::{Node, NodeError, NodeProtocol, NodeWeights};
use muffliato_fast::noise::{DiscreteGaussian, Grid, NoiseSource, SeededNoise};
use rand::{Rng, SeedableRng, rngs::ChaCha12Rng};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

const NEIGHBOURS: [usize; 3] = [0, 2, 9];
const STEPS: usize = 4;
const WIDTH: usize = 2;

fn node<N: NoiseSource>(noise: N, tau: f64, acceleration: Option<f64>) -> Node<N> {
    let weights = NodeWeights::try_new(1, 0.25, NEIGHBOURS.map(|w| (w, 0.25))).unwrap();
    let protocol = NodeProtocol {
        steps: STEPS,
        sigma: 1.0,
        tau,
        acceleration,
    };
    Node::try_new(vec![0.5; WIDTH], weights, protocol, noise).unwrap()
}

#[derive(Clone, Debug, PartialEq)]
enum Act {
    Message,
    Advance,
    Receive(usize, usize, Vec<f64>),
}

impl Act {
    fn parse(line: &str) -> Self {
        let mut words = line.split_whitespace();
        match words.next().unwrap() {
            "message" => Self::Message,
            "advance" => Self::Advance,
            "receive" => {
                let mut number = || words.next().unwrap().parse().unwrap();
                let (from, step) = (number(), number());
                Self::Receive(
                    from,
                    step,
                    words.map(|word| word.parse().unwrap()).collect(),
                )
            }
            other => panic!("no act {other:?}"),
        }
    }

    fn line(&self) -> String {
        match self {
            Self::Message => "message".into(),
            Self::Advance => "advance".into(),
            Self::Receive(from, step, values) => {
                let values: String = values.iter().map(|value| format!(" {value:e}")).collect();
                format!("receive {from} {step}{values}")
            }
        }
    }
}

/// Returns whether the protocol allows a message, given the accepted ones of this step and the
/// next.
fn is_allowed(
    step: usize,
    taken: &BTreeSet<(usize, usize)>,
    (from, of_step, values): (usize, usize, &[f64]),
) -> bool {
    NEIGHBOURS.contains(&from)
        && (of_step == step || of_step == step + 1)
        && of_step < STEPS
        && values.len() == WIDTH
        && values.iter().all(|value| value.is_finite())
        && !taken.contains(&(from, of_step))
}

/// Plays a script; returns the numbers of accepted messages, refused messages and steps.
fn play<N: NoiseSource>(node: &mut Node<N>, script: &[Act]) -> [usize; 3] {
    let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut asked = false;
    let mut counts = [0; 3];
    for act in script {
        let step = node.step();
        match act {
            Act::Message => {
                asked |= step < STEPS;
                let sent = node.message();
                assert_eq!(sent.is_none(), step == STEPS);
                assert!(sent.is_none_or(|values| values.iter().all(|value| value.is_finite())));
            }
            Act::Receive(from, of_step, values) => {
                let allowed = is_allowed(step, &taken, (*from, *of_step, values));
                let result = node.receive(*from, *of_step, values);
                assert_eq!(
                    result.is_ok(),
                    allowed,
                    "{act:?} in step {step}: {result:?}"
                );
                counts[usize::from(!allowed)] += 1;
                if allowed {
                    taken.insert((*from, *of_step));
                    assert!(taken.len() <= 2 * NEIGHBOURS.len());
                }
            }
            Act::Advance => {
                let complete = NEIGHBOURS.iter().all(|&from| taken.contains(&(from, step)));
                match node.advance() {
                    Ok(advanced) => {
                        assert_eq!(advanced, asked && complete && step < STEPS);
                        if advanced {
                            counts[2] += 1;
                            asked = false;
                            taken.retain(|&(_, of_step)| of_step > step);
                        }
                    }
                    // Finite values can overflow when they are mixed, or leave the grid.
                    Err(NodeError::Engine(
                        FastError::NotFinite { .. } | FastError::OffGrid { .. },
                    )) => assert!(asked && complete),
                    Err(other) => panic!("{other}"),
                }
            }
        }
        let now = node.step();
        let missing: Vec<usize> = node.missing().collect();
        let expected = NEIGHBOURS
            .into_iter()
            .filter(|&from| !taken.contains(&(from, now)));
        let expected: Vec<usize> = expected.filter(|_| now < STEPS).collect();
        assert_eq!(missing, expected);
        assert_eq!(node.output().is_some(), now == STEPS);
        let output = node.output().unwrap_or_default();
        assert!(output.iter().all(|value| value.is_finite()));
    }
    counts
}

/// Plays a script to nodes of all kinds, and prints it if that fails.
fn play_all(script: &[Act]) -> [usize; 3] {
    let all = || {
        let grid = Grid::try_new(1.0 / 1024.0).unwrap();
        let counts = play(&mut node(SeededNoise::new(1), 0.0, None), script);
        play(&mut node(SeededNoise::new(1), 0.1, Some(1.9)), script);
        play(
            &mut node(DiscreteGaussian::seeded(grid, 1), 0.1, None),
            script,
        );
        counts
    };
    catch_unwind(AssertUnwindSafe(all)).unwrap_or_else(|panic| {
        let lines: Vec<String> = script.iter().map(Act::line).collect();
        println!("the script that failed:\n{}", lines.join("\n"));
        resume_unwind(panic)
    })
}

fn pick<T: Copy>(generator: &mut ChaCha12Rng, from: &[T]) -> T {
    from[(generator.next_u64() % from.len() as u64) as usize]
}

/// Generates mostly honest events, mixed with all others.
fn random_script(generator: &mut ChaCha12Rng) -> Vec<Act> {
    let values = [
        0.0,
        -0.0,
        1.0,
        -2.5,
        1e-300,
        5e-324,
        1e300,
        f64::MAX,
        f64::MIN,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let length = 1 + generator.next_u64() % 80;
    (0..length)
        .map(|k| match generator.next_u64() % 8 {
            0 => Act::Message,
            1 => Act::Advance,
            kind => {
                let hostile = kind == 2;
                let from = if hostile {
                    pick(generator, &[0, 1, 2, 3, 9, 10, usize::MAX])
                } else {
                    pick(generator, &NEIGHBOURS)
                };
                let about_now = k as usize / 16;
                let step = if hostile {
                    pick(generator, &[0, 3, 4, 5, usize::MAX, usize::MAX - 1])
                } else {
                    about_now + (generator.next_u64() % 2) as usize
                };
                let width = if hostile {
                    pick(generator, &[0, 1, 2, 3, 1000])
                } else {
                    WIDTH
                };
                let wild = generator.next_u64().is_multiple_of(16);
                let choice = if wild { &values[..] } else { &values[..4] };
                let values = (0..width).map(|_| pick(generator, choice)).collect();
                Act::Receive(from, step, values)
            }
        })
        .collect()
}

#[test]
fn random_scripts_are_accepted_or_refused() {
    let rounds = std::env::var("MUFFLIATO_HOSTILE_ROUNDS").ok();
    let rounds = rounds.and_then(|text| text.parse().ok()).unwrap_or(3000);
    let mut generator = ChaCha12Rng::seed_from_u64(8);
    let mut all = [0; 3];
    for _ in 0..rounds {
        let counts = play_all(&random_script(&mut generator));
        all.iter_mut()
            .zip(counts)
            .for_each(|(all, count)| *all += count);
    }
    println!(
        "{} messages taken, {} refused, {} steps",
        all[0], all[1], all[2]
    );
    assert!(all[0] > rounds && all[1] > rounds && all[2] > rounds / 10);
}

#[test]
fn the_corpus_is_accepted_or_refused() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/messages");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 6, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let script: Vec<Act> = text.lines().map(Act::parse).collect();
        println!("{}: {:?}", file.display(), play_all(&script));
    }
}

/// Refused messages leave no trace: the output is that of a node with honest messages only.
#[test]
fn an_attacked_node_ends_where_an_honest_run_ends() {
    let honest = |step: usize, from: usize| vec![step as f64, from as f64 / 2.0];
    let run = |attacked: bool| {
        let mut node = node(SeededNoise::new(4), 0.1, None);
        let mut generator = ChaCha12Rng::seed_from_u64(5);
        for step in 0..STEPS {
            node.message();
            for from in NEIGHBOURS {
                node.receive(from, step, &honest(step, from)).unwrap();
                for _ in 0..if attacked { 20 } else { 0 } {
                    let sender = pick(&mut generator, &[from, 1, 7, usize::MAX]);
                    let of_step = if sender == from { step } else { step + 1 };
                    let values = vec![1e9; pick(&mut generator, &[0, 2, 100_000])];
                    assert!(node.receive(sender, of_step, &values).is_err());
                }
            }
            assert!(node.advance().unwrap());
        }
        node.output().unwrap().to_vec()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn hostile_weights_are_refused() {
    let mut generator = ChaCha12Rng::seed_from_u64(9);
    let values = [
        0.0,
        0.5,
        0.25,
        1.0,
        -0.5,
        f64::NAN,
        f64::INFINITY,
        f64::MAX,
        5e-324,
        -0.0,
    ];
    let mut accepted = 0;
    for _ in 0..5000 {
        let count = generator.next_u64() % 4;
        let pairs: Vec<(usize, f64)> = (0..count)
            .map(|_| {
                (
                    pick(&mut generator, &[0, 1, 2, usize::MAX]),
                    pick(&mut generator, &values),
                )
            })
            .collect();
        let own = pick(&mut generator, &values);
        let Ok(weights) = NodeWeights::try_new(1, own, pairs.iter().copied()) else {
            continue;
        };
        accepted += 1;
        assert!(weights.neighbours().is_sorted_by(|a, b| a < b));
        assert!(!weights.neighbours().contains(&1));
        let sum = own + pairs.iter().map(|pair| pair.1).sum::<f64>();
        assert!((sum - 1.0).abs() <= 1e-9);
    }
    println!("{accepted} rows accepted");
    assert!(accepted > 10);
}
