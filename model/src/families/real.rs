//! Social networks from the literature, small enough for the source.

use crate::{Graph, GraphError};

/// Returns Zachary's karate club: 34 members, 78 pairs of members who met outside the club.
///
/// Node v is the member v + 1 of the paper, as in networkx: 0 is the instructor, 33 the
/// president. The edges are those of W. W. Zachary, "An information flow model for conflict
/// and fission in small groups", Journal of Anthropological Research 33 (1977), 452-473,
/// without the strengths of the ties.
///
/// ```
/// use muffliato_model::families::karate;
///
/// let club = karate()?;
/// assert_eq!((club.nodes(), club.edge_count()), (34, 78));
/// assert_eq!((club.degree(0), club.degree(33)), (16, 17));
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
pub fn karate() -> Result<Graph, GraphError> {
    from_rows(&KARATE)
}

/// Returns the marriages between 15 Florentine families of the fifteenth century, labelled by their
/// names, in the order of networkx. The Pucci, who have no marriage to another of the families, are
/// left out as usual.
///
/// The data are J. F. Padgett's, as published by R. L. Breiger and P. E. Pattison, "Cumulated
/// social roles: the duality of persons and their algebras", Social Networks 8 (1986), 215-256.
///
/// ```
/// use muffliato_model::families::florentine;
///
/// let marriages = florentine()?;
/// assert_eq!((marriages.nodes(), marriages.edge_count()), (15, 20));
/// assert_eq!(marriages.node("Medici").map(|medici| marriages.degree(medici)), Some(6));
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
pub fn florentine() -> Result<Graph, GraphError> {
    let rows = FLORENTINE.map(|(_, above)| above);
    let names = FLORENTINE.map(|(name, _)| name.to_string());
    from_rows(&rows)?.with_labels(names.to_vec())
}

/// Builds the graph in which `rows[u]` holds the neighbours of u above u.
fn from_rows(rows: &[&[usize]]) -> Result<Graph, GraphError> {
    let edges = rows.iter().enumerate().flat_map(|(u, above)| above.iter().map(move |&v| (u, v)));
    Graph::try_new(rows.len(), edges)
}

#[rustfmt::skip]
const KARATE: [&[usize]; 34] = [
    &[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31], // 0
    &[2, 3, 7, 13, 17, 19, 21, 30], // 1
    &[3, 7, 8, 9, 13, 27, 28, 32], // 2
    &[7, 12, 13], // 3
    &[6, 10], // 4
    &[6, 10, 16], // 5
    &[16], // 6
    &[], // 7
    &[30, 32, 33], // 8
    &[33], // 9
    &[], // 10
    &[], // 11
    &[], // 12
    &[33], // 13
    &[32, 33], // 14
    &[32, 33], // 15
    &[], // 16
    &[], // 17
    &[32, 33], // 18
    &[33], // 19
    &[32, 33], // 20
    &[], // 21
    &[32, 33], // 22
    &[25, 27, 29, 32, 33], // 23
    &[25, 27, 31], // 24
    &[31], // 25
    &[29, 33], // 26
    &[33], // 27
    &[31, 33], // 28
    &[32, 33], // 29
    &[32, 33], // 30
    &[32, 33], // 31
    &[33], // 32
    &[], // 33
];

const FLORENTINE: [(&str, &[usize]); 15] = [
    ("Acciaiuoli", &[1]),
    ("Medici", &[5, 6, 7, 8, 9]),
    ("Castellani", &[3, 4, 5]),
    ("Peruzzi", &[4, 11]),
    ("Strozzi", &[6, 11]),
    ("Barbadori", &[]),
    ("Ridolfi", &[7]),
    ("Tornabuoni", &[12]),
    ("Albizzi", &[12, 13]),
    ("Salviati", &[10]),
    ("Pazzi", &[]),
    ("Bischeri", &[12]),
    ("Guadagni", &[14]),
    ("Ginori", &[]),
    ("Lamberteschi", &[]),
];
