//! The bulletin board: starts the processes, publishes ports and public keys, and reports.

use crate::{Failure, Plan, account, value_of};
use muffliato::fast::{SparseWeights, simulation::GossipState};
use muffliato::model::{Draw, Step};
use muffliato::prelude::*;
use muffliato_node::{NodeProtocol, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command};
use std::sync::mpsc::channel;
use std::time::Duration;

/// What each node ends with: its value, who dropped out at which step, and its own last step.
type Outputs = BTreeMap<usize, (f64, Vec<(usize, usize)>, usize)>;

/// The longest time without news after which the run is given up.
const PATIENCE: Duration = Duration::from_secs(120);

enum News {
    Joined(TcpStream, String),
    Said(String),
    /// A connection ended.
    Left(usize),
}

/// Starts all nodes and waits until those who are left are done.
pub fn run(
    plan: &Plan,
    arguments: &[String],
    kill: impl Iterator<Item = String>,
    lose: impl Iterator<Item = String>,
    certificate: Option<String>,
) -> Result<(), Failure> {
    let agreed = plan.agreed()?;
    let nodes = agreed.protocol().nodes();
    let parse = |text: String| -> Result<(usize, usize), Failure> {
        let (node, event) = text.split_once(':').ok_or("write NODE:EVENT, such as 5:9")?;
        Ok((node.parse()?, event.parse()?))
    };
    let kill: BTreeMap<usize, usize> = kill.map(parse).collect::<Result<_, _>>()?;
    let lose: BTreeMap<usize, usize> = lose.map(parse).collect::<Result<_, _>>()?;
    let folder = std::env::temp_dir().join(format!("muffliato-network-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let spawn = |node: usize, die: Option<usize>| -> Result<Child, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).args(["--node", &node.to_string(), "--board", &port.to_string()]);
        command.arg("--folder").arg(&folder);
        if let Some(event) = die {
            command.args(["--die", &event.to_string()]);
        }
        Ok(command.spawn()?)
    };
    let (sender, news) = channel();
    let acceptor = sender.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let sender = acceptor.clone();
            std::thread::spawn(move || {
                let Ok(writer) = stream.try_clone() else { return };
                let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
                let Some(first) = lines.next() else { return };
                let node = first.split(' ').nth(1).and_then(|node| node.parse().ok());
                let _ = sender.send(News::Joined(writer, first));
                lines.for_each(|line| drop(sender.send(News::Said(line))));
                node.map(|node| sender.send(News::Left(node)));
            });
        }
    });
    let mut children = BTreeMap::new();
    for node in (0..nodes).filter(|node| !plan.absent.contains(node)) {
        let die = kill.get(&node).or(lose.get(&node)).copied();
        children.insert(node, spawn(node, die)?);
    }
    let mut left: BTreeSet<usize> = children.keys().copied().collect();
    let mut boards: BTreeMap<usize, TcpStream> = BTreeMap::new();
    let mut directory: BTreeMap<usize, String> = BTreeMap::new();
    let mut outputs: Outputs = BTreeMap::new();
    while outputs.len() < left.len() {
        match news.recv_timeout(PATIENCE)? {
            News::Joined(stream, line) => {
                let rest = line.strip_prefix("join ").ok_or("a node joins first")?;
                let node = rest.split(' ').next().unwrap_or_default().parse()?;
                let restarted = directory.insert(node, format!("at {rest}")).is_some();
                boards.insert(node, stream);
                if restarted {
                    say(&mut boards, &[directory[&node].clone()]);
                    let mut all: Vec<String> = directory.values().cloned().collect();
                    all.push("go".into());
                    let gone = children.keys().filter(|node| !left.contains(node));
                    all.extend(gone.map(|node| format!("gone {node}")));
                    if let Some(board) = boards.get_mut(&node) {
                        tell(board, &all);
                    }
                } else if directory.len() == children.len() {
                    let mut all: Vec<String> = directory.values().cloned().collect();
                    all.push("go".into());
                    say(&mut boards, &all);
                }
            }
            News::Said(line) => {
                if let ["done", node, bits, steps, dropped] =
                    line.splitn(5, ' ').collect::<Vec<_>>()[..]
                {
                    let value = f64::from_bits(u64::from_str_radix(bits, 16)?);
                    let dropped = serde_json::from_str(dropped)?;
                    outputs.insert(node.parse()?, (value, dropped, steps.parse()?));
                }
            }
            News::Left(node) => {
                let status = children.get_mut(&node).map(|child| child.wait()).transpose()?;
                if lose.contains_key(&node) {
                    println!("Node {node} is gone ({}).", status.unwrap_or_default());
                    left.remove(&node);
                    boards.remove(&node);
                    say(&mut boards, &[format!("gone {node}")]);
                } else if status.is_some_and(|status| status.code() == Some(9)) {
                    println!("Node {node} crashed and is started again.");
                    children.insert(node, spawn(node, None)?);
                } else {
                    return Err(format!("node {node} failed").into());
                }
            }
        }
    }
    say(&mut boards, &["end".into()]);
    for (_, mut child) in children {
        child.wait()?;
    }
    std::fs::remove_dir_all(&folder)?;
    report(plan, &agreed, &outputs, certificate)
}

fn tell(board: &mut TcpStream, lines: &[String]) {
    // A node that does not hear crashed, and learns it when it comes back.
    let _ = board.write_all((lines.join("\n") + "\n").as_bytes());
}

fn say(boards: &mut BTreeMap<usize, TcpStream>, lines: &[String]) {
    boards.values_mut().for_each(|board| tell(board, lines));
}

fn report(
    plan: &Plan,
    agreed: &NodeProtocol,
    outputs: &Outputs,
    certificate: Option<String>,
) -> Result<(), Failure> {
    let records =
        outputs.iter().map(|(node, (_, dropped, steps))| (*node, dropped.clone(), *steps));
    let record = Record::merged(agreed, records)?;
    let took_place = record.protocol(&plan.protocol()?)?;
    let taking_part: Vec<usize> =
        (0..agreed.protocol().nodes()).filter(|node| !plan.absent.contains(node)).collect();
    let mean =
        taking_part.iter().map(|&node| value_of(node)).sum::<f64>() / taking_part.len() as f64;
    let error = |value: f64| (value - mean) * (value - mean) / 2.0;
    let found =
        outputs.values().map(|(value, ..)| error(*value)).sum::<f64>() / outputs.len() as f64;
    let values: Vec<f64> = outputs.values().map(|(value, ..)| *value).collect();
    println!("values: {}", serde_json::to_string(&values)?);
    println!("record: {}", serde_json::to_string(&record)?);
    println!("mean found: {}", values.iter().sum::<f64>() / values.len() as f64);
    println!("mean of the inputs: {mean}");
    println!("error (1/2n) sum (y - mean)^2: {found:e}");
    let present: Vec<usize> = outputs.keys().copied().collect();
    println!("predicted: {:e}", predicted(&took_place, agreed.terms().sigma, mean, &present)?);

    let terms = agreed.terms();
    let promise = account(terms, &took_place)?.summary()?.largest(1)?.promised()?;
    let epsilon = promise.at(terms.sigma, terms.sensitivity)?.epsilon(plan.delta)?;
    println!("guarantee: {promise}");
    println!("sigma: {}", agreed.terms().sigma);
    println!("epsilon: {epsilon} at delta {}, target {}", plan.delta, plan.epsilon);
    if let Some(path) = certificate {
        let (source, observer) = (taking_part[taking_part.len() - 1], taking_part[0]);
        let account = account(terms, &took_place)?;
        let account = account.settings().observers(Observers::Listed(vec![observer]));
        let account = account.sources(vec![source]).build()?;
        std::fs::write(&path, account.certificate()?.to_json()? + "\n")?;
        println!("certificate for {source} towards {observer}: {path}");
    }
    Ok(())
}

/// The expected error of those present: the inputs that have not mixed, noise and masks.
fn predicted(
    took_place: &Protocol,
    sigma: f64,
    mean: f64,
    present: &[usize],
) -> Result<f64, Failure> {
    let nodes = took_place.nodes();
    let unit = |k: usize| f64::from(u8::from(k.is_multiple_of(nodes + 1)));
    let mut state = GossipState::try_new((0..nodes * nodes).map(unit).collect(), nodes)?;
    for t in 0..took_place.steps() {
        if let Step::Network(network) = took_place.step(t) {
            state.mix(&SparseWeights::of_network(network)?)?;
        }
    }
    let variance = |draw| took_place.variance(draw).to_f64();
    let masks = took_place.mask_graph(0)?;
    let error = |&node: &usize| {
        let row = state.value(node);
        let value: f64 = row.iter().enumerate().map(|(w, weight)| weight * value_of(w)).sum();
        let own =
            |(w, weight): (usize, &f64)| variance(Draw::Own { time: 0, node: w }) * weight * weight;
        let noise: f64 = row.iter().enumerate().map(own).sum();
        let masked = masks.iter().flat_map(|graph| graph.edges());
        let shared = |(a, b): (usize, usize)| {
            variance(Draw::Mask { time: 0, edge: (a, b) }) * (row[a] - row[b]).powi(2)
        };
        let masked: f64 = masked.map(shared).sum();
        (value - mean).powi(2) + sigma * sigma * (noise + masked)
    };
    Ok(present.iter().map(error).sum::<f64>() / (2.0 * present.len() as f64))
}
