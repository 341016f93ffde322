//! Edge lists: one edge a line.

use crate::graph_builder::{GraphBuilder, Outcome};
use crate::layout::layout;
use crate::table::{self, Delimiter, Field, Row, Table, is_zero, label_flaw};
use crate::{ErrorKind, Format, Place, ReadError, ReadOptions};

/// Reads an edge list; see [`Format::EdgeList`].
pub(crate) fn read(
    text: &str,
    options: &ReadOptions,
    mut builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    if options.delimiter.is_none()
        && let Some(sign) = table::joining_sign(text)
    {
        return read_joined(text, sign, builder);
    }
    let table = match options.delimiter {
        Some(delimiter) => Table::split(text, delimiter)?.even()?,
        None => {
            check_beginnings(text)?;
            table::detect(text)?
        }
    };
    let layout = layout(&table, options)?;
    let weights = builder.wants_weights().then_some(layout.weights).flatten();
    for row in table.rows.iter().skip(usize::from(layout.skip_first)) {
        let fields = &row.fields;
        let end = |column: usize, label| {
            let field = fields.get(column).ok_or_else(|| row.one_label())?;
            check_label(field, row, label, options.delimiter.is_some())?;
            Ok::<_, ReadError>(&*field.text)
        };
        let first = builder.node(end(layout.ends.0, 1)?)?;
        let second = builder.node(end(layout.ends.1, 2)?)?;
        let zero = |column: usize| fields.get(column).is_some_and(|field| is_zero(&field.text));
        if first != second && !builder.wants_weights() && layout.zeros.is_some_and(zero) {
            let remedy = "remove the line if there is none, or the column if these are no weights";
            return Err(row.error("the weight is 0, as where there is no edge", remedy));
        }
        let weight = weights.and_then(|column| fields.get(column));
        let weight = weight.map(|field| &*field.text);
        builder.add((first, second), Place::Line(row.line), weight)?;
    }
    builder.notes = layout.notes;
    match layout.nodes {
        Some(declared) => builder.declaring(Format::EdgeList, declared, text.len()),
        None => builder.labelled(Format::EdgeList),
    }
}

/// Reads lines of two labels with `sign` between them, such as `a -- b;`.
fn read_joined(text: &str, sign: &str, mut builder: GraphBuilder) -> Result<Outcome, ReadError> {
    for line in table::lines(text) {
        let (text, line) = line?;
        let row = Row { text, line, fields: Vec::new() };
        if sign.contains(['>', '→']) && !sign.contains('<') {
            let problem = "the edge is directed, and gossip needs an undirected graph";
            let remedy = "write 'a -- b' for an edge between a and b";
            return Err(row.error(problem, remedy).of_kind(ErrorKind::Directed));
        }
        let statement = text.trim_ascii_end();
        let statement = statement.strip_suffix(';').unwrap_or(statement);
        let mut ends = [0; 2];
        let mut sides = statement.split(sign);
        for (number, end) in (1..).zip(&mut ends) {
            let side = Row::split((sides.next().unwrap_or_default(), line), Delimiter::Blanks)?;
            let field = match &side.fields[..] {
                [field] if field.quoted || !field.text.contains([',', ';']) => field,
                _ => return Err(other_statement(&row)),
            };
            check_label(field, &row, number, false)?;
            *end = builder.node(&field.text)?;
        }
        if sides.next().is_some() {
            return Err(other_statement(&row));
        }
        builder.add(ends.into(), Place::Line(line), None)?;
    }
    builder.labelled(Format::EdgeList)
}

fn other_statement(row: &Row<'_>) -> ReadError {
    let remedy =
        "write two labels with one '--' between them in each line, and quote labels with blanks";
    row.error("this looks like edges of Graphviz", remedy)
}

/// Returns an error if a line begins with a bracket or a single quote: such labels have separators within.
fn check_beginnings(text: &str) -> Result<(), ReadError> {
    for line in table::lines(text) {
        let (text, line) = line?;
        let row = Row { text, line, fields: Vec::new() };
        match text.trim_ascii_start().as_bytes().first() {
            Some(b'(' | b'[' | b'{') => return Err(bracket(&row, 1)),
            Some(b'\'') => return Err(single_quote(&row, 1)),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the error of a label in brackets, the first or the second of its line.
pub(crate) fn bracket(row: &Row<'_>, label: usize) -> ReadError {
    let problem =
        format!("label {label} of the two has brackets, as Python's tuples and lists have");
    let remedy = "relabel the nodes (networkx.convert_node_labels_to_integers), or quote the labels, or give --delimiter";
    row.error(&problem, remedy)
}

fn single_quote(row: &Row<'_>, label: usize) -> ReadError {
    let problem = format!("label {label} of the two begins with a single quote");
    row.error(&problem, "quote fields by \", or give --delimiter")
}

/// Returns an error if the field is no label: it is empty, only punctuation or ends in a colon, or, unless it is quoted
/// or the delimiter was given, it has an arrow, or brackets or quotes that do not close in it.
fn check_label(
    field: &Field<'_>,
    row: &Row<'_>,
    label: usize,
    given: bool,
) -> Result<(), ReadError> {
    let text = &*field.text;
    if text.is_empty() {
        let problem = format!("label {label} of the two is empty");
        let remedy = "write one label on each side of the separator";
        return Err(row.error(&problem, remedy));
    }
    if let Some(flaw) = label_flaw(field, given) {
        let problem = format!("label {label} of the two {flaw}");
        let remedy = "write one edge a line, such as 'a b' or 'a -- b', or one node a line with its neighbours, such as 'a: b c'";
        return Err(row.error(&problem, remedy));
    }
    if given || field.quoted {
        return Ok(());
    }
    let mut depth = 0_i32;
    let balanced = text.chars().all(|sign| {
        depth += i32::from("([{".contains(sign)) - i32::from(")]}".contains(sign));
        depth >= 0
    });
    if text.starts_with(['(', '[', '{']) || !balanced || depth != 0 {
        return Err(bracket(row, label));
    }
    if text.starts_with('\'') { Err(single_quote(row, label)) } else { Ok(()) }
}
