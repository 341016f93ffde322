//! The page: one self-contained HTML file.

use super::drawn;
use super::escape::{self, html};
use super::losses::{Layer, Losses};
use crate::command::account::AccountReport;
use crate::command::input::{Loaded, NoiseArgs};
use muffliato::model::NoisePlan;
use muffliato::plot::{LossClass, Picture, PictureFormat};
use muffliato_account::{Knowledge, rounded_up};
use std::fmt::Write;

/// The content of the page.
pub struct Page<'a> {
    /// The command that made it.
    pub line: &'a str,
    /// The graph.
    pub loaded: &'a Loaded,
    /// The observer that is selected at first.
    pub first: usize,
    /// The layer that is shown at first.
    pub layer: Layer,
    /// The noise.
    pub noise: &'a NoiseArgs,
    /// The accounts.
    pub reports: &'a [(Layer, AccountReport<'a>)],
    /// The losses of all pairs.
    pub losses: &'a Losses,
    /// Loss against distance.
    pub by_distance: Picture,
    /// Error against steps, for averaging.
    pub error: Option<Picture>,
    /// Error of each account at the end; empty if it is not known.
    pub errors: &'a [f64],
    /// The noise plan that is drawn on the graph.
    pub plan: Option<&'a NoisePlan>,
    /// Remarks for the reader.
    pub remarks: &'a [String],
}

const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = include_str!("page.js");

impl Page<'_> {
    /// Returns the HTML. It loads nothing, and its policy forbids the browser to.
    pub fn html(&self) -> anyhow::Result<String> {
        let name = html(&self.loaded.name);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Privacy report: {name}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n\
             <button id=\"theme\" type=\"button\">Dark or light</button>\n<h1>Privacy report: {name}</h1>\n",
            class_colours(),
        );
        self.headline(&mut page);
        self.graph(&mut page)?;
        self.introduction(&mut page);
        self.chart(
            &mut page,
            &self.by_distance,
            "Loss against distance",
            "Lines are means, bands and strokes reach from the smallest to the largest loss. What is exact or certified is an upper end; \
             estimates are called so, and dashed lines are their certified ends. A loss of 0 is below the break of the axis; thin dashes lead to it.",
        )?;
        if let Some(error) = &self.error {
            self.chart(
                &mut page,
                error,
                "Error against steps",
                "The expected error after each step, for independent inputs that are uniform in an interval as long as the \
                 sensitivity; computed in floating point, an estimate.",
            )?;
        }
        self.tables(&mut page)?;
        let _ = write!(
            page,
            "<section>\n<h2>The command that made this page</h2>\n<pre id=\"command\">{}</pre>\n\
             <p>muffliato {}. The same command makes the same page.</p>\n</section>\n</main>\n",
            html(self.line),
            env!("CARGO_PKG_VERSION"),
        );
        let graph = &self.loaded.graph;
        let labels = (0..graph.nodes()).map(|node| graph.label(node)).collect();
        let _ = write!(
            page,
            "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{PROGRAM}</script>\n</body>\n</html>\n",
            escape::json(&self.losses.json(labels, self.first, self.promised(), self.plan)),
        );
        Ok(page)
    }

    /// Returns `true` if observers forget their noise, as in the paper.
    fn is_of_the_paper(&self) -> bool {
        let question = &self.reports[0].1.computed.question;
        question.conditions().view == Knowledge::Paper
    }

    /// Returns the label of the guarantees.
    fn promised(&self) -> &'static str {
        if self.is_of_the_paper() {
            "What holds against observers who forget their noise, and is no promise against others,"
        } else {
            "What is promised"
        }
    }

    /// Says in words who loses most to whom, what the protocols cost, and what to do.
    fn headline(&self, page: &mut String) {
        let graph = &self.loaded.graph;
        let noise = format!("sigma {}, delta {:e}", self.noise.sigma, self.noise.delta);
        let worst = self.losses.worst(self.layer, |_| true);
        if let (Some(worst), Some(told)) = (worst, self.losses.headline(self.layer)) {
            let with = self.layer.described();
            let pair = told.pairs.iter().find(|pair| pair.1 == self.first);
            let (source, observer) = *pair.unwrap_or(&told.pairs[0]);
            let neighbours = graph.has_edge(source, observer);
            let others = match told.sources() - 1 {
                0 => String::new(),
                1 => " Another node loses as much.".into(),
                others => format!(" {others} other nodes lose as much."),
            };
            let every = worst.is_of_every_node(graph.nodes());
            if every {
                let _ = write!(
                    page,
                    "<p class=\"headline\"><strong>With {with}, every node loses {} L to a neighbour, epsilon {} ({noise}).</strong>",
                    worst.loss,
                    rounded_up(worst.epsilon),
                );
            } else {
                let _ = write!(
                    page,
                    "<p class=\"headline\"><strong>With {with}, {} loses most: {}{} learns {} L of it, epsilon {} ({noise}).</strong>{others}",
                    self.name(source),
                    if neighbours { "its neighbour " } else { "" },
                    self.name(observer),
                    told.loss,
                    rounded_up(told.epsilon),
                );
            }
            if every && !neighbours {
                let _ = write!(
                    page,
                    " Beyond neighbours, {} loses most: {} learns {} L of it, epsilon {}.{others}",
                    self.name(source),
                    self.name(observer),
                    told.loss,
                    rounded_up(told.epsilon),
                );
            }
            page.push_str(" 1 L is what publishing the noisy value once would lose.</p>\n");
        }
        if self.reports.len() > 1 {
            self.comparison(page);
            let _ = writeln!(page, "<p>{}</p>", self.advice());
        }
    }

    /// Compares the protocols: largest epsilons, steps and error.
    fn comparison(&self, page: &mut String) {
        page.push_str(
            "<p>Largest epsilon towards a neighbour and towards any other node:</p>\n\
             <div class=\"scroll\"><table class=\"comparison\">\n<thead><tr><th scope=\"col\">protocol</th><th scope=\"col\">neighbour</th>\
             <th scope=\"col\">other node</th><th scope=\"col\">steps</th><th scope=\"col\">expected error</th></tr></thead>\n<tbody>\n",
        );
        let epsilon = |layer: Layer, near: bool| {
            let found = self.losses.worst(layer, |distance| (distance == Some(1)) == near);
            found.map_or("-".into(), |worst| rounded_up(worst.epsilon))
        };
        for (number, (layer, report)) in self.reports.iter().enumerate() {
            let error = self.errors.get(number).map_or("-".into(), |&error| rounded_up(error));
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{error}</td></tr>",
                layer.described(),
                epsilon(*layer, true),
                epsilon(*layer, false),
                report.protocol.steps(),
            );
        }
        page.push_str("</tbody>\n</table></div>\n");
        let place = |layer: Layer| self.reports.iter().position(|(known, _)| *known == layer);
        let error = |layer: Layer| Some(*self.errors.get(place(layer)?)?);
        if let (Some(plain), Some(masked)) = (error(Layer::Plain), error(Layer::Masked))
            && masked > 1.5 * plain
        {
            let _ = writeln!(
                page,
                "<p>The error with masks is {} times that with noise once: the masks have not cancelled yet. More steps reduce it, and \
                 with masks they cost no privacy by the bound that holds for any number of steps.</p>",
                rounded_up(masked / plain),
            );
        }
    }

    /// Returns the name of a node, or its number as `node 7`.
    fn name(&self, node: usize) -> String {
        let graph = &self.loaded.graph;
        let number = if graph.labels().is_none() { "node " } else { "" };
        format!("{number}{}", html(&graph.label(node)))
    }

    /// Recommends a protocol.
    fn advice(&self) -> String {
        let graph = &self.loaded.graph;
        let largest =
            |layer| self.losses.worst(layer, |_| true).map_or(f64::INFINITY, |found| found.epsilon);
        let leaves: Vec<usize> =
            (0..graph.nodes()).filter(|&node| graph.degree(node) == 1).collect();
        let plan = "A noise plan gives every draw its own size; <code>muffliato plan</code> finds the best one.";
        match leaves[..] {
            _ if largest(Layer::Masked) < 0.9 * largest(Layer::Plain) => {
                format!(
                    "Masks protect neighbours as well: use them if neighbours can share secrets. {plan}"
                )
            }
            [leaf, ..] => format!(
                "Masks protect from neighbours, too, but {} has a single neighbour, from which they hide nothing{}: give it another one, or more noise. {plan}",
                self.name(leaf),
                if leaves.len() > 1 { " (and is not the only one)" } else { "" },
            ),
            [] => format!("A neighbour learns the noisy value unless there are masks. {plan}"),
        }
    }

    fn introduction(&self, page: &mut String) {
        page.push_str("<section>\n<h2>How to read it</h2>\n");
        let by_distance = self.reports[0].1.by_distance();
        let introduction = html(&by_distance.introduction());
        let _ = writeln!(page, "<p>{}</p>", introduction.trim_end());
        for remark in self.remarks {
            let _ = writeln!(page, "<p class=\"remark\">{}</p>", html(remark));
        }
        let guarantee = match by_distance.unconditional() {
            _ if self.is_of_the_paper() => {
                "it holds against observers who forget their noise, and is no guarantee against others"
            }
            None => "a guarantee",
            Some(_) => {
                "it holds in the model that was named. The guarantee is what is promised beside it"
            }
        };
        let _ = write!(
            page,
            "<dl class=\"statuses\">\n\
             <div><dt>exact</dt><dd>found in rational arithmetic and rounded up: {guarantee}.</dd></div>\n\
             <div><dt>certified</dt><dd>an upper end that provably is not below the loss, rounded up: {guarantee}.</dd></div>\n\
             <div><dt>estimate</dt><dd>a number without proof. The guarantee is the certified end beside it.</dd></div>\n\
             </dl>\n</section>\n",
        );
    }

    fn graph(&self, page: &mut String) -> anyhow::Result<()> {
        page.push_str("<section class=\"graph\">\n<h2>Who leaks how much to whom</h2>\n<div class=\"controls\">\n<label>Observer <select id=\"observer\">\n");
        for &node in self.losses.observers() {
            let selected = if node == self.first { " selected" } else { "" };
            let label = html(&self.loaded.graph.label(node));
            let _ = writeln!(page, "<option value=\"{node}\"{selected}>{label}</option>");
        }
        page.push_str("</select></label>\n<label>Find a node <input id=\"find\" type=\"search\" autocomplete=\"off\"></label>\n<fieldset>\n<legend>Colours show</legend>\n");
        for (number, layer) in self.losses.layers().enumerate() {
            let checked = if layer == self.layer { " checked" } else { "" };
            let what = match layer {
                Layer::Paper => "the paper's bound (Theorem 1), which is refuted".to_string(),
                layer => format!("the loss with {}", layer.described()),
            };
            let _ = writeln!(
                page,
                "<label><input type=\"radio\" name=\"layer\" value=\"{number}\"{checked}> {what}</label>"
            );
        }
        page.push_str("</fieldset>\n</div>\n");
        match drawn::drawing(&self.loaded.graph, self.plan)? {
            Some(svg) => {
                page.push_str(
                    "<p>Click on a node to make it the observer. Turn the wheel or press + and - to zoom, drag to move.</p>\n\
                     <div class=\"tools\" role=\"group\" aria-label=\"Zoom\"><button id=\"zoom-in\" type=\"button\" aria-label=\"Zoom in\">+</button>\
                     <button id=\"zoom-out\" type=\"button\" aria-label=\"Zoom out\">−</button>\
                     <button id=\"zoom-all\" type=\"button\">Whole graph</button></div>\n<div class=\"stage\">\n",
                );
                page.push_str(&svg);
                page.push_str("\n<ul class=\"legend\" aria-label=\"Colours: loss in units of L\">\n<li class=\"unit\">loss in units of L</li>\n");
                for (number, class) in LossClass::ALL.iter().enumerate().rev() {
                    let label = class.label;
                    let _ = writeln!(
                        page,
                        "<li><span class=\"swatch class-{number}\"></span>{label}</li>"
                    );
                }
                page.push_str(
                    "<li><span class=\"swatch square\"></span>observer</li>\n</ul>\n</div>\n",
                );
                if let Some(plan) = self.plan {
                    let text = |(least, most): (f64, f64)| {
                        format!("{} to {} sigma", rounded_up(least), rounded_up(most))
                    };
                    let _ = write!(
                        page,
                        "<p id=\"plan\" hidden>The plan on the graph: the size of a disc is a node's noise, {}.",
                        text(drawn::range(plan.nodes.iter().copied())),
                    );
                    if !plan.masks.is_empty() {
                        let _ = write!(
                            page,
                            " The width of a blue line is a mask that both ends share, {} (logarithmic).",
                            text(drawn::range(plan.masks.iter().map(|mask| mask.1))),
                        );
                    }
                    page.push_str("</p>\n");
                }
            }
            None => page.push_str("<p class=\"remark\">The graph is too large to be drawn.</p>\n"),
        }
        page.push_str(
            "<p id=\"said\" role=\"status\"></p>\n<noscript><p class=\"remark\">The colours and this table need JavaScript; charts and tables below do not.</p></noscript>\n\
             <div class=\"tools\"><button id=\"download\" type=\"button\">Download the numbers (CSV)</button></div>\n\
             <div class=\"scroll\" id=\"towards-region\" tabindex=\"0\" role=\"region\" aria-label=\"Losses towards the observer\"><table id=\"towards\"></table></div>\n</section>\n",
        );
        Ok(())
    }

    fn chart(
        &self,
        page: &mut String,
        picture: &Picture,
        title: &str,
        caption: &str,
    ) -> anyhow::Result<()> {
        let svg = |size: &str, class: &str| -> anyhow::Result<String> {
            let svg = String::from_utf8(picture.encode_sized(PictureFormat::Svg, size.parse()?)?)?;
            let named = format!("<svg role=\"img\" aria-label=\"{title}\" class=\"{class}\" ");
            Ok(svg.replacen("<svg ", &named, 1))
        };
        let (wide, narrow) = (svg("800x480", "wide")?, svg("350x480", "narrow")?);
        let _ = write!(
            page,
            "<section>\n<h2>{title}</h2>\n<figure class=\"chart\">\n{wide}\n{narrow}\n<figcaption>{caption}</figcaption>\n</figure>\n</section>\n"
        );
        Ok(())
    }

    fn tables(&self, page: &mut String) -> anyhow::Result<()> {
        page.push_str("<section>\n<h2>The account, by distance</h2>\n");
        for (_, report) in self.reports {
            let described = html(&report.arguments.described(report.protocol));
            let _ = writeln!(page, "<h3>{described}</h3>");
            let (head, rows) = report.by_distance().rows()?;
            page.push_str("<div class=\"scroll\"><table class=\"account\">\n<thead><tr>");
            for cell in head.split(',') {
                let _ = write!(page, "<th scope=\"col\">{cell}</th>");
            }
            page.push_str("</tr></thead>\n<tbody>\n");
            for row in rows {
                page.push_str("<tr>");
                for cell in row {
                    let _ = write!(page, "<td>{}</td>", html(&cell));
                }
                page.push_str("</tr>\n");
            }
            page.push_str("</tbody>\n</table></div>\n");
        }
        page.push_str("</section>\n");
        Ok(())
    }
}

/// Colours of the classes on a dark page, where large losses are bright.
const DARK: [&str; 7] =
    ["#26262b", "#4d3320", "#7a451b", "#a85c16", "#dd7a1f", "#ffb45a", "#fff0c4"];
const _: () = assert!(DARK.len() == LossClass::ALL.len());

fn class_colours() -> String {
    let mut style = String::new();
    for (number, (class, dark)) in LossClass::ALL.iter().zip(DARK).enumerate() {
        let (r, g, b) = class.colour;
        let light = format!("#{r:02x}{g:02x}{b:02x}");
        let letters = if class.dark_letters { "#111" } else { "#fff" };
        let on_dark = if number < 4 { "#fff" } else { "#111" };
        let _ = writeln!(
            style,
            ".class-{number} {{ fill: {light}; fill: light-dark({light}, {dark}); background: {light}; background: light-dark({light}, {dark}); }}\n\
             .class-{number} + text {{ fill: {letters}; fill: light-dark({letters}, {on_dark}); }}"
        );
    }
    style
}
