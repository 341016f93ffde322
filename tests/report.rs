//! The page that `report` writes: what is in it, and what a real browser makes of it.

use crate::devtools::{Browser, chromium};
use crate::running;
use muffliato::prelude::{Enclosure, GaussianPrivacy};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the page of a command without its `--output`.
fn page(folder: &Path, line: &str) -> (PathBuf, String) {
    let file = folder.join("page.html");
    let mut command = running::command(&format!("{line} --quiet --output page.html"));
    assert_eq!(running::checked(command.current_dir(folder).output().unwrap()), "");
    let text = fs::read_to_string(&file).unwrap();
    (file, text)
}

/// The page in a browser, where there is one.
fn opened(line: &str) -> Option<Browser> {
    let program = chromium()?;
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = page(folder.path(), line);
    Some(Browser::open(&program, &file))
}

/// Returns the data of the page's program.
fn data(page: &str) -> Value {
    let from = page.split("id=\"data\">").nth(1).unwrap();
    serde_json::from_str(from.split("</script>").next().unwrap()).unwrap()
}

/// Returns the page's text about the last click.
fn said(browser: &mut Browser) -> String {
    let told = browser.value("document.getElementById('said').textContent");
    told.as_str().unwrap().to_string()
}

#[test]
fn what_a_page_knows() {
    let folder = tempfile::tempdir().unwrap();
    let (_, text) = page(folder.path(), "report path:3 --steps 2");
    let text = format!("{:#}", data(&text));
    insta::assert_snapshot!("data_of_a_page", text);
}

/// Every number of the page is the one of `account`, rounded up; every epsilon is that of a loss as large.
#[test]
fn the_losses_are_those_of_the_account() {
    let folder = tempfile::tempdir().unwrap();
    for (line, engine) in
        [("karate --steps 3", "reference"), ("geometric:120:r=0.15:seed=3 --steps 8", "fast")]
    {
        let (_, text) = page(folder.path(), &format!("report {line} --engine {engine}"));
        let data = data(&text);
        let account = running::json(&format!("account {line} --engine {engine}"));
        let pairs = account["pairs"].as_array().unwrap();
        assert!(pairs.len() >= 34 * 33);
        let mut estimates = 0;
        for pair in pairs {
            let at = |key: &str| pair[key].as_str().unwrap().parse::<usize>().unwrap();
            let (source, observer) = (at("source"), at("observer"));
            let layer = &data["layers"][0];
            let number = |rows: &Value| {
                let place = rows[observer][source].as_u64().unwrap() as usize;
                data["numbers"][place].clone()
            };
            let float = |value: &Value| value.as_str().unwrap().parse::<f64>().unwrap();
            let shown = number(&layer["shown"]);
            let loss = &pair["leakage"];
            let value = loss["value"].as_f64().unwrap();
            let status = layer["statuses"][observer].as_str().unwrap().as_bytes()[source];
            let promised = match loss["status"].as_str().unwrap() {
                "estimate" => {
                    estimates += 1;
                    assert_eq!(status, b's');
                    assert!((float(&shown[0]) - value).abs() <= 0.0051 * value, "{pair} {shown}");
                    number(&layer["promised"])
                }
                word => {
                    assert_eq!(status, word.as_bytes()[0]);
                    shown
                }
            };
            let upper = loss["upper"].as_f64().unwrap_or(value);
            let end = float(&promised[0]);
            assert!(upper <= end * (1.0 + 1e-15) && end <= upper * 1.01, "{pair} {promised}");
            let epsilon = float(&promised[2]);
            let privacy = GaussianPrivacy::of_leakage(&Enclosure::exact(upper), 1.0, 1.0);
            let exact = privacy.unwrap().epsilon_upper(1e-6).unwrap();
            assert!(exact <= epsilon && epsilon <= 1.02 * exact, "{pair}: {epsilon} {exact}");
        }
        assert_eq!(estimates > 0, engine == "fast", "{estimates} estimates");
    }
}

#[test]
fn larger_graphs_have_some_observers_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let (_, text) = page(folder.path(), "report ring:400 --steps 2 --observer 7 --observer 5");
    assert!(text.contains("here 2 of 400"));
    assert_eq!(data(&text)["observers"], serde_json::json!([5, 7]));
    assert_eq!(data(&text)["first"], 7);
    let (_, text) = page(folder.path(), "report ring:400 --steps 2");
    assert!(text.contains("here 16 of 400"));
}

#[test]
fn nothing_is_fetched_and_the_command_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (_, text) = page(folder.path(), "report path:4 --protocol gd:2x1");
    let line = "report path:4 --protocol gd:2x1 --quiet --output page.html";
    assert!(text.contains(&format!("<pre id=\"command\">muffliato {line}</pre>")));
    for outside in ["src=", "href=", "@import", "url(", "https:"] {
        assert!(!text.contains(outside), "{outside}");
    }
    assert!(
        text.contains("it holds in the model that was named. The guarantee is what is promised")
    );
    let (_, text) = page(folder.path(), "report path:4 --steps 2 --view paper");
    assert!(text.contains("is no guarantee against others"));
    assert!(!text.contains("What is promised"));
}

/// Losses of gradient descent are in a model; the epsilons of the page are those that are promised all the same.
#[test]
fn a_page_of_gradient_descent_promises_what_the_account_promises() {
    let folder = tempfile::tempdir().unwrap();
    let line = "path:4 --protocol gd:3x1 --lipschitz 3/2";
    let (_, text) = page(folder.path(), &format!("report {line}"));
    let data = data(&text);
    assert_eq!(data["promised"], "What is promised");
    let account = running::json(&format!("account {line}"));
    for pair in account["pairs"].as_array().unwrap() {
        let at = |key: &str| pair[key].as_str().unwrap().parse::<usize>().unwrap();
        let place = &data["layers"][0]["promised"][at("observer")][at("source")];
        let number = &data["numbers"][place.as_u64().unwrap() as usize];
        let float = |value: &Value| value.as_str().unwrap().parse::<f64>().unwrap();
        let (loss, epsilon) = (float(&number[0]), float(&number[2]));
        let proved = pair["proved_bound"].as_f64().unwrap();
        assert!(loss >= proved && loss <= 1.01 * proved, "{pair} {number}");
        let promised = pair["epsilon"].as_f64().unwrap();
        assert!(epsilon >= promised && epsilon <= 1.02 * promised, "{pair} {number}");
        assert!(pair["model_epsilon"].as_f64().unwrap() <= promised, "{pair}");
    }
}

const NASTY: &str = "</script><b>";
const EVENT: &str = "<img/src=x/onerror=window.broken=1>";

fn nasty_graph(folder: &Path) -> String {
    let file = folder.join("names.json");
    let ends = [NASTY, EVENT, "\"'&<!--"];
    let nodes = ends.map(|id| serde_json::json!({"id": id}));
    let link = |u: usize, v: usize| serde_json::json!({"source": ends[u], "target": ends[v]});
    let graph = serde_json::json!({"nodes": nodes, "edges": [link(0, 1), link(1, 2)]});
    fs::write(&file, graph.to_string()).unwrap();
    file.to_str().unwrap().to_string()
}

#[test]
fn names_cannot_break_out() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("report '{}' --steps 2", nasty_graph(folder.path()));
    let (file, text) = page(folder.path(), &line);
    assert_eq!(text.matches("</script").count(), 2);
    assert_eq!(text.matches("<b>").count() + text.matches("<img").count(), 0);
    assert_eq!(data(&text)["labels"][0], NASTY);
    let Some(program) = chromium() else { return };
    let mut browser = Browser::open(&program, &file);
    assert_eq!(browser.value("document.querySelectorAll('b, img').length"), 0);
    assert_eq!(browser.value("String(window.broken)"), "undefined");
    browser.click("#node-2");
    let told = browser.value("document.querySelector('#node-0 title').textContent");
    let expected = format!("{NASTY} to \"'&<!--, distance 2. Loss 1 (exact) with noise once");
    assert!(told.as_str().unwrap().starts_with(&expected), "{told}");
    assert_eq!(browser.value("document.querySelectorAll('b, img').length"), 0);
}

#[test]
fn a_click_on_a_node_makes_it_the_observer() {
    let Some(mut browser) = opened("report karate --steps 4 --observer 3") else {
        return;
    };
    let title = "document.querySelector('#node-16 title').textContent";
    let observer =
        "document.querySelector('g.observer').id + ' ' + document.getElementById('observer').value";
    let fill = "getComputedStyle(document.querySelector('#node-16 rect')).fill";
    let first_row = "document.querySelector('#towards tbody').rows.length";

    assert_eq!(browser.value(observer), "node-3 3");
    let before = browser.value(title);
    browser.click("#node-33");
    assert_eq!(browser.value(observer), "node-33 33");
    assert_eq!(browser.value(first_row), 33);
    let told = said(&mut browser);
    assert!(told.starts_with("Observer 33, with 17 neighbours. What is promised"), "{told}");
    let after = browser.value(title);
    assert_ne!(before, after);
    let table = running::printed("account karate --steps 4 --observer 33 --source 16");
    let loss = table.lines().last().unwrap().split_whitespace().nth(7).unwrap();
    let expected =
        format!("16 to 33, distance 4. Loss {loss} (exact) with noise once, eps at most ");
    assert!(after.as_str().unwrap().starts_with(&expected), "{after} {expected}");

    // Another layer has other colours.
    let coloured = browser.value(fill);
    browser.click("input[name=layer][value='1']");
    assert_ne!(browser.value(fill), coloured);

    // The keyboard goes on from where the mouse was.
    browser.value("document.querySelector('g.observer').focus()");
    browser.press("ArrowRight");
    assert_eq!(browser.value("document.activeElement.id"), "node-0");
    browser.press("Enter");
    assert_eq!(browser.value(observer), "node-0 0");

    let requests = browser.told("Network.requestWillBeSent");
    assert_eq!(requests.len(), 1, "only the page itself: {requests:?}");
    for trouble in ["Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"] {
        assert!(browser.told(trouble).is_empty(), "{:?}", browser.told(trouble));
    }
}

/// The headline names the pair that loses most, and masks stand beside noise once and fresh noise.
#[test]
fn a_page_says_who_loses_most_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (_, text) = page(folder.path(), "report karate --protocol masked:3");
    let told = "<strong>With masks that neighbours share, node 11 loses most: its neighbour node 0 learns 1 L of it, epsilon 4.89";
    assert!(text.contains(told), "{text}");
    assert!(text.contains("node 11 has a single neighbour, from which they hide nothing"));
    assert!(text.contains("The page is about 5 steps"));
    let data = data(&text);
    let names: Vec<_> =
        data["layers"].as_array().unwrap().iter().map(|layer| &layer["name"]).collect();
    let layers = [
        "noise once",
        "fresh noise at each step",
        "masks that neighbours share",
        "a noise plan",
        "the bound of Theorem 1",
    ];
    assert_eq!(names, layers);
    assert!(text.contains("Largest epsilon towards a neighbour and towards any other node:"));
    assert!(text.contains("The error with masks is "));
    assert_eq!(data["first"], 0, "the observer of the headline");
    // Whoever loses most is an arbitrary choice where all neighbours learn the same.
    let (_, text) = page(folder.path(), "report karate");
    assert!(
        text.contains("<strong>With noise once, every node loses 1 L to a neighbour"),
        "{text}"
    );
    let beyond = text.split("Beyond neighbours, ").nth(1).unwrap();
    let observer = beyond.split(": node ").nth(1).unwrap().split(' ').next().unwrap();
    assert_eq!(self::data(&text)["first"].to_string(), observer, "the observer of the headline");
    let (_, text) = page(folder.path(), "report hypercube:3 --steps 3 --masked 2");
    assert!(
        text.contains(
            "Masks protect neighbours as well: use them if neighbours can share secrets."
        )
    );
}

/// A plan is shown beside the other protocols and drawn on the graph; one on file is shown first.
#[test]
fn a_plan_is_drawn_on_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.json");
    running::printed(&format!(
        "plan path:4 --epsilon 1 --delta 1e-6 --steps 6 --plan-out {}",
        plan.display()
    ));
    let (file, text) = page(folder.path(), &format!("report path:4 --plan {}", plan.display()));
    let data = data(&text);
    let layer = data["layers"].as_array().unwrap().iter().find(|layer| layer["sizes"].is_array());
    let layer = layer.unwrap();
    assert_eq!(layer["name"], "a noise plan");
    // No pair loses more than the plan allows.
    for place in layer["shown"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()) {
        let Some(place) = place.as_u64() else { continue };
        let loss: f64 = data["numbers"][place as usize][0].as_str().unwrap().parse().unwrap();
        assert!(loss <= 1.0, "{loss}");
    }
    assert!(text.contains("With a noise plan, "), "{text}");
    let Some(program) = chromium() else { return };
    let mut browser = Browser::open(&program, &file);
    let drawn = "getComputedStyle(document.getElementById('masks')).display";
    let widths = "[...new Set([...document.querySelectorAll('g.node rect')].map((e) => e.getAttribute('width')))].length";
    assert_eq!(browser.value(drawn), "inline");
    assert!(browser.value(widths).as_u64().unwrap() > 1, "discs have the size of their noise");
    browser.click("input[name=layer][value='0']");
    assert_eq!(browser.value(drawn), "none");
    assert_eq!(browser.value(widths), 1);
}

/// At all widths and in both themes nothing is wider than the window, no text is below 12 pixels, charts
/// with their legends are not cut, and nodes keep their names.
#[test]
fn a_page_fits_phones_and_dark_rooms() {
    let Some(mut browser) = opened("report karate --steps 3") else {
        return;
    };
    let cut = "[...document.querySelectorAll('.chart text, #graph text')].filter((e) => { const box = e.getBoundingClientRect(); \
               return box.width && (box.left < 0 || box.right > innerWidth); }).map((e) => e.textContent).join()";
    let shown = "[...document.querySelectorAll('.chart text')].filter((e) => e.getClientRects().length).map((e) => e.textContent.trim()).join()";
    let nameless = "[...document.querySelectorAll('g.node')].filter((e) => { const [name, disc] = ['text', 'rect'].map((part) => e.querySelector(part).getBoundingClientRect()); \
                    return !name.width || name.width > disc.width; }).length";
    let smallest = "Math.min(...[...document.querySelectorAll('main *, .chart text, #graph text')].filter((e) => e.textContent.trim() && e.getClientRects().length \
                    && !e.children.length).map((e) => { const svg = e.ownerSVGElement; const size = parseFloat(getComputedStyle(e).fontSize); \
                    return svg ? size * svg.getScreenCTM().a : size; }))";
    let light = "getComputedStyle(document.querySelector('.chart text')).fill";
    let mut fills = Vec::new();
    for theme in ["light", "dark"] {
        browser.value(&format!("document.documentElement.dataset.theme = '{theme}'"));
        for width in [1280, 768, 500, 390] {
            let size = serde_json::json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
            browser.ask("Emulation.setDeviceMetricsOverride", size);
            assert_eq!(
                browser.value("document.documentElement.scrollWidth > innerWidth"),
                false,
                "{width}"
            );
            assert_eq!(browser.value(cut), "", "{width}");
            assert_eq!(browser.value(nameless), 0, "{width}");
            let legend = browser.value(shown);
            assert_eq!(legend.as_str().unwrap().matches("noise once").count(), 2, "{legend}");
            let size = browser.value(smallest).as_f64().unwrap();
            assert!(size >= 11.95, "{width} {theme}: {size}");
        }
        // On a phone the graph is above the words.
        let first = "document.getElementById('graph').getBoundingClientRect().top < document.querySelector('.headline').getBoundingClientRect().top";
        assert_eq!(browser.value(first), true);
        fills.push(browser.value(light));
    }
    assert_ne!(fills[0], fills[1], "charts follow the theme");
}

#[test]
fn a_node_whose_view_is_not_in_the_page_says_so() {
    let Some(mut browser) = opened("report grid:18x18 --steps 3 --observer 0") else {
        return;
    };
    browser.click("#node-40");
    let told = said(&mut browser);
    assert!(told.contains("make one with --observer 40"), "{told}");
    assert_eq!(browser.value("document.querySelector('g.observer').id"), "node-0");
}

#[test]
fn the_graph_is_zoomed_moved_and_searched() {
    let Some(mut browser) = opened("report florentine --steps 3") else {
        return;
    };
    let view = "document.getElementById('graph').getAttribute('viewBox').split(' ').map(Number)";
    let numbers = |value| serde_json::from_value::<Vec<f64>>(value).unwrap();
    let whole = numbers(browser.value(view));
    browser.click("#zoom-in");
    let near = numbers(browser.value(view));
    assert!(near[2] < whole[2] && near[3] < whole[3], "{near:?}");
    browser.click("#zoom-out");
    browser.wheel("#graph", -300.0);
    let turned = numbers(browser.value(view));
    assert!(turned[2] < whole[2], "{turned:?}");
    browser.click("#zoom-all");
    assert_eq!(numbers(browser.value(view)), whole);

    // A drag moves the graph, and is no click on a node.
    let observer = browser.value("document.querySelector('g.observer').id");
    browser.drag("#node-1", (60.0, 30.0));
    let moved = numbers(browser.value(view));
    assert!(moved[0] < whole[0] && moved[1] < whole[1] && moved[2] == whole[2], "{moved:?}");
    assert_eq!(browser.value("document.querySelector('g.observer').id"), observer);
    browser.click("#zoom-all");

    // What is looked for is marked, told and, with Enter, the observer.
    browser.value("document.getElementById('find').focus()");
    browser.enter("medi");
    assert_eq!(browser.value("[...document.querySelectorAll('g.found title')].length"), 1);
    let told = said(&mut browser);
    assert!(told.starts_with("Found 1: Medici"), "{told}");
    browser.press("Enter");
    let chosen =
        browser.value("document.getElementById('observer').selectedOptions[0].textContent");
    assert_eq!(chosen, "Medici");
    browser.enter("nobody");
    assert_eq!(said(&mut browser), "No node is called so.");

    // Names come after all discs.
    let after = "!!(document.querySelector('#labels').compareDocumentPosition(document.querySelector('#node-14')) & 2)";
    assert_eq!(browser.value(after), true);
    assert!(browser.told("Runtime.exceptionThrown").is_empty());
}

#[test]
fn the_table_is_sorted_downloaded_and_dark() {
    let Some(mut browser) = opened("report florentine --steps 3") else {
        return;
    };
    let column = |place: usize| {
        format!(
            "[...document.querySelectorAll('#towards tbody tr')].map((row) => row.cells[{place}].textContent)"
        )
    };
    let texts = |value| serde_json::from_value::<Vec<String>>(value).unwrap();
    browser.click("#towards th:nth-child(1) button");
    let names = texts(browser.value(&column(0)));
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!((names.len(), &names), (14, &sorted));
    browser.click("#towards th:nth-child(2) button");
    browser.click("#towards th:nth-child(2) button");
    let distances = texts(browser.value(&column(1)));
    let falling = |pair: &[String]| {
        pair[0].parse::<f64>().unwrap_or(f64::MAX) >= pair[1].parse().unwrap_or(f64::MAX)
    };
    assert!(distances.windows(2).all(falling), "{distances:?}");
    let told = "document.querySelector('#towards th:nth-child(2)').getAttribute('aria-sort')";
    assert_eq!(browser.value(told), "descending");

    // The file that is offered has every pair of the page.
    browser.value(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return '#'; }; \
         HTMLAnchorElement.prototype.click = function () { window.named = this.download; }; window.saved = ''",
    );
    browser.click("#download");
    let mut saved = String::new();
    while saved.is_empty() {
        saved = browser.value("window.saved").as_str().unwrap().to_string();
    }
    assert_eq!(browser.value("window.named"), "losses.csv");
    assert!(saved.starts_with("observer,node,distance,"), "{saved}");
    assert_eq!(saved.lines().count(), 1 + 15 * 14);

    let paper = "getComputedStyle(document.documentElement).backgroundColor";
    let light = browser.value(paper);
    browser.click("#theme");
    let dark = browser.value(paper);
    assert_ne!(light, dark);
    browser.click("#theme");
    assert_eq!(browser.value(paper), light);
    assert!(browser.told("Runtime.exceptionThrown").is_empty());
}
