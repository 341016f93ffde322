//! Readers: every byte string gets an answer, and written graphs are read back.

use super::matrices::any_graph;
use crate::{Case, Choices, claim, cover};
use muffliato_io::cores::leading_numbers;
use muffliato_model::graph6::{fill_pairs, graph6_line};

/// Chooses a byte string of up to N bytes; returns the bytes and the length.
fn any_bytes<const N: usize>(
    choices: &mut impl Choices,
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

/// Checks that all readers answer with a graph or with an error that has a remedy.
#[cfg(not(kani))]
fn claim_readers_answer(bytes: &[u8]) {
    use muffliato_io::{Format, read};
    for format in [Format::EdgeList, Format::MatrixMarket, Format::Graph6, Format::NodeLink] {
        match read(format, bytes) {
            Ok(reading) => claim!(reading.graph.nodes() > 0, "a graph has nodes"),
            Err(error) => claim!(error.to_string().contains(';'), "an error says what to do"),
        }
    }
}

pub fn graph6_lines_are_answered<const N: usize>(choices: &mut impl Choices) -> Case {
    let (bytes, length) = any_bytes::<N>(choices, b"?@ABC_~}w \n");
    let text = &bytes[..length];
    let answer = graph6_line(text);
    if let Ok(graph) = answer {
        let nodes = graph.nodes();
        let pairs = nodes * nodes.saturating_sub(1) / 2;
        claim!(length == 1 + pairs.div_ceil(6), "one byte for the nodes, one for six pairs");
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
    cover!(choices, matches!(answer, Ok(graph) if graph.nodes() == 4), "a graph");
    cover!(choices, answer.is_err(), "a text that is refused");
    Some(())
}

/// Returns the values of `NUMBERS` fields of up to 9 digits at the beginning of a line and where
/// they end; `None` for other lines.
fn digits<const NUMBERS: usize>(line: &[u8]) -> Option<([u64; NUMBERS], usize)> {
    let (mut numbers, mut field, mut end) = ([0; NUMBERS], 0, 0);
    let (mut inside, mut all_digits) = (false, true);
    for place in 0..line.len() {
        let byte = line[place];
        let blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r');
        if !blank && !inside {
            field += 1;
        }
        inside = !blank;
        if inside && field <= NUMBERS {
            all_digits &= byte.is_ascii_digit();
            numbers[field - 1] = numbers[field - 1] * 10 + u64::from(byte & 15);
            end = place + 1;
        }
    }
    (field >= NUMBERS && all_digits).then_some((numbers, end))
}

/// Checks the reader of `NUMBERS` numbers; returns `true` if the line begins with them.
fn claim_numbers_are_read<const NUMBERS: usize>(line: &[u8]) -> bool {
    let mut numbers = [7; NUMBERS];
    let answer = leading_numbers(line, &mut numbers);
    let expected = digits::<NUMBERS>(line);
    claim!(answer == expected.map(|(_, end)| end), "whole numbers are read, to their end");
    let Some((expected, _)) = expected else {
        return false;
    };
    for place in 0..NUMBERS {
        claim!(numbers[place] == expected[place], "a number is what its digits say");
    }
    true
}

pub fn matrix_lines_are_answered<const N: usize>(choices: &mut impl Choices) -> Case {
    let (bytes, length) = any_bytes::<N>(choices, b"019 \t-+x\x0b");
    let line = &bytes[..length];
    let one = claim_numbers_are_read::<1>(line);
    let two = claim_numbers_are_read::<2>(line);
    claim!(!two || one && length > 2, "two numbers need three bytes");
    #[cfg(not(kani))]
    {
        let mut file = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n".to_vec();
        file.extend(line);
        claim_readers_answer(&file);
    }
    cover!(choices, one, "a number");
    cover!(choices, (N < 3) | two, "two numbers");
    cover!(choices, !one, "a line that is refused");
    Some(())
}

/// N nodes, at most 62, so that the number of nodes is one byte.
pub fn graph6_is_read_as_written<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_graph::<N>(choices);
    let mut text = [0; 8];
    let length = 1 + (N * (N - 1) / 2).div_ceil(6);
    // A loop per coordinate, since a model checker does not finish a filter by symbolic edges.
    for v in 0..N {
        for u in 0..v {
            if edges[u][v] {
                fill_pairs(std::iter::once((u, v)), &mut text[1..length]);
            }
        }
    }
    text[0] = N as u8;
    for byte in &mut text[..length] {
        *byte += 63;
    }
    let Ok(read) = graph6_line(&text[..length]) else {
        claim!(false, "what is written is read");
        return None;
    };
    claim!(read.nodes() == N, "the nodes are those that were written");
    for v in 0..N {
        for u in 0..v {
            claim!(read.has_edge(u, v) == edges[u][v], "the edges are those that were written");
        }
    }
    #[cfg(not(kani))]
    {
        use muffliato_model::graph6::{from_graph6, graph6};
        let graph = super::matrices::graph(&edges);
        claim!(from_graph6(&graph6(&graph)) == Ok(graph), "the text is read as written");
    }
    cover!(choices, N < 2 || edges[0][1], "an edge");
    Some(())
}
