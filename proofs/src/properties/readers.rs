//! Readers: every byte string is answered, and what is written is read back.

use super::matrices::any_graph;
use crate::{Choices, Fault, claim, cover};
use muffliato_model::{
    cores::{edge_line, fill_pairs, graph6_line, matrix_line},
    readers::EdgeLineProblem,
};

/// A byte string of up to N bytes: the bytes, and how many count.
fn any_bytes<C: Choices, const N: usize>(
    choices: &mut C,
    meaningful: &'static [u8],
) -> ([u8; N], usize) {
    let length = choices.index(N);
    let mut bytes = [0; N];
    for place in 0..N {
        if place < length {
            bytes[place] = choices.byte(meaningful);
        }
    }
    (bytes, length)
}

/// All readers answer on these bytes, with a graph or with an error that has a remedy.
#[cfg(not(kani))]
fn claim_readers_answer(bytes: &[u8]) {
    use muffliato_model::readers::{Format, read};
    for format in [
        Format::EdgeList,
        Format::MatrixMarket,
        Format::Graph6,
        Format::NodeLink,
    ] {
        match read(format, bytes) {
            Ok(reading) => claim!(reading.graph.nodes() > 0, "a graph has nodes"),
            Err(error) => claim!(error.to_string().contains(';'), "an error says what to do"),
        }
    }
}

pub(crate) fn edge_lines_are_answered<C: Choices, const N: usize>(
    choices: &mut C,
    fault: Fault,
) -> Option<()> {
    let (bytes, length) = any_bytes::<C, N>(choices, b"a0 \t,#\r\n\"{\xff");
    let line = &bytes[..length];
    let answer = edge_line(line);
    match answer {
        Ok(Some(edge)) => {
            let spare = usize::from(fault.planted());
            claim!(
                !edge.first.is_empty() && !edge.second.is_empty(),
                "no label is empty"
            );
            claim!(
                edge.first.len() + edge.second.len() + spare < length,
                "two labels and a separator fit into the line"
            );
            for byte in edge.first.iter().chain(edge.second) {
                claim!(
                    *byte != b',' && (!byte.is_ascii_control() || *byte == b'\t'),
                    "no label has a comma or a control character"
                );
            }
        }
        Ok(None) => {
            let mut visible = 0;
            for byte in line.iter().rev() {
                if !byte.is_ascii_whitespace() {
                    visible = *byte;
                }
            }
            claim!(
                visible == 0 || visible == b'#' || visible == b'%',
                "only blanks and comments are passed over"
            );
        }
        Err(EdgeLineProblem::ControlCharacter { column, found }) => {
            claim!(
                1 <= column && column <= length && line[column - 1] == found,
                "the character is where it is said to be"
            );
        }
        Err(_) => {}
    }
    #[cfg(not(kani))]
    claim_readers_answer(line);
    cover!(choices, matches!(answer, Ok(Some(_))), "an edge");
    cover!(choices, matches!(answer, Ok(None)), "no edge");
    cover!(choices, answer.is_err(), "a line that is refused");
    Some(())
}

pub(crate) fn graph6_lines_are_answered<C: Choices, const N: usize>(
    choices: &mut C,
    fault: Fault,
) -> Option<()> {
    let (bytes, length) = any_bytes::<C, N>(choices, b"?@ABC_~}w \n");
    let text = &bytes[..length];
    let answer = graph6_line(text);
    if let Ok(graph) = answer {
        let nodes = graph.nodes() + usize::from(fault.planted());
        let pairs = nodes * nodes.saturating_sub(1) / 2;
        claim!(
            length == 1 + pairs.div_ceil(6),
            "a short text has one byte for the nodes and one for six pairs"
        );
        let (mut edges, mut ones) = (0, 0);
        for v in 0..=4 {
            for u in 0..=4 {
                let edge = graph.has_edge(u, v);
                claim!(!edge || u < v && v < nodes, "edges join nodes");
                edges += u32::from(edge);
            }
        }
        for byte in text.iter().skip(1) {
            ones += (byte - 63).count_ones();
        }
        claim!(nodes > 5 || edges == ones, "every bit is an edge");
    }
    #[cfg(not(kani))]
    claim_readers_answer(text);
    cover!(
        choices,
        matches!(answer, Ok(graph) if graph.nodes() == 4),
        "a graph"
    );
    cover!(choices, answer.is_err(), "a text that is refused");
    Some(())
}

/// Whether the line begins with so many numbers and has at most one field more; if so, they are as they should be.
fn claim_numbers_are_whole<const NUMBERS: usize>(line: &str, fault: Fault) -> bool {
    let Some((numbers, rest)) = matrix_line::<NUMBERS>(line) else {
        return false;
    };
    let (mut fields, mut beyond, mut inside) = (0, 1, false);
    for byte in line.bytes() {
        let visible = !byte.is_ascii_whitespace();
        fields += usize::from(visible && !inside);
        inside = visible;
        if !fault.planted() {
            beyond *= 10;
        }
    }
    claim!(
        fields == NUMBERS + usize::from(rest.is_some()),
        "no field is passed over"
    );
    for number in numbers {
        claim!(number < beyond, "a number is as long as its digits");
    }
    true
}

pub(crate) fn matrix_lines_are_answered<C: Choices, const N: usize>(
    choices: &mut C,
    fault: Fault,
) -> Option<()> {
    let (bytes, length) = any_bytes::<C, N>(choices, b"019 \t-x\x0b");
    for place in 0..N {
        choices.assume(place >= length || bytes[place].is_ascii())?;
    }
    let Ok(line) = std::str::from_utf8(&bytes[..length]) else {
        claim!(false, "ASCII is UTF-8");
        return None;
    };
    let one = claim_numbers_are_whole::<1>(line, fault);
    let two = claim_numbers_are_whole::<2>(line, fault);
    claim!(!(one && two) || length > 2, "two numbers need three bytes");
    #[cfg(not(kani))]
    {
        let file = format!("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n{line}");
        claim_readers_answer(file.as_bytes());
    }
    cover!(choices, N < 3 || two, "two numbers");
    cover!(choices, !one && !two, "a line that is refused");
    Some(())
}

/// N nodes, at most 62: the number of nodes is one byte.
pub(crate) fn graph6_is_read_as_written<C: Choices, const N: usize>(
    choices: &mut C,
    fault: Fault,
) -> Option<()> {
    let mut edges = any_graph::<C, N>(choices);
    let mut text = [0; 8];
    let length = 1 + (N * (N - 1) / 2).div_ceil(6);
    let pairs = (0..N).flat_map(|v| (0..v).map(move |u| (u, v)));
    fill_pairs(pairs.filter(|&(u, v)| edges[u][v]), &mut text[1..length]);
    text[0] = N as u8;
    for byte in &mut text[..length] {
        *byte += 63;
    }
    if fault.planted() && N > 1 {
        edges[0][1] = !edges[0][1];
    }
    let Ok(read) = graph6_line(&text[..length]) else {
        claim!(false, "what is written is read");
        return None;
    };
    claim!(read.nodes() == N, "the nodes are those that were written");
    for v in 0..N {
        for u in 0..v {
            claim!(
                read.has_edge(u, v) == edges[u][v],
                "the edges are those that were written"
            );
        }
    }
    #[cfg(not(kani))]
    {
        use muffliato_model::{
            Graph,
            readers::{from_graph6, graph6},
        };
        let all = (0..N).flat_map(|v| (0..v).map(move |u| (u, v)));
        let graph = Graph::try_new(N, all.filter(|&(u, v)| edges[u][v])).expect("a graph");
        claim!(
            from_graph6(&graph6(&graph)) == Ok(graph),
            "the whole text is read as it was written"
        );
    }
    cover!(choices, N < 2 || edges[0][1], "an edge");
    Some(())
}
