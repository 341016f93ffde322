//! The page: one file that needs nothing else.

use super::drawn;
use super::escape::{self, html};
use super::losses::{Layer, Losses};
use crate::command::account::AccountReport;
use crate::command::input::Loaded;
use muffliato::plot::{LossClass, Picture, PictureFormat};
use muffliato_account::Knowledge;
use std::fmt::Write;

/// What is on the page.
pub struct Page<'a> {
    /// The command that made it.
    pub line: &'a str,
    /// The graph.
    pub loaded: &'a Loaded,
    /// The node that observes at first.
    pub first: usize,
    /// The layer that is shown at first.
    pub layer: Layer,
    /// The accounts.
    pub reports: &'a [(&'static str, AccountReport<'a>)],
    /// The losses of all pairs.
    pub losses: &'a Losses,
    /// Loss against distance.
    pub by_distance: Picture,
    /// Error against steps, for averaging.
    pub error: Option<Picture>,
    /// What the reader should know about this page.
    pub remarks: &'a [String],
}

const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = include_str!("page.js");

impl Page<'_> {
    /// The file. No part of it is fetched, and the browser is told to refuse what would be.
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
        self.introduction(&mut page);
        self.graph(&mut page)?;
        self.chart(
            &mut page,
            &self.by_distance,
            "Loss against distance",
            "Lines are means, bands and strokes reach from the smallest to the largest loss. What is exact or certified is an upper end; \
             estimates are called so, and dashed lines are their certified ends. A loss of 0 is below the break of the axis.",
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
            escape::json(&self.losses.json(labels, self.first, self.promised())),
        );
        Ok(page)
    }

    /// Returns `true` if observers forget their noise, as in the paper.
    fn is_of_the_paper(&self) -> bool {
        let question = &self.reports[0].1.computed.question;
        question.conditions().view == Knowledge::Paper
    }

    /// Returns how far the numbers called guarantees reach.
    fn promised(&self) -> &'static str {
        match self.is_of_the_paper() {
            false => "What is promised",
            true => {
                "What holds against observers who forget their noise, and is no promise against others,"
            }
        }
    }

    fn introduction(&self, page: &mut String) {
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
             </dl>\n",
        );
    }

    fn graph(&self, page: &mut String) -> anyhow::Result<()> {
        page.push_str("<section>\n<h2>Who leaks how much to whom</h2>\n<div class=\"controls\">\n<label>Observer <select id=\"observer\">\n");
        for &node in self.losses.observers() {
            let selected = if node == self.first { " selected" } else { "" };
            let label = html(&self.loaded.graph.label(node));
            let _ = writeln!(page, "<option value=\"{node}\"{selected}>{label}</option>");
        }
        page.push_str("</select></label>\n<label>Find a node <input id=\"find\" type=\"search\" autocomplete=\"off\"></label>\n<fieldset>\n<legend>Colours show</legend>\n");
        for (number, layer) in self.losses.layers().enumerate() {
            let checked = if layer == self.layer { " checked" } else { "" };
            let what = match layer {
                Layer::Paper => "the paper's bound (Theorem 1), which is no guarantee",
                Layer::Plain => "the loss with noise once",
                Layer::Refreshed => "the loss with fresh noise at each step",
            };
            let _ = writeln!(
                page,
                "<label><input type=\"radio\" name=\"layer\" value=\"{number}\"{checked}> {what}</label>"
            );
        }
        page.push_str("</fieldset>\n</div>\n");
        match drawn::drawing(&self.loaded.graph)? {
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
        let svg = String::from_utf8(picture.encode(PictureFormat::Svg)?)?;
        let svg = svg.replacen(
            "<svg ",
            &format!("<svg role=\"img\" aria-label=\"{title}\" "),
            1,
        );
        let _ = write!(
            page,
            "<section>\n<h2>{title}</h2>\n<figure class=\"chart\">\n{svg}\n<figcaption>{caption}</figcaption>\n</figure>\n</section>\n"
        );
        Ok(())
    }

    fn tables(&self, page: &mut String) -> anyhow::Result<()> {
        page.push_str("<section>\n<h2>The account, by distance</h2>\n");
        for (name, report) in self.reports {
            let described = html(&report.arguments.described(report.protocol));
            let _ = writeln!(page, "<h3>{name}: {described}</h3>");
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

fn class_colours() -> String {
    let mut style = String::new();
    for (number, class) in LossClass::ALL.iter().enumerate() {
        let (r, g, b) = class.colour;
        let letters = if class.dark_letters { "#111" } else { "#fff" };
        let _ = writeln!(
            style,
            ".class-{number} {{ fill: #{r:02x}{g:02x}{b:02x}; background: #{r:02x}{g:02x}{b:02x}; }} .class-{number} + text {{ fill: {letters}; }}"
        );
    }
    style
}
