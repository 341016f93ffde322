//! One process: a node with its sockets, its state file and its key.

use crate::{Failure, GUESS, Plan, value_of};
use muffliato_node::link::{Link, SecretKey, TAG, agree};
use muffliato_node::{Body, HEADER, Header, Message, Node, NodeError, NodeProtocol};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// How long a node waits before it asks for what is missing.
const PATIENCE: Duration = Duration::from_millis(300);

enum Event {
    /// A frame from a neighbour.
    Frame(Vec<u8>),
    /// A line of the bulletin board.
    Board(String),
}

struct Participant<'a> {
    node: Node,
    links: BTreeMap<usize, Link>,
    ports: BTreeMap<usize, u16>,
    streams: BTreeMap<usize, TcpStream>,
    state: &'a Path,
    /// The time of the last answer to a greeting of each peer.
    answered: BTreeMap<usize, Instant>,
    /// The time of the last request.
    asked: Instant,
    /// Number of events until this process crashes, for tests.
    die: Option<usize>,
}

/// Takes part in the run, from the start or from the state on file.
pub fn run(
    plan: &Plan,
    number: usize,
    board: u16,
    folder: &Path,
    die: Option<usize>,
) -> Result<(), Failure> {
    let secret = secret_key(&folder.join(format!("{number}.key")))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut board = TcpStream::connect((Ipv4Addr::LOCALHOST, board))?;
    let public: String = secret.public().iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(board, "join {number} {} {public}", listener.local_addr()?.port())?;

    let (sender, events) = channel();
    listen_to_board(board.try_clone()?, sender.clone());
    let mut ports = BTreeMap::new();
    let mut publics: BTreeMap<usize, [u8; 32]> = BTreeMap::new();
    loop {
        match events.recv()? {
            Event::Board(line) if line == "go" => break,
            Event::Board(line) => {
                if let ["at", node, port, public] = line.split(' ').collect::<Vec<_>>()[..] {
                    ports.insert(node.parse()?, port.parse()?);
                    publics.insert(node.parse()?, bytes_of(public)?);
                }
            }
            Event::Frame(_) => {}
        }
    }
    let agreed = plan.agreed()?;
    listen_to_neighbours(listener, sender, agreed.longest_message());

    let state = folder.join(format!("{number}.state"));
    let (mut keys, mut links) = (Vec::new(), BTreeMap::new());
    let peers = peers(&agreed, number);
    let peers: Vec<(usize, [u8; 32])> =
        peers.into_iter().map(|peer| (peer, publics[&peer])).collect();
    let masks = agreed.protocol().mask_graph(0)?;
    for ((peer, key), link) in agree(&agreed, number, &secret, &peers)? {
        if masks.as_ref().is_some_and(|masks| masks.has_edge(number, peer)) {
            keys.push((peer, key));
        }
        links.insert(peer, link);
    }
    let node = match fs::read(&state) {
        Ok(bytes) => Node::restore(&agreed, number, &Zeroizing::new(bytes))?,
        // Any other failure must not draw noise again.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            agreed.node(number, vec![GUESS], plan.secrets(keys))?
        }
        Err(error) => return Err(error.into()),
    };
    let (streams, answered, asked) = (BTreeMap::new(), BTreeMap::new(), Instant::now());
    let mut participant =
        Participant { node, links, ports, streams, state: &state, answered, asked, die };
    participant.participate(&events)?;
    let output = participant.node.output().ok_or("the run is finished")?[0];
    let (_, dropped, steps) = participant.node.record();
    let dropped = serde_json::to_string(&dropped)?;
    writeln!(board, "done {number} {:x} {steps} {dropped}", output.to_bits())?;
    // Others may still ask for the last message.
    participant.serve(&events)
}

fn peers(agreed: &Arc<NodeProtocol>, number: usize) -> Vec<usize> {
    // Masks are on the edges that gossip.
    agreed
        .protocol()
        .fixed_network()
        .map_or(vec![], |network| network.graph().neighbours(number).collect())
}

impl Participant<'_> {
    fn participate(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        if self.node.model().is_some() {
            self.greet();
        } else if self.node.output().is_none() {
            self.send_values()?;
        }
        while self.node.output().is_none() {
            self.take(events)?;
            if self.node.model().is_some() {
                match self.node.inject_value(&[value_of(self.node.number())]) {
                    Ok(()) => {}
                    Err(NodeError::NotGreeted { .. }) => continue,
                    Err(error) => return Err(error.into()),
                }
                self.save()?;
                self.send_values()?;
            }
            while self.node.advance()? {
                self.save()?;
                if self.node.output().is_none() {
                    self.send_values()?;
                }
            }
        }
        Ok(())
    }

    /// Answers requests until the board says that all are done.
    fn serve(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        loop {
            match events.recv() {
                Ok(Event::Board(line)) if line == "end" => return Ok(()),
                Ok(event) => self.handle(event)?,
                Err(_) => return Ok(()),
            }
        }
    }

    /// Waits for an event, and asks for what is missing now and then: also while others ask.
    fn take(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        match events.recv_timeout(PATIENCE.saturating_sub(self.asked.elapsed())) {
            Ok(event) => self.handle(event)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err("the board is gone".into()),
        }
        if self.asked.elapsed() < PATIENCE {
            return Ok(());
        }
        self.asked = Instant::now();
        if self.node.model().is_some() {
            self.greet();
            return Ok(());
        }
        let (missing, ask) = self.node.ask();
        missing.iter().for_each(|&to| self.send(to, &ask));
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Frame(frame) => {
                self.crash_when_due();
                let from =
                    u32::from_le_bytes([frame[24], frame[25], frame[26], frame[27]]) as usize;
                let Some(link) = self.links.get(&from) else { return Ok(()) };
                // What does not open, or is refused, changes nothing and is not answered.
                let most = self.node.protocol().longest_message();
                let Ok(message) = link.open(frame, most) else { return Ok(()) };
                match self.node.receive(&message) {
                    Ok(Some(answer)) => self.send(from, &answer),
                    // Whoever greets has no input yet, and may have missed this greeting.
                    Ok(None) if is_greeting(&message) && self.node.model().is_none() => {
                        let last = self.answered.get(&from);
                        if last.is_none_or(|last| last.elapsed() >= PATIENCE) {
                            self.answered.insert(from, Instant::now());
                            let hello = self.node.hello();
                            self.send(from, &hello);
                        }
                    }
                    Err(error @ NodeError::Conflict { .. }) => return Err(error.into()),
                    _ => {}
                }
            }
            Event::Board(line) => match line.split(' ').collect::<Vec<_>>()[..] {
                ["at", node, port, _] => {
                    let node = node.parse()?;
                    self.ports.insert(node, port.parse()?);
                    self.streams.remove(&node);
                }
                ["gone", node] => {
                    let node = node.parse()?;
                    if self.node.neighbours().contains(&node) && self.node.output().is_none() {
                        match self.node.drop_out(node) {
                            Ok(()) => self.save()?,
                            Err(NodeError::DroppedOut { .. }) => {} // before a restart
                            Err(error) => return Err(error.into()),
                        }
                    }
                }
                _ => {}
            },
        }
        Ok(())
    }

    fn greet(&mut self) {
        let hello = self.node.hello();
        self.node.peers().to_vec().into_iter().for_each(|peer| self.send(peer, &hello));
    }

    fn send_values(&mut self) -> Result<(), Failure> {
        let message = self.node.message()?;
        for to in self.node.neighbours() {
            self.crash_when_due();
            self.send(to, &message);
        }
        Ok(())
    }

    /// Sends over the link. A failure is not an error: whoever misses a message asks for it.
    fn send(&mut self, to: usize, message: &Message) {
        let Some(link) = self.links.get(&to) else { return };
        let Ok(frame) = link.seal(message) else { return };
        for _ in 0..2 {
            if !self.streams.contains_key(&to) {
                let stream = self
                    .ports
                    .get(&to)
                    .map(|port| TcpStream::connect((Ipv4Addr::LOCALHOST, *port)));
                let Some(Ok(stream)) = stream else { return };
                let _ = stream.set_nodelay(true);
                self.streams.insert(to, stream);
            }
            match self.streams.get_mut(&to).map(|stream| stream.write_all(&frame)) {
                Some(Ok(())) => return,
                _ => self.streams.remove(&to),
            };
        }
    }

    fn save(&mut self) -> Result<(), Failure> {
        self.crash_when_due();
        replace(self.state, &self.node.save())?;
        self.crash_when_due();
        Ok(())
    }

    fn crash_when_due(&mut self) {
        if let Some(events) = &mut self.die {
            *events -= 1;
            if *events == 0 {
                std::process::exit(9);
            }
        }
    }
}

fn is_greeting(message: &Message) -> bool {
    matches!(message.body, Body::Hello(_))
}

/// Replaces a file that only its owner may read, as a whole: afterwards it is on the disk.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let new = path.with_extension("new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(new, path)?;
    Ok(fs::File::open(path.parent().ok_or("a file is in a folder")?)?.sync_all()?)
}

/// Reads the secret key of this node, or draws it.
fn secret_key(path: &Path) -> Result<SecretKey, Failure> {
    let bytes = match fs::read(path) {
        Ok(bytes) => Zeroizing::new(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = muffliato::fast::noise::SharedKey::random()?;
            replace(path, key.bytes())?;
            Zeroizing::new(key.bytes().to_vec())
        }
        Err(error) => return Err(error.into()),
    };
    Ok(SecretKey::new(bytes[..].try_into().map_err(|_| "the key has 32 bytes")?))
}

pub fn bytes_of(hex: &str) -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    for (place, byte) in bytes.iter_mut().enumerate() {
        let digits = hex.get(2 * place..2 * place + 2).ok_or("a key has 64 digits")?;
        *byte = u8::from_str_radix(digits, 16)?;
    }
    Ok(bytes)
}

fn listen_to_board(board: TcpStream, events: Sender<Event>) {
    std::thread::spawn(move || {
        for line in BufReader::new(board).lines().map_while(Result::ok) {
            if events.send(Event::Board(line)).is_err() {
                return;
            }
        }
        std::process::exit(1); // the board is gone
    });
}

fn listen_to_neighbours(listener: TcpListener, events: Sender<Event>, most: usize) {
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let events = events.clone();
            std::thread::spawn(move || {
                let mut stream = BufReader::new(stream);
                while let Some(frame) = read_frame(&mut stream, most) {
                    if events.send(Event::Frame(frame)).is_err() {
                        return;
                    }
                }
            });
        }
    });
}

/// Reads one frame; a header that is not one ends the connection.
fn read_frame(stream: &mut impl Read, most: usize) -> Option<Vec<u8>> {
    let mut frame = vec![0; HEADER];
    stream.read_exact(&mut frame).ok()?;
    let length = Header::read(&frame, most).ok()?.length + TAG;
    frame.resize(length, 0);
    stream.read_exact(&mut frame[HEADER..]).ok()?;
    Some(frame)
}
