//! Topics about losses: who loses how much to whom.

use super::runs::{Run, custom, expanded, graph, masks, plan, record};
use crate::exact::{Result, Seen, absorption_bound, between, fraction, is_less, number};
use crate::form::{Answer, Case, Inputs, Question, ViewForm, observer};
use muffliato_model::{NetworkRecord, ProtocolRecord, WeightsRecord};
use muffliato_reference::{GossipMatrix, masked_bound};
use num_rational::BigRational;
use num_traits::Zero;

/// Fractions that are longer are left out.
const LONGEST: usize = 240;

/// Small graphs of every shape.
const GRAPHS: &str = "{path:3|path:5|ring:4|ring:5|star:5|complete:4|hypercube:3|grid:2x3|petersen|tree:2:2|wheel:6}";

/// From the first and the last node, the first source at every distance.
const FROM_ENDS: &str = "*->first *->last";

/// The cases of a topic, as they are gathered.
pub(super) struct Cases {
    pub topic: &'static str,
    pub cases: Vec<Case>,
}

fn nodes(list: &str) -> Result<Vec<usize>> {
    Ok(list.split(',').map(str::parse).collect::<std::result::Result<_, _>>()?)
}

impl Cases {
    pub fn add<'a>(
        &mut self,
        name: String,
        flags: impl IntoIterator<Item = &'a str>,
        question: Question,
        answer: Answer,
    ) {
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

    /// Adds what is asked of the runs of these names: see [`Cases::ask`].
    fn of(&mut self, runs: &[&str], asked: &str) -> Result<()> {
        for name in runs.iter().flat_map(|name| expanded(name)) {
            self.ask(&Run::named(&name)?, asked)?;
        }
        Ok(())
    }

    /// Adds cases `SOURCES->OBSERVERS`, such as `1,2->0`, for another view or for vectors with `/paper`, `/sum` or `/vectors`
    /// behind it; `bound/` in front of it asks for the masked bound. A star stands for the first source at every distance.
    fn ask(&mut self, run: &Run, asked: &str) -> Result<()> {
        let last = run.form.nodes - 1;
        for pattern in asked.split_whitespace() {
            let pattern = pattern.replace("first", "0").replace("last", &last.to_string());
            let pattern = match pattern.split_once("*->") {
                None => pattern,
                Some((head, tail)) => {
                    let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
                    let (node, rest) = tail.split_at(digits);
                    format!("{head}{}{rest}", run.at_every_distance(node.parse()?)?)
                }
            };
            for name in expanded(&pattern) {
                let (pair, kind) = match name.strip_prefix("bound/") {
                    Some(pair) => (pair, "bound"),
                    None => name.split_once('/').unwrap_or((&name, "")),
                };
                let (sources, observers) = pair.split_once("->").ok_or("no observers")?;
                let (sources, observers) = (nodes(sources)?, nodes(observers)?);
                let id = format!("{}/{pair}", run.name);
                match kind {
                    "bound" => self.masked_bound(id, run, &observers, &sources)?,
                    kind => self.loss(id, run, kind, &observers, &sources)?,
                }
            }
        }
        Ok(())
    }

    /// Adds the loss of the sources, flagged with every common error that would answer less.
    fn loss(
        &mut self,
        mut id: String,
        run: &Run,
        kind: &str,
        observers: &[usize],
        sources: &[usize],
    ) -> Result<()> {
        let (view, inputs) = match kind {
            "paper" => (ViewForm::Paper, Inputs::Scalars),
            "sum" => (ViewForm::Sum, Inputs::Scalars),
            "vectors" => (ViewForm::Full, Inputs::Vectors),
            _ => (ViewForm::Full, Inputs::Scalars),
        };
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
            flag("first-phase-only", seen.loss_in_one_phase(sources, true)?);
            flag("phases-of-a-group", seen.loss_in_one_phase(sources, false)?);
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
            let at = |nodes: &[usize], (a, b)| nodes.contains(&a) || nodes.contains(&b);
            if edges.iter().filter(|&&edge| at(sources, edge)).all(|&edge| at(observers, edge)) {
                flags.push("leaf-neighbour");
            }
        }
        if seen.is_nearly_singular() {
            flags.push("nearly-singular");
        }
        if !kind.is_empty() {
            id += &format!("/{kind}");
        }
        let question = Question::Loss {
            protocol: run.form.clone(),
            view,
            observers: observers.to_vec(),
            sources: sources.to_vec(),
            inputs,
        };
        self.add(id, flags, question, between(&lower, &upper));
        Ok(())
    }

    fn masked_bound(
        &mut self,
        id: String,
        run: &Run,
        observers: &[usize],
        sources: &[usize],
    ) -> Result<()> {
        let observer = observer(ViewForm::Full, observers)?;
        let bound = masked_bound(run.protocol(), sources, &observer)?;
        let mut flags = Vec::new();
        if run.on_whole_graph(sources)?.is_some_and(|energy| is_less(&energy, &bound)) {
            flags.push("whole-graph-laplacian");
        }
        if let Some(uniform) = run.uniform()?
            && is_less(&masked_bound(uniform.protocol(), sources, &observer)?, &bound)
        {
            flags.push("uniform-sizes");
        }
        let question = Question::MaskedBound {
            protocol: run.form.clone(),
            observers: observer.members().to_vec(),
            sources: sources.to_vec(),
        };
        self.add(format!("bound/{id}"), flags, question, number(&bound));
        Ok(())
    }
}

pub(super) fn one_shot(cases: &mut Cases) -> Result<()> {
    cases.of(&[&format!("{GRAPHS}/T{{2|4}}")], FROM_ENDS)?;
    for scheme in ["max-degree-inverse", "lazy:metropolis", "lazy:max-degree-inverse"] {
        cases.of(&[&format!("{{path:3|ring:5|star:5|hypercube:3}}/{scheme}/T3")], FROM_ENDS)?;
    }
    cases.of(&["path:4/custom/T4", "{path:4|hypercube:3}/g5:4/T4"], FROM_ENDS)?;
    let networks = ["path:5", "ring:5", "star:5", "path:5"];
    let networks = networks.map(|name| Ok(NetworkRecord::new(&graph(name)?, "metropolis")));
    let varying = ProtocolRecord {
        nodes: 5,
        rounds: 1,
        gossip_steps: 4,
        networks: Some(networks.into_iter().collect::<Result<_>>()?),
        each: Some(1),
        ..ProtocolRecord::default()
    };
    cases.ask(&Run::of("path-ring-star-path:5", varying)?, "{1|2|3}->0 {0|1|2}->4")?;
    let averages = [(0, 1), (1, 2), (2, 3), (0, 1), (1, 2), (2, 3), (0, 3), (1, 2)];
    for steps in [2, 4, 6, 8] {
        let mut form = record(&format!("ring:4/T{steps}"))?;
        form.averages = Some(averages[..steps].to_vec());
        let run = Run::of(&format!("ring:4/averages/T{steps}"), form)?;
        cases.ask(&run, "0->2 1->3 1->2 3->0")?;
    }
    cases.of(&["karate/T{2|3}"], "33->3 16->3 26->12 11->0 0->16")?;
    let deep = "{path:6/T6|path:8/T8|ring:9/T6|tree:2:2/T8|grid:2x3/T7|path:16/T16|ring:16/T9}";
    cases.of(&[deep], FROM_ENDS)
}

pub(super) fn refreshed(cases: &mut Cases) -> Result<()> {
    let graphs = "{path:3|path:5|ring:5|star:5|hypercube:3|grid:2x3}";
    let sizes = "{tau1/10/T3|tau1/2/T2|tau1/T3|tau1/100/T4}";
    cases.of(&[&format!("{graphs}/{sizes}"), "path:4/tau1/5/g{5/4|3/2}/T4"], FROM_ENDS)
}

pub(super) fn masked(cases: &mut Cases) -> Result<()> {
    let graphs = "{path:3|path:5|ring:4|star:5|complete:4|hypercube:3|grid:2x3|wheel:6}";
    let sizes = "{kappa1/T3|kappa3/T2|kappa1/2/T4}";
    cases.of(&[&format!("{graphs}/{sizes}")], "*->first *->last bound/*->0")?;
    cases.of(&["ring:5/gd2x{1|2}/kappa2"], "{1|2}->0 bound/2->0 bound/1,2->0,3")?;
    // Who shares a key need not be who gossips.
    let mut form = record("path:5/T4")?;
    form.masks = masks("2", &[(0, 2), (2, 4), (1, 3), (0, 4)])?;
    let run = Run::of("path:5/keys/T4", form)?;
    cases.ask(&run, "{1|2|4}->0 {0|3}->2 bound/0->{2|2,4}")
}

pub(super) fn plans(cases: &mut Cases) -> Result<()> {
    let leaf = plan("1/4 2 1/9 1", &[], "")?;
    let ring = [(0, 1, "4"), (0, 4, "1/2"), (1, 2, "9"), (2, 3, "1"), (3, 4, "0")];
    let ring = plan("1/4 0 2 1/9 1", &ring, "")?;
    // Keys that are shared beyond neighbours, and fresh noise that some nodes do not add.
    let keys = [(1, 2, "3"), (2, 3, "1/3"), (3, 4, "25"), (1, 4, "2")];
    let keys = plan("1 1/2 0 0 3", &keys, "1/100 0 1/4 0 1")?;
    let fresh = ["1/100"; 8].join(" ");
    let fresh = plan("1 1/2 1/3 2 1/4 3 1 1/5", &[], &fresh)?;
    for (name, gossip, plan, asked) in [
        // A leaf needs noise of its own; the nodes of the ring hide each other.
        ("path:4/T3", "path:4/T3", &leaf, "0->1 0->3 2->0"),
        ("ring:5/masks/T3", "ring:5/T3", &ring, "{1|2|3}->0 bound/1->0 bound/1,2->0 bound/1->0,3"),
        ("ring:5/masks/T3/g5:4", "ring:5/T3/g5:4", &ring, "1->0"),
        ("ring:5/masks/gd2x1", "ring:5/gd2x1", &ring, "2->0 bound/2->0"),
        ("star:5/keys/fresh/T3", "star:5/T3", &keys, "2->0 3->1 2->0,4 bound/2->0,4"),
        ("path:4/gd3x1", "path:4/gd3x1", &leaf, "0->1 2->0 3->0 1->3 1->0,3 2,3->0"),
        ("path:4/gd3x1/every2", "path:4/gd3x1/every2", &leaf, "2->0 3->0"),
        ("hypercube:3/fresh/T3", "hypercube:3/T3", &fresh, "{1|3|7}->0 3->0/{paper|sum}"),
    ] {
        let form = ProtocolRecord { plan: plan.clone(), ..record(gossip)? };
        cases.ask(&Run::of(name, form)?, asked)?;
    }
    Ok(())
}

pub(super) fn training(cases: &mut Cases) -> Result<()> {
    let graphs = "{path:3|path:5|ring:5|star:5|hypercube:3}";
    cases.of(&[&format!("{graphs}/gd{{2x1|3x1|2x2|3x2|4x1}}")], FROM_ENDS)?;
    cases.of(&["path:5/gd2x2/g5:4"], "3->0")?;
    cases.of(&["{path:4|ring:5}/gd2x2/g5:4"], "2->0")?;
    let reactions = "react{1,0,1|1/2,1/2,1/2|0,0,0|1,-1,1}";
    cases.of(&[&format!("path:3/gd3x1/{reactions}")], "{1|2}->0")?;
    cases.of(&["path:4/gd2x3/tau{1/4|1}"], "{1|2|3}->0")
}

pub(super) fn absorption(cases: &mut Cases) -> Result<()> {
    for name in [
        "path:3/gd2x1",
        "path:4/gd3x1",
        "path:4/gd2x2/tau1/2",
        "ring:5/gd3x1",
        "star:5/gd2x2/tau1",
        "hypercube:3/gd2x1",
        "path:5/gd2x2",
    ] {
        let run = Run::named(name)?;
        let protocol = run.protocol();
        let v = 0;
        let watching = observer(ViewForm::Full, &[v])?;
        let heard = protocol.step(0).senders_to(&[v]);
        for pair in expanded(&run.at_every_distance(v)?) {
            let (source, _) = pair.split_once("->").ok_or("no observer")?;
            let u: usize = source.parse()?;
            // Everything at the source; everything at whoever speaks to the observer; a half at the others, too; nothing.
            for choice in expanded("{local/c1|senders/c1|half/c1|half/c1/2|half/c3/2|none/c1}") {
                let (plan, lipschitz) = choice.split_once("/c").ok_or("no constant")?;
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
                let flag = bound.is_none().then_some("heard-deviation");
                let refusal = || Answer::refusal("a deviation is heard by the observer");
                let answer = bound.as_ref().map_or_else(refusal, number);
                let question = Question::AbsorptionBound {
                    protocol: run.form.clone(),
                    observers: vec![v],
                    sources: vec![u],
                    lipschitz: lipschitz.into(),
                    fractions,
                };
                cases.add(format!("{name}/{pair}/{choice}"), flag, question, answer);
            }
        }
    }
    Ok(())
}

pub(super) fn participation(cases: &mut Cases) -> Result<()> {
    let rounds = "gd{2x1/every2|4x1/every2|5x1/every2|5x1/every3|3x2/every2}";
    cases.of(&[&format!("{{path:3|path:4|ring:5|star:5}}/{rounds}")], FROM_ENDS)
}

pub(super) fn coalitions(cases: &mut Cases) -> Result<()> {
    for (name, asked) in [
        ("path:4", "{1|2}->0,3 {2|3}->0,1 {1|3}->0,2"),
        ("path:5", "{1|2}->0,4 {0|3}->1,2 {1|3}->0,2,4"),
        ("ring:5", "{2|3}->0,1 {1|3}->0,2"),
        ("star:5", "{0|3}->1,2 {0|4}->1,2,3 {2|3}->0,1"),
        ("hypercube:3", "{1|2}->0,7 {2|3}->0,1 {0|3}->1,2,4"),
    ] {
        let runs = "{plain/1x2|plain/1x3|tau/1x3|masked/1x2|gd/2x1}";
        cases.of(&[&format!("{name}/{runs}")], asked)?;
    }
    Ok(())
}

pub(super) fn groups(cases: &mut Cases) -> Result<()> {
    for (name, asked) in [
        ("path:4", "{1,2|2,3|1,3}->0{|/vectors}"),
        ("ring:5", "{1,4|2,3|1,2,3}->0{|/vectors}"),
        ("star:5", "{2,3|1,2,3}->0{|/vectors}"),
        ("hypercube:3", "{3,7|3,5,6}->0{|/vectors}"),
    ] {
        let runs = "{plain/1x2|plain/1x3|tau/1x3|masked/1x3|gd/2x1|gd/2x2}";
        cases.of(&[&format!("{name}/{runs}")], asked)?;
    }
    cases.of(&["five/plain/1x3"], "1,2,3->0{|/vectors}")?;
    let averages = Some(vec![(0, 1), (1, 2)]);
    let form = ProtocolRecord { averages, ..record("path:3/T2")? };
    cases.ask(&Run::of("path:3/averages", form)?, "0,1->2")?;
    // Each member has a phase of its own.
    for (name, asked) in [
        ("path:3", "0,1->2"),
        ("path:4", "1,2->0"),
        ("path:4", "2,3->0"),
        ("ring:5", "1,2->0"),
        ("star:5", "2,3->1"),
        ("path:4", "1,2,3->0"),
    ] {
        let rounds = "gd{2x1/every2|3x1/every2|4x1/every2|3x1/every3|2x2/every2}";
        cases.of(&[&format!("{name}/{rounds}")], asked)?;
    }
    Ok(())
}

pub(super) fn views(cases: &mut Cases) -> Result<()> {
    let runs = "{plain/1x2|plain/1x3|tau/1x3|masked/1x2|gd/2x1}";
    let graphs = "{path:3|path:4|ring:4|star:5|hypercube:3}";
    cases.of(&[&format!("{graphs}/{runs}")], "*->0{|/paper}")?;
    for (run, asked) in [
        ("path:4/plain/1x{1|2|3}", "{0|2|3}->1/sum"),
        ("path:4/plain/1x3", "{0|3}->1,2/sum"),
        ("ring:4/plain/1x2", "{1|2|3}->0/sum"),
        ("star:5/tau/1x3", "{1|2|3|4}->0/sum"),
        ("ring:4/{masked/1x2|gd/2x1}", "{1|2|3}->0/sum"),
        ("hypercube:3/plain/1x2", "{1|2|4|5|6|7}->0,3/sum"),
        ("star:5/plain/1x2", "{0|3|4}->1,2/sum"),
        ("star:5/gd/3x1", "{2|3|4}->0,1/sum"),
        ("path:4/masked/2x1", "{0|3}->1,2/sum"),
    ] {
        cases.of(&[run], asked)?;
    }
    Ok(())
}

pub(super) fn weights(cases: &mut Cases) -> Result<()> {
    let mut ask = |name: String, nodes, network: NetworkRecord| {
        let (answer, flag) = match network.build(nodes) {
            Ok(built) => {
                let matrix = GossipMatrix::of_network(&built)?;
                let entry = |v, w| matrix.entry(v, w).map(|entry| entry.to_string());
                let row = |v| (0..nodes).map(|w| entry(v, w)).collect::<Option<Vec<_>>>();
                let rows = (0..nodes).map(row).collect::<Option<Vec<_>>>();
                (Answer::Rows { rows: rows.ok_or("no such entry")? }, None)
            }
            Err(error) => (Answer::refusal(error), Some("not-stochastic")),
        };
        cases.add(name, flag, Question::Weights { nodes, network }, answer);
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    let schemes = "{metropolis|max-degree-inverse|lazy:metropolis}";
    for name in expanded(&format!("{GRAPHS}/{schemes}")) {
        let form = record(&name)?;
        ask(name, form.nodes, form.network.ok_or("no network")?)?;
    }
    for (name, entries) in [
        ("custom", "00=3 01=1 10=1 11=1 12=2 21=2 22=2"),
        ("rows-too-small", "00=2 01=1 10=1 11=1 12=2 21=2 22=2"),
        ("rows-too-large", "00=3 01=2 10=2 11=0 12=2 21=2 22=2"),
        ("asymmetric", "00=3 01=1 10=2 11=0 12=2 21=2 22=2"),
        ("negative", "00=5 01=-1 10=-1 11=3 12=2 21=2 22=2"),
        ("no-edge", "00=3 02=1 20=1 11=4 22=3"),
        ("outside", "00=4 11=4 22=4 33=4"),
    ] {
        let weights = custom(4, entries)?;
        let network = NetworkRecord { edges: vec![(0, 1), (1, 2)], weights };
        ask(format!("path:3/{name}"), 3, network)?;
    }
    let weights = WeightsRecord::Scheme("metropolis".into());
    ask("self-loop".into(), 2, NetworkRecord { edges: vec![(0, 1), (1, 1)], weights })?;
    Ok(())
}

pub(super) fn process(cases: &mut Cases) -> Result<()> {
    let mut runs = Vec::new();
    for name in [
        "path:3/1x3",
        "ring:4/1x3",
        "star:5/2x2",
        "path:3/2x2/{refreshed|accelerated|masked|reacting}",
    ] {
        for name in expanded(name) {
            runs.push(Run::named(&name)?);
        }
    }
    let averages = Some(vec![(0, 1), (2, 3), (1, 2)]);
    runs.push(Run::of("ring:4/averages", ProtocolRecord { averages, ..record("ring:4/T3")? })?);
    for run in runs {
        for time in 0..=run.protocol().steps() {
            for node in [0, run.form.nodes / 2] {
                let row = run.process.coefficients(time, node).ok_or("no such state")?;
                let rows = vec![row.iter().map(ToString::to_string).collect()];
                let question = Question::Coefficients { protocol: run.form.clone(), time, node };
                let id = format!("{}/t{time}/{node}", run.name);
                cases.add(id, vec![], question, Answer::Rows { rows });
            }
        }
    }
    Ok(())
}
