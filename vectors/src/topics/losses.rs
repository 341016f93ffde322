//! Topics about losses: who loses how much to whom.

use crate::exact::{
    Result, Seen, absorption_bound, between, fraction, is_less, number, potentials, whole,
};
use crate::form::{Answer, Case, Inputs, Question, Verdict, ViewForm, observer};
use muffliato_model::{
    Fraction, Graph, MasksRecord, NetworkRecord, NoisePlan, Protocol, ProtocolRecord, WeightsRecord,
};
use muffliato_reference::{Process, masked_bound, rational};
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::VecDeque;

/// Fractions that are longer are left out.
const LONGEST: usize = 240;

/// Small graphs of every shape.
const GRAPHS: [&str; 11] = [
    "path:3",
    "path:5",
    "ring:4",
    "ring:5",
    "star:5",
    "complete:4",
    "hypercube:3",
    "grid:2x3",
    "petersen",
    "tree:2:2",
    "wheel:6",
];

/// The cases of a topic, as they are gathered.
pub(super) struct Cases {
    pub topic: &'static str,
    pub cases: Vec<Case>,
}

/// A protocol with a name, and its run.
struct Run {
    name: String,
    form: ProtocolRecord,
    process: Process,
}

pub(super) fn graph(name: &str) -> Result<Graph> {
    match name {
        // Graphs that no family of the command has.
        "tree:2:2" => Ok(Graph::try_new(7, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)])?),
        "wheel:6" => {
            let rim = (1..6).map(|v| (v, v % 5 + 1));
            Ok(Graph::try_new(6, rim.chain((1..6).map(|v| (0, v))))?)
        }
        "petersen" => {
            let outer = (0..5).map(|v| (v, (v + 1) % 5));
            let inner = (0..5).map(|v| (5 + v, 5 + (v + 2) % 5));
            Ok(Graph::try_new(10, outer.chain(inner).chain((0..5).map(|v| (v, v + 5))))?)
        }
        "five" => Ok(Graph::try_new(5, [(2, 3), (0, 4), (1, 4), (2, 4)])?),
        name => Ok(name.parse()?),
    }
}

pub(super) fn network(name: &str, scheme: &str) -> Result<(usize, NetworkRecord)> {
    let graph = graph(name)?;
    Ok((graph.nodes(), NetworkRecord::new(&graph, scheme)))
}

/// The form of rounds of gossip on a named graph with Metropolis weights.
pub(super) fn rounds(name: &str, rounds: usize, steps: usize) -> Result<ProtocolRecord> {
    let (nodes, network) = network(name, "metropolis")?;
    Ok(ProtocolRecord::on_network(nodes, network, rounds, steps))
}

/// For the first and the last node as observer, the first source at every distance.
fn pairs(graph: &Graph) -> Vec<(usize, usize)> {
    let last = graph.nodes() - 1;
    let mut pairs = Vec::new();
    for observer in [0, last] {
        let mut distance = vec![usize::MAX; graph.nodes()];
        distance[observer] = 0;
        let mut queue = VecDeque::from([observer]);
        while let Some(v) = queue.pop_front() {
            for w in graph.neighbours(v) {
                if distance[w] == usize::MAX {
                    distance[w] = distance[v] + 1;
                    queue.push_back(w);
                }
            }
        }
        for d in 1..graph.nodes() {
            pairs.extend(distance.iter().position(|&at| at == d).map(|u| (u, observer)));
        }
    }
    pairs
}

impl Run {
    fn of(name: String, form: ProtocolRecord) -> Result<Self> {
        let process = Process::run(&form.build()?)?;
        Ok(Self { name, form, process })
    }

    /// Rounds on a named graph with plain, fresh or masked noise.
    fn noisy(name: &str, noise: &str, count: usize, steps: usize) -> Result<Self> {
        let mut form = rounds(name, count, steps)?;
        match noise {
            "tau" => form.refresh = Some("1/4".parse()?),
            "masked" => form.masks = masks("2")?,
            _ => {}
        }
        Self::of(format!("{name}/{noise}/{count}x{steps}"), form)
    }

    /// The masked bound by the mask graph with the observers' edges; `None` without masks.
    fn on_whole_graph(&self, sources: &[usize]) -> Result<Option<BigRational>> {
        let Some(masks) = &self.form.masks else {
            return Ok(None);
        };
        let (edges, kappa) = (self.mask_edges()?, rational(masks.kappa));
        let whole_graph = potentials(self.form.nodes, &edges, &kappa, sources, &[])?;
        let energy: BigRational = sources.iter().map(|&u| &whole_graph[u]).sum();
        Ok(Some(energy * whole(self.form.rounds)))
    }

    fn with(&self, change: impl FnOnce(&mut ProtocolRecord)) -> Result<Self> {
        let mut form = self.form.clone();
        change(&mut form);
        Self::of(String::new(), form)
    }

    /// The same run with draws of variance 1 in place of those of a plan; `None` without a plan.
    fn uniform(&self) -> Result<Option<Self>> {
        let Some(plan) = &self.form.plan else {
            return Ok(None);
        };
        let edges = plan.masks.iter().map(|&(edge, _)| edge).collect::<Vec<_>>();
        let one = Fraction::ONE;
        let uniform = self.with(|form| {
            form.plan = None;
            form.refresh = (!plan.fresh.is_empty()).then_some(one);
            form.masks =
                (!edges.is_empty()).then_some(MasksRecord { kappa: one, edges: Some(edges) });
        });
        uniform.map(Some)
    }

    fn protocol(&self) -> &Protocol {
        self.process.protocol()
    }

    fn loss(&self, view: ViewForm, observers: &[usize], sources: &[usize]) -> Result<BigRational> {
        let seen = Seen::of(&self.process, &observer(view, observers)?)?;
        Ok(seen.loss(sources, Inputs::Scalars)?.0)
    }

    /// The edges that share masks in the first round.
    fn mask_edges(&self) -> Result<Vec<(usize, usize)>> {
        let graph = self.protocol().mask_graph(0)?.ok_or("the protocol has no masks")?;
        Ok(graph.edges().collect())
    }
}

fn listed(nodes: &[usize]) -> String {
    let names: Vec<_> = nodes.iter().map(usize::to_string).collect();
    names.join(",")
}

impl Cases {
    pub fn new(topic: &'static str) -> Self {
        Self { topic, cases: Vec::new() }
    }

    pub fn add(&mut self, name: String, flags: Vec<&str>, question: Question, answer: Answer) {
        let of_systems = match &question {
            Question::Loss { view, .. } => *view == ViewForm::Sum,
            Question::Certificate { text } => {
                text.contains("\"system\":") || text.contains("\"view\":\"sum\"")
            }
            _ => false,
        };
        self.cases.push(Case {
            id: format!("{}/{name}", self.topic),
            flags: flags.into_iter().map(String::from).collect(),
            clause: of_systems.then(|| "section 18".into()),
            question,
            answer,
        });
    }

    /// Adds the loss of the sources, flagged with every common error that would answer less.
    fn loss(
        &mut self,
        run: &Run,
        view: ViewForm,
        observers: &[usize],
        sources: &[usize],
        inputs: Inputs,
    ) -> Result<()> {
        let seen = Seen::of(&run.process, &observer(view, observers)?)?;
        let (lower, upper) = seen.loss(sources, inputs)?;
        if lower == upper && lower.to_string().len() > LONGEST {
            return Ok(());
        }
        let mut flags = Vec::new();
        let mut flag = |name, rival: BigRational| {
            if is_less(&rival, &lower) {
                flags.push(name);
            }
        };
        flag("correlated-messages", seen.marginal_sum(sources)?);
        if view == ViewForm::Full && observers.len() == 1 {
            flag("known-own-noise", run.loss(ViewForm::Paper, observers, sources)?);
        }
        if sources.len() > 1 {
            let alone = sources.iter().map(|&u| run.loss(view, observers, &[u]));
            flag("group-adds-up", alone.sum::<Result<BigRational>>()?);
        }
        if observers.len() > 1 {
            let alone = observers.iter().map(|&v| run.loss(view, &[v], sources));
            flag("colluders-add-up", alone.sum::<Result<BigRational>>()?);
        }
        if run.form.every.is_some() {
            flag("first-phase-only", seen.loss_in_first_phase(sources)?);
            flag("phases-of-a-group", seen.loss_in_one_phase(sources)?);
        }
        if run.form.acceleration.is_some() && run.form.rounds > 1 {
            let plain = run.with(|form| form.acceleration = None)?;
            flag("acceleration-in-training", plain.loss(view, observers, sources)?);
        }
        if run.form.reaction.is_some() {
            let still = run.with(|form| form.reaction = None)?;
            flag("reacting-gradients", still.loss(view, observers, sources)?);
        }
        if inputs == Inputs::Vectors {
            flag("signs-for-vectors", seen.loss(sources, Inputs::Scalars)?.0);
        }
        if let Some(uniform) = run.uniform()? {
            flag("uniform-sizes", uniform.loss(view, observers, sources)?);
        }
        if let Some(energy) = run.on_whole_graph(sources)? {
            flag("whole-graph-laplacian", energy);
            let edges = run.mask_edges()?;
            let shares = |&&(a, b): &&(usize, usize)| sources.contains(&a) || sources.contains(&b);
            let observed =
                |&(a, b): &(usize, usize)| observers.contains(&a) || observers.contains(&b);
            if edges.iter().filter(shares).all(observed) {
                flags.push("leaf-neighbour");
            }
        }
        if seen.is_nearly_singular() {
            flags.push("nearly-singular");
        }
        let paper = match view {
            ViewForm::Full => "",
            ViewForm::Paper => "/paper",
            ViewForm::Sum => "/sum",
        };
        let vectors = if inputs == Inputs::Vectors { "/vectors" } else { "" };
        let name =
            format!("{}/{}->{}{paper}{vectors}", run.name, listed(sources), listed(observers));
        let question = Question::Loss {
            protocol: run.form.clone(),
            view,
            observers: observers.to_vec(),
            sources: sources.to_vec(),
            inputs,
        };
        self.add(name, flags, question, between(&lower, &upper));
        Ok(())
    }

    /// Adds the loss of single sources towards single observers.
    fn losses(&mut self, run: &Run, pairs: &[(usize, usize)]) -> Result<()> {
        for &(u, v) in pairs {
            self.loss(run, ViewForm::Full, &[v], &[u], Inputs::Scalars)?;
        }
        Ok(())
    }

    fn masked_bound(&mut self, run: &Run, observers: &[usize], sources: &[usize]) -> Result<()> {
        let bound = masked_bound(run.protocol(), sources, &observer(ViewForm::Full, observers)?)?;
        let mut flags = Vec::new();
        if run.on_whole_graph(sources)?.is_some_and(|energy| is_less(&energy, &bound)) {
            flags.push("whole-graph-laplacian");
        }
        if let Some(uniform) = run.uniform()? {
            let observer = observer(ViewForm::Full, observers)?;
            if is_less(&masked_bound(uniform.protocol(), sources, &observer)?, &bound) {
                flags.push("uniform-sizes");
            }
        }
        let question = Question::MaskedBound {
            protocol: run.form.clone(),
            observers: observers.to_vec(),
            sources: sources.to_vec(),
        };
        let name = format!("bound/{}/{}->{}", run.name, listed(sources), listed(observers));
        self.add(name, flags, question, number(&bound));
        Ok(())
    }
}

/// A path of four nodes with weights of its own.
pub(super) fn uneven() -> NetworkRecord {
    NetworkRecord {
        edges: vec![(0, 1), (1, 2), (2, 3)],
        weights: WeightsRecord::Custom {
            denominator: 10,
            entries: vec![
                (0, 0, 7),
                (0, 1, 3),
                (1, 0, 3),
                (1, 1, 2),
                (1, 2, 5),
                (2, 1, 5),
                (2, 2, 4),
                (2, 3, 1),
                (3, 2, 1),
                (3, 3, 9),
            ],
        },
    }
}

pub(super) fn one_shot() -> Result<Cases> {
    let mut cases = Cases::new("one-shot");
    for name in GRAPHS {
        for steps in [2, 4] {
            let run = Run::of(format!("{name}/T{steps}"), rounds(name, 1, steps)?)?;
            cases.losses(&run, &pairs(&graph(name)?))?;
        }
    }
    for scheme in ["max-degree-inverse", "lazy:metropolis", "lazy:max-degree-inverse"] {
        for name in ["path:3", "ring:5", "star:5", "hypercube:3"] {
            let (nodes, network) = network(name, scheme)?;
            let form = ProtocolRecord::on_network(nodes, network, 1, 3);
            let run = Run::of(format!("{name}/{scheme}/T3"), form)?;
            cases.losses(&run, &pairs(&graph(name)?))?;
        }
    }
    let run = Run::of("path:4/custom/T4".into(), ProtocolRecord::on_network(4, uneven(), 1, 4))?;
    cases.losses(&run, &pairs(&graph("path:4")?))?;
    for name in ["path:4", "hypercube:3"] {
        let mut form = rounds(name, 1, 4)?;
        form.acceleration = Some("5/4".parse()?);
        let run = Run::of(format!("{name}/g5:4/T4"), form)?;
        cases.losses(&run, &pairs(&graph(name)?))?;
    }
    let networks = ["path:5", "ring:5", "star:5", "path:5"];
    let networks = networks.map(|name| Ok(network(name, "metropolis")?.1));
    let varying = ProtocolRecord {
        nodes: 5,
        rounds: 1,
        gossip_steps: 4,
        networks: Some(networks.into_iter().collect::<Result<_>>()?),
        each: Some(1),
        ..ProtocolRecord::default()
    };
    let run = Run::of("path-ring-star-path:5".into(), varying)?;
    cases.losses(&run, &[(1, 0), (2, 0), (3, 0), (0, 4), (1, 4), (2, 4)])?;
    let averages = [(0, 1), (1, 2), (2, 3), (0, 1), (1, 2), (2, 3), (0, 3), (1, 2)];
    for steps in [2, 4, 6, 8] {
        let mut form = rounds("ring:4", 1, steps)?;
        form.averages = Some(averages[..steps].to_vec());
        let run = Run::of(format!("ring:4/averages/T{steps}"), form)?;
        cases.losses(&run, &[(0, 2), (1, 3), (1, 2), (3, 0)])?;
    }
    for steps in [2, 3] {
        let run = Run::of(format!("karate/T{steps}"), rounds("karate", 1, steps)?)?;
        cases.losses(&run, &[(33, 3), (16, 3), (26, 12), (11, 0), (0, 16)])?;
    }
    for (name, steps) in [
        ("path:6", 6),
        ("path:8", 8),
        ("ring:9", 6),
        ("tree:2:2", 8),
        ("grid:2x3", 7),
        ("path:16", 16),
        ("ring:16", 9),
    ] {
        let run = Run::of(format!("{name}/T{steps}"), rounds(name, 1, steps)?)?;
        cases.losses(&run, &pairs(&graph(name)?))?;
    }
    Ok(cases)
}

pub(super) fn refreshed() -> Result<Cases> {
    let mut cases = Cases::new("refreshed");
    for name in ["path:3", "path:5", "ring:5", "star:5", "hypercube:3", "grid:2x3"] {
        for (tau, steps) in [("1/10", 3), ("1/2", 2), ("1", 3), ("1/100", 4)] {
            let mut form = rounds(name, 1, steps)?;
            form.refresh = Some(tau.parse()?);
            let run = Run::of(format!("{name}/tau{tau}/T{steps}"), form)?;
            cases.losses(&run, &pairs(&graph(name)?))?;
        }
    }
    for g in ["5/4", "3/2"] {
        let mut form = rounds("path:4", 1, 4)?;
        form.refresh = Some("1/5".parse()?);
        form.acceleration = Some(g.parse()?);
        let run = Run::of(format!("path:4/tau1/5/g{g}/T4"), form)?;
        cases.losses(&run, &pairs(&graph("path:4")?))?;
    }
    Ok(cases)
}

pub(super) fn masks(kappa: &str) -> Result<Option<MasksRecord>> {
    Ok(Some(MasksRecord { kappa: kappa.parse()?, edges: None }))
}

pub(super) fn masked() -> Result<Cases> {
    let mut cases = Cases::new("masked");
    for name in
        ["path:3", "path:5", "ring:4", "star:5", "complete:4", "hypercube:3", "grid:2x3", "wheel:6"]
    {
        for (kappa, steps) in [("1", 3), ("3", 2), ("1/2", 4)] {
            let mut form = rounds(name, 1, steps)?;
            form.masks = masks(kappa)?;
            let run = Run::of(format!("{name}/kappa{kappa}/T{steps}"), form)?;
            cases.losses(&run, &pairs(&graph(name)?))?;
            for (u, v) in pairs(&graph(name)?).into_iter().filter(|&(_, v)| v == 0) {
                cases.masked_bound(&run, &[v], &[u])?;
            }
        }
    }
    for (rounds_of, steps) in [(2, 1), (2, 2)] {
        let mut form = rounds("ring:5", rounds_of, steps)?;
        form.masks = masks("2")?;
        let run = Run::of(format!("ring:5/gd{rounds_of}x{steps}/kappa2"), form)?;
        cases.losses(&run, &[(1, 0), (2, 0)])?;
        cases.masked_bound(&run, &[0], &[2])?;
        cases.masked_bound(&run, &[0, 3], &[1, 2])?;
    }
    // Who shares a key need not be who gossips.
    let mut form = rounds("path:5", 1, 4)?;
    form.masks = Some(MasksRecord {
        kappa: "2".parse()?,
        edges: Some(vec![(0, 2), (2, 4), (1, 3), (0, 4)]),
    });
    let run = Run::of("path:5/keys/T4".into(), form)?;
    cases.losses(&run, &[(1, 0), (2, 0), (4, 0), (0, 2), (3, 2)])?;
    cases.masked_bound(&run, &[2], &[0])?;
    cases.masked_bound(&run, &[2, 4], &[0])?;
    Ok(cases)
}

/// Variances by node, by mask and of fresh noise, from their textual forms.
pub(super) fn plan(
    nodes: &[&str],
    masks: &[(usize, usize, &str)],
    fresh: &[&str],
) -> Result<Option<NoisePlan>> {
    let fractions = |texts: &[&str]| {
        texts.iter().map(|text| text.parse()).collect::<std::result::Result<Vec<Fraction>, _>>()
    };
    let masks = masks.iter().map(|&(a, b, text)| Ok(((a, b), text.parse()?)));
    Ok(Some(NoisePlan {
        nodes: fractions(nodes)?,
        masks: masks.collect::<Result<_>>()?,
        fresh: fractions(fresh)?,
    }))
}

pub(super) fn plans() -> Result<Cases> {
    let mut cases = Cases::new("plans");
    // A leaf needs noise of its own; the nodes of the ring hide each other.
    let mut form = rounds("path:4", 1, 3)?;
    form.plan = plan(&["1/4", "2", "1/9", "1"], &[], &[])?;
    let run = Run::of("path:4/T3".into(), form)?;
    cases.losses(&run, &[(0, 1), (0, 3), (2, 0)])?;
    let mut form = rounds("ring:5", 1, 3)?;
    let ring = [(0, 1, "4"), (0, 4, "1/2"), (1, 2, "9"), (2, 3, "1"), (3, 4, "0")];
    form.plan = plan(&["1/4", "0", "2", "1/9", "1"], &ring, &[])?;
    let run = Run::of("ring:5/masks/T3".into(), form.clone())?;
    cases.losses(&run, &[(1, 0), (2, 0), (3, 0)])?;
    cases.masked_bound(&run, &[0], &[1])?;
    cases.masked_bound(&run, &[0], &[1, 2])?;
    cases.masked_bound(&run, &[0, 3], &[1])?;
    form.acceleration = Some("5/4".parse()?);
    let run = Run::of("ring:5/masks/T3/g5:4".into(), form.clone())?;
    cases.losses(&run, &[(1, 0)])?;
    (form.acceleration, form.rounds, form.gossip_steps) = (None, 2, 1);
    let run = Run::of("ring:5/masks/gd2x1".into(), form)?;
    cases.losses(&run, &[(2, 0)])?;
    cases.masked_bound(&run, &[0], &[2])?;
    // Keys that are shared beyond neighbours, and fresh noise that some nodes do not add.
    let mut form = rounds("star:5", 1, 3)?;
    let keys = [(1, 2, "3"), (2, 3, "1/3"), (3, 4, "25"), (1, 4, "2")];
    form.plan = plan(&["1", "1/2", "0", "0", "3"], &keys, &["1/100", "0", "1/4", "0", "1"])?;
    let run = Run::of("star:5/keys/fresh/T3".into(), form)?;
    cases.losses(&run, &[(2, 0), (3, 1)])?;
    cases.loss(&run, ViewForm::Full, &[0, 4], &[2], Inputs::Scalars)?;
    cases.masked_bound(&run, &[0, 4], &[2])?;
    // Training, a group, a coalition and both other views.
    let mut form = rounds("path:4", 3, 1)?;
    form.plan = plan(&["1/4", "2", "1/9", "1"], &[], &[])?;
    let run = Run::of("path:4/gd3x1".into(), form.clone())?;
    cases.losses(&run, &[(0, 1), (2, 0), (3, 0), (1, 3)])?;
    cases.loss(&run, ViewForm::Full, &[0, 3], &[1], Inputs::Scalars)?;
    cases.loss(&run, ViewForm::Full, &[0], &[2, 3], Inputs::Scalars)?;
    form.every = Some(2);
    let run = Run::of("path:4/gd3x1/every2".into(), form)?;
    cases.losses(&run, &[(2, 0), (3, 0)])?;
    let mut form = rounds("hypercube:3", 1, 3)?;
    let sizes = ["1", "1/2", "1/3", "2", "1/4", "3", "1", "1/5"];
    form.plan = plan(&sizes, &[], &["1/100"; 8])?;
    let run = Run::of("hypercube:3/fresh/T3".into(), form)?;
    cases.losses(&run, &[(1, 0), (3, 0), (7, 0)])?;
    for view in [ViewForm::Paper, ViewForm::Sum] {
        cases.loss(&run, view, &[0], &[3], Inputs::Scalars)?;
    }
    Ok(cases)
}

pub(super) fn training() -> Result<Cases> {
    let mut cases = Cases::new("training");
    for name in ["path:3", "path:5", "ring:5", "star:5", "hypercube:3"] {
        for (count, steps) in [(2, 1), (3, 1), (2, 2), (3, 2), (4, 1)] {
            let run = Run::of(format!("{name}/gd{count}x{steps}"), rounds(name, count, steps)?)?;
            cases.losses(&run, &pairs(&graph(name)?))?;
        }
    }
    for (name, pair) in [("path:5", (3, 0)), ("path:4", (2, 0)), ("ring:5", (2, 0))] {
        let mut form = rounds(name, 2, 2)?;
        form.acceleration = Some("5/4".parse()?);
        let run = Run::of(format!("{name}/gd2x2/g5:4"), form)?;
        cases.losses(&run, &[pair])?;
    }
    for factors in [["1", "0", "1"], ["1/2", "1/2", "1/2"], ["0", "0", "0"], ["1", "-1", "1"]] {
        let mut form = rounds("path:3", 3, 1)?;
        form.reaction =
            Some(factors.iter().map(|f| f.parse()).collect::<std::result::Result<_, _>>()?);
        let run = Run::of(format!("path:3/gd3x1/react{}", factors.join(",")), form)?;
        cases.losses(&run, &[(1, 0), (2, 0)])?;
    }
    for tau in ["1/4", "1"] {
        let mut form = rounds("path:4", 2, 3)?;
        form.refresh = Some(tau.parse()?);
        let run = Run::of(format!("path:4/gd2x3/tau{tau}"), form)?;
        cases.losses(&run, &[(1, 0), (2, 0), (3, 0)])?;
    }
    Ok(cases)
}

pub(super) fn absorption() -> Result<Cases> {
    let mut cases = Cases::new("absorption");
    for (name, count, steps, tau) in [
        ("path:3", 2, 1, None),
        ("path:4", 3, 1, None),
        ("path:4", 2, 2, Some("1/2")),
        ("ring:5", 3, 1, None),
        ("star:5", 2, 2, Some("1")),
        ("hypercube:3", 2, 1, None),
        ("path:5", 2, 2, None),
    ] {
        let mut form = rounds(name, count, steps)?;
        form.refresh = tau.map(str::parse).transpose()?;
        let run = Run::of(String::new(), form)?;
        let protocol = run.protocol();
        for (u, v) in pairs(&graph(name)?).into_iter().filter(|&(_, v)| v == 0) {
            let watching = observer(ViewForm::Full, &[v])?;
            let heard = protocol.step(0).senders_to(&[v]);
            // Everything at the source; everything at whoever speaks to the observer; a half at the others, too; nothing.
            for (plan, lipschitz) in [
                ("local", "1"),
                ("senders", "1"),
                ("half", "1"),
                ("half", "1/2"),
                ("half", "3/2"),
                ("none", "1"),
            ] {
                let taken = |time: usize, w: usize| match plan {
                    "local" if w == u && protocol.has_input(time) => Some("1"),
                    "senders" | "half" if heard.contains(&w) => Some("1"),
                    "half" if w != v => Some("1/2"),
                    _ => None,
                };
                let drawn = (0..protocol.steps()).filter(|&time| protocol.draws(time));
                let fractions: Vec<(usize, usize, String)> = drawn
                    .flat_map(|time| (0..run.form.nodes).map(move |w| (time, w)))
                    .filter_map(|(time, w)| Some((time, w, taken(time, w)?.to_string())))
                    .collect();
                let absorbed = |time, w| {
                    taken(time, w).and_then(|text| fraction(text).ok()).unwrap_or_else(Zero::zero)
                };
                let bound =
                    absorption_bound(protocol, &[u], &watching, &fraction(lipschitz)?, absorbed)?;
                let (answer, flags) = match &bound {
                    Some(bound) => (number(bound), Vec::new()),
                    None => {
                        let reason = "a deviation is heard by the observer".into();
                        (
                            Answer::Verdict { verdict: Verdict::Refuse, reason },
                            vec!["heard-deviation"],
                        )
                    }
                };
                let fresh = tau.map_or(String::new(), |tau| format!("/tau{tau}"));
                let id = format!("{name}/gd{count}x{steps}{fresh}/{u}->{v}/{plan}/c{lipschitz}");
                let question = Question::AbsorptionBound {
                    protocol: run.form.clone(),
                    observers: vec![v],
                    sources: vec![u],
                    lipschitz: lipschitz.into(),
                    fractions,
                };
                cases.add(id, flags, question, answer);
            }
        }
    }
    Ok(cases)
}

pub(super) fn participation() -> Result<Cases> {
    let mut cases = Cases::new("participation");
    for name in ["path:3", "path:4", "ring:5", "star:5"] {
        for (count, steps, every) in [(2, 1, 2), (4, 1, 2), (5, 1, 2), (5, 1, 3), (3, 2, 2)] {
            let mut form = rounds(name, count, steps)?;
            form.every = Some(every);
            let run = Run::of(format!("{name}/gd{count}x{steps}/every{every}"), form)?;
            cases.losses(&run, &pairs(&graph(name)?))?;
        }
    }
    Ok(cases)
}

pub(super) fn coalitions() -> Result<Cases> {
    let mut cases = Cases::new("coalitions");
    for (name, coalitions) in [
        ("path:4", vec![vec![0, 3], vec![0, 1], vec![0, 2]]),
        ("path:5", vec![vec![0, 4], vec![1, 2], vec![0, 2, 4]]),
        ("ring:5", vec![vec![0, 1], vec![0, 2]]),
        ("star:5", vec![vec![1, 2], vec![1, 2, 3], vec![0, 1]]),
        ("hypercube:3", vec![vec![0, 7], vec![0, 1], vec![1, 2, 4]]),
    ] {
        for (noise, count, steps) in
            [("plain", 1, 2), ("plain", 1, 3), ("tau", 1, 3), ("masked", 1, 2), ("gd", 2, 1)]
        {
            let run = Run::noisy(name, noise, count, steps)?;
            for coalition in &coalitions {
                let outside = (0..run.form.nodes).filter(|u| !coalition.contains(u));
                for u in outside.take(2) {
                    cases.loss(&run, ViewForm::Full, coalition, &[u], Inputs::Scalars)?;
                }
            }
        }
    }
    Ok(cases)
}

pub(super) fn groups() -> Result<Cases> {
    let mut cases = Cases::new("groups");
    let both = [Inputs::Scalars, Inputs::Vectors];
    for (name, groups) in [
        ("path:4", vec![vec![1, 2], vec![2, 3], vec![1, 3]]),
        ("ring:5", vec![vec![1, 4], vec![2, 3], vec![1, 2, 3]]),
        ("star:5", vec![vec![2, 3], vec![1, 2, 3]]),
        ("hypercube:3", vec![vec![3, 7], vec![3, 5, 6]]),
    ] {
        for (noise, count, steps) in [
            ("plain", 1, 2),
            ("plain", 1, 3),
            ("tau", 1, 3),
            ("masked", 1, 3),
            ("gd", 2, 1),
            ("gd", 2, 2),
        ] {
            let run = Run::noisy(name, noise, count, steps)?;
            for group in &groups {
                for inputs in both {
                    cases.loss(&run, ViewForm::Full, &[0], group, inputs)?;
                }
            }
        }
    }
    let run = Run::of("five/plain/1x3".into(), rounds("five", 1, 3)?)?;
    for inputs in both {
        cases.loss(&run, ViewForm::Full, &[0], &[1, 2, 3], inputs)?;
    }
    let mut form = rounds("path:3", 1, 2)?;
    form.averages = Some(vec![(0, 1), (1, 2)]);
    let run = Run::of("path:3/averages".into(), form)?;
    cases.loss(&run, ViewForm::Full, &[2], &[0, 1], Inputs::Scalars)?;
    // Each member has a phase of its own.
    for (name, group, observer) in [
        ("path:3", vec![0, 1], 2),
        ("path:4", vec![1, 2], 0),
        ("path:4", vec![2, 3], 0),
        ("ring:5", vec![1, 2], 0),
        ("star:5", vec![2, 3], 1),
        ("path:4", vec![1, 2, 3], 0),
    ] {
        for (count, steps, every) in [(2, 1, 2), (3, 1, 2), (4, 1, 2), (3, 1, 3), (2, 2, 2)] {
            let mut form = rounds(name, count, steps)?;
            form.every = Some(every);
            let run = Run::of(format!("{name}/gd{count}x{steps}/every{every}"), form)?;
            cases.loss(&run, ViewForm::Full, &[observer], &group, Inputs::Scalars)?;
        }
    }
    Ok(cases)
}

pub(super) fn views() -> Result<Cases> {
    let mut cases = Cases::new("views");
    for name in ["path:3", "path:4", "ring:4", "star:5", "hypercube:3"] {
        for (noise, count, steps) in
            [("plain", 1, 2), ("plain", 1, 3), ("tau", 1, 3), ("masked", 1, 2), ("gd", 2, 1)]
        {
            let run = Run::noisy(name, noise, count, steps)?;
            for (u, v) in pairs(&graph(name)?).into_iter().filter(|&(_, v)| v == 0) {
                for view in [ViewForm::Full, ViewForm::Paper] {
                    cases.loss(&run, view, &[v], &[u], Inputs::Scalars)?;
                }
            }
        }
    }
    for (name, noise, count, steps, observers) in [
        ("path:4", "plain", 1, 1, &[1][..]),
        ("path:4", "plain", 1, 2, &[1]),
        ("path:4", "plain", 1, 3, &[1]),
        ("path:4", "plain", 1, 3, &[1, 2]),
        ("ring:4", "plain", 1, 2, &[0]),
        ("star:5", "tau", 1, 3, &[0]),
        ("ring:4", "masked", 1, 2, &[0]),
        ("ring:4", "gd", 2, 1, &[0]),
        ("hypercube:3", "plain", 1, 2, &[0, 3]),
        ("star:5", "plain", 1, 2, &[1, 2]),
        ("star:5", "gd", 3, 1, &[0, 1]),
        ("path:4", "masked", 2, 1, &[1, 2]),
    ] {
        let run = Run::noisy(name, noise, count, steps)?;
        for source in (0..run.form.nodes).filter(|node| !observers.contains(node)) {
            cases.loss(&run, ViewForm::Sum, observers, &[source], Inputs::Scalars)?;
        }
    }
    Ok(cases)
}

pub(super) fn weights() -> Result<Cases> {
    let mut cases = Cases::new("weights");
    let mut ask = |name: String, nodes, network: NetworkRecord| {
        let answer = match network.build(nodes) {
            Ok(built) => {
                let matrix = muffliato_reference::GossipMatrix::of_network(&built)?;
                let entry = |v, w| matrix.entry(v, w).map(|entry| entry.to_string());
                let row = |v| (0..nodes).map(|w| entry(v, w)).collect::<Option<Vec<_>>>();
                let rows = (0..nodes).map(row).collect::<Option<Vec<_>>>();
                Answer::Rows { rows: rows.ok_or("no such entry")? }
            }
            Err(error) => Answer::Verdict { verdict: Verdict::Refuse, reason: error.to_string() },
        };
        let refused = matches!(answer, Answer::Verdict { .. });
        let flags = if refused { vec!["not-stochastic"] } else { Vec::new() };
        cases.add(name, flags, Question::Weights { nodes, network }, answer);
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    for name in GRAPHS {
        for scheme in ["metropolis", "max-degree-inverse", "lazy:metropolis"] {
            let (nodes, network) = network(name, scheme)?;
            ask(format!("{name}/{scheme}"), nodes, network)?;
        }
    }
    let edges = vec![(0, 1), (1, 2)];
    for (name, entries) in [
        (
            "custom",
            vec![(0, 0, 3), (0, 1, 1), (1, 0, 1), (1, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 2)],
        ),
        (
            "rows-too-small",
            vec![(0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 2)],
        ),
        (
            "rows-too-large",
            vec![(0, 0, 3), (0, 1, 2), (1, 0, 2), (1, 1, 0), (1, 2, 2), (2, 1, 2), (2, 2, 2)],
        ),
        (
            "asymmetric",
            vec![(0, 0, 3), (0, 1, 1), (1, 0, 2), (1, 1, 0), (1, 2, 2), (2, 1, 2), (2, 2, 2)],
        ),
        (
            "negative",
            vec![(0, 0, 5), (0, 1, -1), (1, 0, -1), (1, 1, 3), (1, 2, 2), (2, 1, 2), (2, 2, 2)],
        ),
        ("no-edge", vec![(0, 0, 3), (0, 2, 1), (2, 0, 1), (1, 1, 4), (2, 2, 3)]),
        ("outside", vec![(0, 0, 4), (1, 1, 4), (2, 2, 4), (3, 3, 4)]),
    ] {
        let weights = WeightsRecord::Custom { denominator: 4, entries };
        ask(format!("path:3/{name}"), 3, NetworkRecord { edges: edges.clone(), weights })?;
    }
    let loop_at_1 = vec![(0, 1), (1, 1)];
    ask(
        "self-loop".into(),
        2,
        NetworkRecord { edges: loop_at_1, weights: WeightsRecord::Scheme("metropolis".into()) },
    )?;
    Ok(cases)
}

pub(super) fn process() -> Result<Cases> {
    let mut cases = Cases::new("process");
    let mut forms = Vec::new();
    for (name, count, steps) in [("path:3", 1, 3), ("ring:4", 1, 3), ("star:5", 2, 2)] {
        forms.push((format!("{name}/{count}x{steps}"), rounds(name, count, steps)?));
    }
    let plain = rounds("path:3", 2, 2)?;
    let factors = Some(vec!["1/2".parse()?, "0".parse()?, "-1".parse()?]);
    for (name, form) in [
        ("refreshed", ProtocolRecord { refresh: Some("1/3".parse()?), ..plain.clone() }),
        ("accelerated", ProtocolRecord { acceleration: Some("3/2".parse()?), ..plain.clone() }),
        ("masked", ProtocolRecord { masks: masks("2")?, ..plain.clone() }),
        ("reacting", ProtocolRecord { reaction: factors, ..plain }),
    ] {
        forms.push((format!("path:3/2x2/{name}"), form));
    }
    let mut form = rounds("ring:4", 1, 3)?;
    form.averages = Some(vec![(0, 1), (2, 3), (1, 2)]);
    forms.push(("ring:4/averages".into(), form));
    for (name, form) in forms {
        let run = Run::of(name, form)?;
        let times = run.protocol().steps();
        for time in 0..=times {
            for node in [0, run.form.nodes / 2] {
                let row = run.process.coefficients(time, node).ok_or("no such state")?;
                let rows = vec![row.iter().map(ToString::to_string).collect()];
                let question = Question::Coefficients { protocol: run.form.clone(), time, node };
                cases.add(
                    format!("{}/t{time}/{node}", run.name),
                    Vec::new(),
                    question,
                    Answer::Rows { rows },
                );
            }
        }
    }
    Ok(cases)
}
