//! The exact loss: elimination of a Gram matrix, and the largest form over signs.

use super::matrices::any_symmetric;
use crate::{Case, Choices, claim, cover};
use muffliato_reference::cores::{
    divide_by_content, eliminate, largest_over_signs, quadratic_form, weighted_dot,
};

/// Number of observed messages; two under Kani, which keeps divisions small.
const SEEN: usize = if cfg!(kani) { 2 } else { 3 };

/// The smallest sufficient integer type.
#[cfg(kani)]
type Int = i16;
#[cfg(not(kani))]
type Int = i32;

type Rows<const N: usize> = [[Int; N]; SEEN];

/// Observed rows over N draws, after elimination.
struct View<const N: usize> {
    gram: [[Int; SEEN]; SEEN],
    border: Rows<N>,
    pivots: [usize; SEEN],
    rank: usize,
}

impl<const N: usize> View<N> {
    fn any(choices: &mut impl Choices) -> Self {
        Self::of(choices.array(|choices| choices.array(|choices| choices.small(2).into())))
    }

    fn of(rows: Rows<N>) -> Self {
        let (mut gram, mut border, mut pivots) = ([[0; SEEN]; SEEN], rows, [0; SEEN]);
        for i in 0..SEEN {
            for j in 0..SEEN {
                gram[i][j] = weighted_dot(&rows[i], &rows[j], &[1; N]);
            }
        }
        let rank =
            eliminate(SEEN, gram.as_flattened_mut(), N, border.as_flattened_mut(), &mut pivots);
        Self { gram, border, pivots, rank }
    }

    /// Returns the last determinant, the denominator of the leakages.
    fn denominator(&self) -> Int {
        match self.rank {
            0 => 1,
            rank => {
                let last = self.pivots[rank - 1];
                self.gram[last][last]
            }
        }
    }

    /// Returns the numerator of the leakage of draw u.
    fn leakage(&self, u: usize) -> Int {
        quadratic_form(self.pivots[..self.rank].iter().map(|&i| {
            let entry = &self.border[i][u];
            (&self.gram[i][i], entry, entry)
        }))
    }
}

pub fn leakage_lies_between_zero_and_one<const N: usize>(choices: &mut impl Choices) -> Case {
    let view = View::<N>::any(choices);
    let one = view.denominator();
    claim!(one > 0, "the denominator is positive");
    for u in 0..N {
        let leakage = view.leakage(u);
        claim!(0 <= leakage && leakage <= one, "the leakage lies between nothing and everything");
        cover!(choices, leakage == one, "everything leaks");
        cover!(choices, 0 < leakage && leakage < one, "a part leaks");
    }
    Some(())
}

pub fn leakages_sum_to_the_rank<const N: usize>(choices: &mut impl Choices) -> Case {
    let view = View::<N>::any(choices);
    let mut sum = 0;
    for u in 0..N {
        sum += view.leakage(u);
    }
    claim!(sum == view.rank as Int * view.denominator(), "the leakages sum to the rank");
    cover!(choices, view.rank == 2, "two independent messages");
    cover!(choices, view.rank == 1, "one message repeats the other");
    Some(())
}

pub fn dependent_messages_add_no_rank<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut rows = [[0; N]; SEEN];
    let factor = Int::from(choices.small(3));
    let mut zero = true;
    for u in 0..N {
        rows[0][u] = Int::from(choices.small(3));
        rows[1][u] = factor * rows[0][u];
        zero &= rows[0][u] == 0;
    }
    choices.assume(!zero)?;
    let mut first = [[0; N]; SEEN];
    first[0] = rows[0];
    let alone = View::of(first);
    let both = View::of(rows);
    claim!(both.rank == 1, "a multiple of a message is no new message");
    for u in 0..N {
        claim!(
            both.leakage(u) * alone.denominator() == alone.leakage(u) * both.denominator(),
            "a repeated message leaks nothing more"
        );
    }
    cover!(choices, factor > 1, "a true multiple");
    Some(())
}

pub fn signs_find_the_largest_form<const N: usize>(choices: &mut impl Choices) -> Case {
    let p = any_symmetric::<N>(choices, 2);
    let value = |sign: [bool; N]| {
        let mut value = 0;
        for i in 0..N {
            for j in 0..N {
                value += if sign[i] == sign[j] { p[i][j] } else { -p[i][j] };
            }
        }
        value
    };
    let (mut signs, mut best, mut applied) = ([false; N], [false; N], [7; N]);
    let largest = largest_over_signs(N, p.as_flattened(), &mut signs, &mut best, &mut applied);
    claim!(largest == value(best), "the signs that are given reach it");
    let any = choices.array(|choices| choices.flag());
    claim!(value(any) <= largest, "no signs reach more");
    cover!(choices, N < 2 || best[0] != best[N - 1], "signs that differ");
    Some(())
}

pub fn content_is_the_greatest_divisor<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut row = [0_i16; N];
    let mut zero = true;
    for entry in &mut row {
        *entry = i16::from(choices.signed(12));
        zero &= *entry == 0;
    }
    let before = row;
    let content = divide_by_content(&mut row);
    claim!(content >= 1, "the content is positive");
    claim!(!zero || content == 1, "the content of nothing is one");
    for place in 0..N {
        claim!(row[place] * content == before[place], "content times rest is the entry");
    }
    let divisor = 2 + i16::from(choices.small(10));
    let mut divides = !zero;
    for entry in row {
        divides &= entry % divisor == 0;
    }
    claim!(!divides, "what is left has no common divisor");
    cover!(choices, content > 2, "a content above two");
    Some(())
}
