//! Lines of fields: how a text is split into rows, and which separator it uses.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::error::excerpt;
use crate::{ErrorKind, ReadError};

/// A separator of the fields of a line.
///
/// ```
/// use muffliato_io::Delimiter;
///
/// assert_eq!("tab".parse(), Ok(Delimiter::Character('\t')));
/// assert_eq!("|".parse(), Ok(Delimiter::Character('|')));
/// assert_eq!("space".parse(), Ok(Delimiter::Blanks));
/// assert!("a".parse::<Delimiter>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// One or more spaces or tabs.
    Blanks,
    /// This character; blanks around fields do not count.
    Character(char),
}

/// A text that names no delimiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelimiterError {
    /// The text.
    pub text: String,
}

impl fmt::Display for DelimiterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = "write comma, semicolon, tab, space, or one sign such as '|' that is no letter, digit, quote or bracket";
        write!(f, "{:?} is no delimiter; {remedy}", self.text)
    }
}

impl std::error::Error for DelimiterError {}

impl FromStr for Delimiter {
    type Err = DelimiterError;

    fn from_str(text: &str) -> Result<Self, DelimiterError> {
        match text {
            "comma" => return Ok(Self::Character(',')),
            "semicolon" => return Ok(Self::Character(';')),
            "tab" | "\\t" | "\t" => return Ok(Self::Character('\t')),
            "space" | "spaces" | " " => return Ok(Self::Blanks),
            _ => {}
        }
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(sign), None) if sign.is_ascii_punctuation() && !"\"'([{}])".contains(sign) => {
                Ok(Self::Character(sign))
            }
            _ => Err(DelimiterError { text: excerpt(text) }),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blanks => f.write_str("spaces"),
            Self::Character('\t') => f.write_str("tabs"),
            Self::Character(sign) => write!(f, "'{sign}'"),
        }
    }
}

/// A field of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<'a> {
    /// Without the quotes and the blanks around it.
    pub text: Cow<'a, str>,
    pub quoted: bool,
}

/// A line that counts, its number, and its fields.
#[derive(Clone, Debug)]
pub(crate) struct Row<'a> {
    pub text: &'a str,
    pub line: usize,
    pub fields: Vec<Field<'a>>,
}

impl<'a> Row<'a> {
    /// Splits a line into its fields; see [`split`].
    pub fn split((text, line): (&'a str, usize), delimiter: Delimiter) -> Result<Self, ReadError> {
        let fields = split(text, delimiter).map_err(|column| {
            let problem = format!("column {column} has a quote out of place");
            let remedy = "quote whole fields by \" and write \"\" for a quote within";
            at_line((text, line), &problem, remedy)
        })?;
        Ok(Self { text, line, fields })
    }

    /// Returns the error of a problem with the line, which it shows.
    pub fn error(&self, problem: &str, remedy: &'static str) -> ReadError {
        at_line((self.text, self.line), problem, remedy)
    }

    /// Returns the error of a line with a single label.
    pub fn one_label(&self) -> ReadError {
        let remedy = "separate them by a comma, a tab or spaces, or begin a comment with '#'";
        self.error("there is one label, and an edge needs two", remedy)
    }

    /// Returns the error of a line with another number of columns than those before.
    pub fn other_columns(&self, expected: usize) -> ReadError {
        let found = self.fields.len();
        let problem = format!("there are {found} columns, and {expected} in the lines before");
        let remedy = "give every line the same number (quote labels that contain the separator, or give --delimiter); an adjacency list needs a line for each node";
        self.error(&problem, remedy)
    }
}

/// Returns the error of a problem with a line, which it shows.
fn at_line((text, line): (&str, usize), problem: &str, remedy: &'static str) -> ReadError {
    ReadError::line(line, format!("{:?}: {problem}", excerpt(text)), remedy)
}

/// Returns the lines that are neither blank nor comments (which begin with `#` or `%`), with their numbers. A control
/// character is an error.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Result<(&str, usize), ReadError>> {
    text.split('\n').zip(1..).filter_map(|(text, line)| {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let control = |byte: u8| byte.is_ascii_control() && byte != b'\t';
        if let Some(at) = text.bytes().position(control) {
            let (column, found) = (at + 1, text.as_bytes()[at]);
            let problem = format!("column {column} has the control character {found:#04x}");
            let remedy = "save the file as UTF-8 with lines that end in \\n or \\r\\n";
            return Some(Err(at_line((text, line), &problem, remedy)));
        }
        let visible = text.trim_ascii_start();
        let counts = !visible.is_empty() && !visible.starts_with(['#', '%']);
        counts.then_some(Ok((text, line)))
    })
}

/// Splits a line into its fields. A field may be quoted by `"`, and `""` is a quote in it; attributes in braces
/// (`{'weight': 4}`) are one field up to the end of the line. The error is the column of a quote out of place.
pub(crate) fn split(line: &str, delimiter: Delimiter) -> Result<Vec<Field<'_>>, usize> {
    let mut fields = Vec::new();
    let blank = |sign: char| sign == ' ' || sign == '\t' && delimiter != Delimiter::Character('\t');
    let ends = |sign: char| match delimiter {
        Delimiter::Blanks => blank(sign),
        Delimiter::Character(character) => sign == character,
    };
    let line = line.trim_end_matches(blank);
    let out_of_place = |rest: &str| line.len() - rest.len() + 1;
    let unquoted_field = |text| Field { text: Cow::Borrowed(text), quoted: false };
    let mut rest = line.trim_start_matches(blank);
    loop {
        if rest.starts_with('{') && rest.ends_with('}') && !fields.is_empty() {
            fields.push(unquoted_field(rest));
            return Ok(fields);
        }
        let field;
        (field, rest) = match rest.strip_prefix('"') {
            Some(inner) => {
                let (text, after) = unquoted(inner).ok_or_else(|| out_of_place(rest))?;
                (Field { text, quoted: true }, after.trim_start_matches(blank))
            }
            None => {
                let end = rest.find(ends).unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                let text = text.trim_matches(blank);
                if text.contains('"') {
                    return Err(out_of_place(rest));
                }
                (unquoted_field(text), after)
            }
        };
        let quoted = field.quoted;
        fields.push(field);
        if rest.is_empty() {
            return Ok(fields);
        }
        rest = match delimiter {
            Delimiter::Blanks if quoted && !line[..line.len() - rest.len()].ends_with(blank) => {
                return Err(out_of_place(rest));
            }
            Delimiter::Blanks => rest.trim_start_matches(blank),
            Delimiter::Character(sign) => {
                rest.strip_prefix(sign).ok_or_else(|| out_of_place(rest))?.trim_start_matches(blank)
            }
        };
    }
}

/// Returns the text up to the closing quote, and what follows it. `None` without a closing quote, and where a backslash before
/// it leaves open whether it closes.
fn unquoted(inner: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut text = Cow::Borrowed("");
    let mut rest = inner;
    loop {
        let (part, after) = rest.split_once('"')?;
        if part.ends_with('\\') {
            return None;
        }
        if text.is_empty() {
            text = part.into();
        } else {
            text.to_mut().push_str(part);
        }
        rest = match after.strip_prefix('"') {
            Some(more) => {
                text.to_mut().push('"');
                more
            }
            None => return Some((text, after)),
        };
    }
}

/// The lines of a text, split into fields.
#[derive(Clone, Debug)]
pub(crate) struct Table<'a> {
    pub delimiter: Delimiter,
    pub rows: Vec<Row<'a>>,
}

impl<'a> Table<'a> {
    /// Splits all lines of a text.
    pub fn split(text: &'a str, delimiter: Delimiter) -> Result<Self, ReadError> {
        let rows = lines(text).map(|line| Row::split(line?, delimiter));
        Ok(Self { delimiter, rows: rows.collect::<Result<_, _>>()? })
    }

    /// Returns the number of fields in the first line.
    pub fn first(&self) -> usize {
        self.rows.first().map_or(0, |row| row.fields.len())
    }

    /// Returns the number of fields in the second line; in the first if there is no other.
    pub fn columns(&self) -> usize {
        self.rows.get(1).map_or(self.first(), |row| row.fields.len())
    }

    /// Returns the table if all lines after the first have the same number of fields, at least two; otherwise the error
    /// of the first line that differs.
    pub fn even(self) -> Result<Self, ReadError> {
        let columns = self.columns();
        match self.rows.iter().skip(1).find(|row| row.fields.len() != columns.max(2)) {
            None => Ok(self),
            Some(row) if row.fields.len() == 1 => Err(row.one_label()),
            Some(row) => Err(row.other_columns(columns)),
        }
    }
}

/// Returns the table of a text by the delimiter with which all lines have the same number of fields, two or more (the
/// first line may have one field, or one fewer than the others). If there is none, the error of the delimiter that the text
/// seems to use; if there are several, an error that says so.
pub(crate) fn detect(text: &str) -> Result<Table<'_>, ReadError> {
    let fits = |delimiter: Delimiter| {
        let table = Table::split(text, delimiter).and_then(Table::even).ok()?;
        let (first, columns) = (table.first(), table.columns());
        let all =
            |like: fn(&str) -> bool| table.rows[0].fields.iter().all(|field| like(&field.text));
        let fits = columns >= 2
            && match columns.checked_sub(first) {
                Some(0) => true,
                // The number of nodes, or names of all columns but the first.
                _ if first == 1 => all(|field| field.parse::<u64>().is_ok()),
                Some(1) => all(|field| !is_number(field)),
                _ => false,
            };
        fits.then_some(table)
    };
    let signs = [',', ';', '\t'].map(Delimiter::Character);
    let mut fitting: Vec<Table<'_>> = signs.into_iter().filter_map(fits).collect();
    if let [first, second] = &fitting[..]
        && second.delimiter == Delimiter::Character('\t')
    {
        // Blanks around other signs, or signs within fields between tabs.
        let mut fields = first.rows.iter().flat_map(|row| &row.fields);
        let within = fields.any(|field| field.text.contains('\t'));
        fitting.remove(usize::from(!within));
    }
    if let [first, second, ..] = &fitting[..] {
        return Err(two_delimiters(first.delimiter, second.delimiter));
    }
    let Some(table) = fitting.pop() else {
        return fits(Delimiter::Blanks).ok_or_else(|| ragged(text));
    };
    if let Delimiter::Character(sign @ (',' | ';')) = table.delimiter
        && only_between_digits(text, sign)
        && fits(Delimiter::Blanks).is_some()
    {
        return Err(two_delimiters(table.delimiter, Delimiter::Blanks));
    }
    Ok(table)
}

fn two_delimiters(first: Delimiter, second: Delimiter) -> ReadError {
    let problem = format!("fields could be separated by {first} or by {second}");
    let remedy = "say which with the delimiter (--delimiter on the command line)";
    ReadError::new(ErrorKind::Unclear, problem, remedy)
}

/// Returns the delimiter that a text without a consistent one seems to use: the first sign that occurs in it, else blanks.
pub(crate) fn apparent(text: &str) -> Delimiter {
    let occurs = |sign: char| lines(text).flatten().any(|(line, _)| line.contains(sign));
    let sign = [',', ';', '\t'].into_iter().find(|&sign| occurs(sign));
    sign.map_or(Delimiter::Blanks, Delimiter::Character)
}

/// Returns the error of a text that no delimiter splits evenly.
fn ragged(text: &str) -> ReadError {
    let table = match Table::split(text, apparent(text)).and_then(Table::even) {
        Ok(table) => table,
        Err(error) => return error,
    };
    // One line without a separator, or a first line unlike the others.
    match &table.rows[..] {
        [] => ReadError::no_nodes(),
        [_, second, ..] if table.columns() >= 2 => second.other_columns(table.first()),
        [first, ..] => first.one_label(),
    }
}

/// Returns `true` if every one of these signs stands between two digits, as a decimal comma does.
fn only_between_digits(text: &str, sign: char) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    text.match_indices(sign).all(|(at, _)| digit(at.checked_sub(1)) && digit(at.checked_add(1)))
}

/// Signs that join the two labels of an edge; a longer one comes before those that it contains.
const JOINING: [&str; 14] =
    ["<-->", "<->", "-->", "---", "->", "--", "<=>", "=>", "<>", "↔", "→", "—", "–", "-"];

/// Returns the sign that joins two labels in every line: `--` in `a -- b` and in `a--b`. A lone hyphen joins only
/// between blanks.
pub(crate) fn joining_sign(text: &str) -> Option<&'static str> {
    let sign_of = |(line, _): (&str, usize)| {
        let line = line.trim_ascii();
        // A sign within a quoted label does not count.
        let (quoted, rest) = match line.strip_prefix('"').map(|inner| inner.split_once('"')) {
            None => (false, line),
            Some(closed) => (true, closed.map_or("", |(_, after)| after)),
        };
        let sign = JOINING.into_iter().find(|&sign| match sign {
            "-" => rest.contains(" - "),
            _ => rest.contains(sign),
        })?;
        let before = rest.split(sign).next().unwrap_or_default().trim_ascii();
        let one_label = before.is_empty() == quoted && !before.contains([',', ';', ' ', '\t', '{']);
        one_label.then_some(sign)
    };
    let mut signs = lines(text).flatten().map(sign_of);
    let first = signs.next()??;
    signs.all(|sign| sign == Some(first)).then_some(first)
}

/// Returns why a field is no label of a node, if it is none: it is only punctuation, ends in a colon, or, unless it
/// is quoted or the delimiter was given, has an arrow within.
pub(crate) fn label_flaw(field: &Field<'_>, given: bool) -> Option<&'static str> {
    let text = &*field.text;
    let arrow = |sign: &&str| *sign != "-" && text.contains(*sign);
    if !text.contains(char::is_alphanumeric) {
        Some("is only punctuation, and is no node")
    } else if text.ends_with([':', '：']) {
        Some("ends in a colon, and is no node")
    } else if !given && !field.quoted && (JOINING.iter().any(arrow) || text.contains("\\[")) {
        Some("has an arrow within, as an edge has")
    } else {
        None
    }
}

/// Returns `true` if a number is written with no digit but 0 before its exponent.
pub(crate) fn is_zero(text: &str) -> bool {
    let mantissa = text.split(['e', 'E', '/']).next().unwrap_or_default();
    is_number(text) && !mantissa.contains(|sign: char| ('1'..='9').contains(&sign))
}

/// Returns `true` if a field is a number: a decimal or a fraction, finite, and not a word such as `nan`.
pub(crate) fn is_number(text: &str) -> bool {
    number(text).is_some()
}

/// Parses a decimal or a fraction; `None` for other texts and for what f64 rounds to 0 or infinity.
pub(crate) fn number(text: &str) -> Option<f64> {
    if let Some((above, below)) = text.split_once('/') {
        let (above, below): (i64, i64) = (above.parse().ok()?, below.parse().ok()?);
        return (below != 0).then(|| above as f64 / below as f64);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = digits.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.');
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    let vanishes =
        |value: f64| value == 0.0 && mantissa.contains(|sign: char| ('1'..='9').contains(&sign));
    text.parse().ok().filter(|&value: &f64| begins && value.is_finite() && !vanishes(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMA: Delimiter = Delimiter::Character(',');
    const SEMICOLON: Delimiter = Delimiter::Character(';');
    const TAB: Delimiter = Delimiter::Character('\t');

    fn fields(line: &str, delimiter: Delimiter) -> Result<Vec<String>, usize> {
        let fields = split(line, delimiter)?;
        Ok(fields.into_iter().map(|field| field.text.into_owned()).collect())
    }

    #[test]
    fn quotes_protect_separators() {
        let cases = [
            ("\"Smith, J\",\"Doe, A\"", COMMA, vec!["Smith, J", "Doe, A"]),
            ("\"a\"\"b\" , c,", COMMA, vec!["a\"b", "c", ""]),
            ("\"\"\"\",\"\"", COMMA, vec!["\"", ""]),
            ("\"New York\" Boston", Delimiter::Blanks, vec!["New York", "Boston"]),
            ("\"1\" \"a\" \"b\"", Delimiter::Blanks, vec!["1", "a", "b"]),
            ("a\t\"b\"\t", TAB, vec!["a", "b", ""]),
            ("\ta", TAB, vec!["", "a"]),
            (
                "0 1 {'weight': 4, 'x': 2}",
                Delimiter::Blanks,
                vec!["0", "1", "{'weight': 4, 'x': 2}"],
            ),
            ("0,1,{'weight': 4, 'x': 2}", COMMA, vec!["0", "1", "{'weight': 4, 'x': 2}"]),
        ];
        for (line, delimiter, expected) in cases {
            assert_eq!(fields(line, delimiter).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn quotes_out_of_place_are_refused() {
        for (line, delimiter, column) in [
            ("a\"b,c", COMMA, 1),
            ("a,\"b", COMMA, 3),
            ("\"a\"b,c", COMMA, 4),
            ("\"a\"\"b\"c d", Delimiter::Blanks, 7),
            ("\"a\"b c", Delimiter::Blanks, 4),
            ("\"a\\\",b\"", COMMA, 1),
        ] {
            assert_eq!(fields(line, delimiter), Err(column), "{line}");
        }
    }

    #[test]
    fn the_delimiter_is_the_one_that_splits_evenly() {
        for (text, delimiter, columns) in [
            ("a b\nb c", Delimiter::Blanks, 2),
            ("0 \t1\n1\t2\n", TAB, 2),
            ("0 1\n1\t2\n", Delimiter::Blanks, 2),
            ("a,b,1\nb,c,2", COMMA, 3),
            ("a, b\nb, c", COMMA, 2),
            ("a,\tb\nb,\tc", COMMA, 2),
            ("a;b\nb;c", SEMICOLON, 2),
            ("Smith, J\tDoe, A\nDoe, A\tRoe, R", TAB, 2),
            ("New York, Boston\nBoston, New York", COMMA, 2),
            ("5\n0 1\n1 2", Delimiter::Blanks, 2),
            ("\"from\" \"to\"\n\"1\" \"a\" \"b\"", Delimiter::Blanks, 3),
            ("1,2\n2,3", COMMA, 2),
        ] {
            let table = detect(text).unwrap();
            assert_eq!((table.delimiter, table.columns()), (delimiter, columns), "{text:?}");
        }
    }

    #[test]
    fn words_are_no_numbers() {
        for text in ["0", "-1", "1e-3", "2.5E-1", ".5", "+7", "1/3"] {
            assert!(is_number(text), "{text}");
        }
        for text in
            ["nan", "inf", "Infinity", "", "-", "a", "1e999", "0x1", "e5", "1/0", "1/2/3", "a/b"]
        {
            assert!(!is_number(text), "{text}");
        }
    }
}
