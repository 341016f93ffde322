//! Another program, asked one question after the other.

use crate::form::File;
use crate::grade::{Grade, Graded, Report, grade};
use num_rational::BigRational;
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// Longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 22;

/// Longest part of an answer that a report keeps, in characters.
const SHOWN: usize = 200;

/// Why a program could not be asked.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ConformError {
    /// No command was given.
    #[error("no program was named; give its command after --, such as: -- python3 program.py")]
    NoCommand,
    /// It cannot be started.
    #[error("{command:?} cannot be started: {source}; check its name, and that it can be executed")]
    NotStarted { command: String, source: std::io::Error },
    /// There is no such topic.
    #[error("there is no topic {topic:?}; the topics are {known}")]
    NoTopic { topic: String, known: String },
    /// The vectors themselves are broken.
    #[error("the vectors cannot be read: {0}")]
    Vectors(#[from] serde_json::Error),
    /// It was asked to stop.
    #[error("stopped before all questions were asked")]
    Stopped,
}

/// A program that reads questions from its standard input and writes answers to its standard output, one a line.
///
/// It is started when it is needed, and again after it ended or was too slow.
#[derive(Debug)]
pub struct Program {
    command: Vec<String>,
    patience: Duration,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    /// Names a command with its arguments, and how long to wait for an answer.
    ///
    /// # Errors
    /// [`ConformError::NoCommand`] for an empty command.
    pub fn new(command: Vec<String>, patience: Duration) -> Result<Self, ConformError> {
        match command.is_empty() {
            true => Err(ConformError::NoCommand),
            false => Ok(Self { command, patience, running: None }),
        }
    }

    fn start(&self) -> Result<Running, ConformError> {
        let started = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let not_started =
            |source| ConformError::NotStarted { command: self.command[0].clone(), source };
        let mut child = started.map_err(not_started)?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(not_started(std::io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, answers) = channel();
        let lines = move |output: ChildStdout| {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while let Ok(1..) = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                let text = String::from_utf8_lossy(&line).trim().to_string();
                if !line.ends_with(b"\n") || sender.send(text).is_err() {
                    break;
                }
                line.clear();
            }
        };
        thread::spawn(move || lines(output));
        Ok(Running { child, questions, answers })
    }

    /// Asks one question; `Err` of the inner result says why there is no answer.
    fn ask(&mut self, line: &str) -> Result<Result<String, Grade>, ConformError> {
        // A line that nobody asked for would be taken for the next answer.
        if self.running.as_ref().is_some_and(|running| running.answers.try_recv().is_ok()) {
            self.running = None;
        }
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let asked = writeln!(running.questions, "{line}").and_then(|()| running.questions.flush());
        let answer = match asked {
            Ok(()) => running.answers.recv_timeout(self.patience),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        Ok(match answer {
            Ok(answer) => {
                self.running = Some(running);
                Ok(answer)
            }
            Err(RecvTimeoutError::Disconnected) => Err(Grade::Crashed),
            Err(RecvTimeoutError::Timeout) => Err(Grade::TooSlow),
        })
    }
}

/// Asks a program all questions of the topics (of all topics if none is named) and grades its answers. `asked` hears how many of how
/// many questions were asked, and returns whether to go on.
///
/// # Errors
/// If the program cannot be started, a topic does not exist, or `asked` wants to stop. A program that ends or hangs is no error: it is
/// started again, and the case is counted.
pub fn conform(
    program: &mut Program,
    topics: &[String],
    tolerance: &BigRational,
    asked: impl FnMut(usize, usize) -> bool,
) -> Result<Report, ConformError> {
    let answers = grade_all(|line| program.ask(line), topics, tolerance, asked)?;
    Ok(Report { program: program.command.clone(), answers })
}

/// Grades the answers that `ask` gives to all questions of the topics, as [`conform`] does. `ask` returns a line, or the grade of a
/// missing answer.
///
/// # Errors
/// The error of `ask`, or if a topic does not exist or `asked` wants to stop.
pub fn grade_all(
    mut ask: impl FnMut(&str) -> Result<Result<String, Grade>, ConformError>,
    topics: &[String],
    tolerance: &BigRational,
    mut asked: impl FnMut(usize, usize) -> bool,
) -> Result<Vec<Graded>, ConformError> {
    let mut files = File::all()?;
    if let Some(topic) = topics.iter().find(|&topic| files.iter().all(|file| file.topic != *topic))
    {
        let known: Vec<&str> = files.iter().map(|file| file.topic.as_str()).collect();
        return Err(ConformError::NoTopic { topic: topic.clone(), known: known.join(", ") });
    }
    files.retain(|file| topics.is_empty() || topics.contains(&file.topic));
    let total = files.iter().map(|file| file.cases.len()).sum();
    let mut answers = Vec::with_capacity(total);
    for file in &files {
        for case in &file.cases {
            if !asked(answers.len(), total) {
                return Err(ConformError::Stopped);
            }
            let answer = ask(&file.line(case)?)?;
            let (grade, slack) = match &answer {
                Ok(line) => grade(case, line, tolerance),
                Err(reason) => (*reason, None),
            };
            answers.push(Graded {
                id: case.id.clone(),
                topic: file.topic.clone(),
                flags: case.flags.clone(),
                answered: answer.unwrap_or_default().chars().take(SHOWN).collect(),
                right: case.answer.clone(),
                grade,
                slack,
            });
        }
    }
    Ok(answers)
}
