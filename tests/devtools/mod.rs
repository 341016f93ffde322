//! A browser without a window, driven over the pipe of its DevTools protocol: messages are JSON, each ended by a zero byte.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The variable that makes a missing browser a failure.
const REQUIRED: &str = "MUFFLIATO_REQUIRE_BROWSER";

/// Time after which a browser without an answer counts as hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    child: Child,
    requests: ChildStdin,
    messages: Receiver<Value>,
    sent: u64,
    session: Option<String>,
    /// Events that the browser sent on its own.
    pub events: Vec<Value>,
    _profile: tempfile::TempDir,
}

/// Returns Chromium on the path; `None`, with a message, if it is missing and not required.
pub fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|program| program.is_file());
    if found.is_none() {
        assert!(
            std::env::var_os(REQUIRED).is_none(),
            "{REQUIRED} is set, and there is no chromium on the path"
        );
        eprintln!("no chromium on the path: the report was not opened in a browser");
    }
    found
}

impl Browser {
    /// Starts the browser and opens a page.
    pub fn open(program: &Path, page: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The browser reads requests from descriptor 3 and writes answers to 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while answers.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
                bytes.pop();
                let message = serde_json::from_slice(&bytes);
                if message.is_err() || sender.send(message.unwrap()).is_err() {
                    return;
                }
                bytes.clear();
            }
        });
        let mut browser = Self {
            requests: child.stdin.take().unwrap(),
            child,
            messages,
            sent: 0,
            session: None,
            events: Vec::new(),
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.ask("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(String::from);
        for domain in ["Page", "Network", "Runtime", "Log"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        let url = format!("file://{}", page.display());
        let gone = browser.ask("Page.navigate", json!({ "url": url }));
        assert!(gone.get("errorText").is_none(), "{gone}");
        while browser.events.iter().all(|event| event["method"] != "Page.loadEventFired") {
            browser.hear();
        }
        browser
    }

    fn hear(&mut self) -> Option<Value> {
        let message = self.messages.recv_timeout(PATIENCE);
        let message = message.expect("the browser answers");
        match message.get("id") {
            Some(_) => Some(message),
            None => {
                self.events.push(message);
                None
            }
        }
    }

    /// Sends a request and waits for the answer.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let mut request = json!({"id": self.sent, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            request["sessionId"] = session.as_str().into();
        }
        write!(self.requests, "{request}\0").unwrap();
        self.requests.flush().unwrap();
        loop {
            if let Some(answer) = self.hear()
                && answer["id"] == self.sent
            {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Evaluates an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true});
        let answer = self.ask("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Scrolls an element into view and returns its middle.
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), more: Value) {
        let mut event = json!({"type": kind, "x": x, "y": y});
        for (key, value) in more.as_object().into_iter().flatten() {
            event[key] = value.clone();
        }
        self.ask("Input.dispatchMouseEvent", event);
    }

    /// Presses and releases the mouse in the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let at = self.middle(selector);
        for kind in ["mousePressed", "mouseReleased"] {
            self.mouse(kind, at, json!({"button": "left", "clickCount": 1}));
        }
    }

    /// Turns the wheel over the middle of an element.
    pub fn wheel(&mut self, selector: &str, turn: f64) {
        let at = self.middle(selector);
        self.mouse("mouseWheel", at, json!({"deltaX": 0, "deltaY": turn}));
    }

    /// Presses the mouse in the middle of an element, moves it and releases it.
    pub fn drag(&mut self, selector: &str, by: (f64, f64)) {
        let from = self.middle(selector);
        let to = (from.0 + by.0, from.1 + by.1);
        let held = json!({"button": "left", "buttons": 1, "clickCount": 1});
        self.mouse("mousePressed", from, held.clone());
        self.mouse("mouseMoved", to, held);
        self.mouse("mouseReleased", to, json!({"button": "left", "clickCount": 1}));
    }

    /// Replaces the text of the field that has the focus.
    pub fn enter(&mut self, text: &str) {
        self.value("document.activeElement.select()");
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.ask("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    /// Returns the events of one kind.
    pub fn told(&self, method: &str) -> Vec<&Value> {
        let events = self.events.iter();
        events.filter(|event| event["method"] == method).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
