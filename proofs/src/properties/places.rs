//! Positions of entries in blocks.

use crate::{Case, Choices, claim, cover, split};
use muffliato_fast::cores::block_length;
use muffliato_model::{Graph, shard};

/// Critical numbers of nodes: around the width of a block, and the largest.
const NODES: [usize; 6] = [1, 15, 16, 17, 1000, Graph::MAX_NODES];

/// These numbers of nodes and any width; the size is not used. An exact length implies that the
/// last entry, the length minus one, lies inside; stated as `(nodes - 1) * width + width - 1 <
/// length`, no solver answers.
pub fn block_lengths_do_not_wrap<const N: usize>(choices: &mut impl Choices) -> Case {
    let drawn = choices.index(NODES.len() - 1);
    let width = choices.word();
    let mut fits = false;
    split(drawn, NODES.len() - 1, |index| {
        let nodes = NODES[index];
        let exact = nodes as u128 * u128::from(width);
        let length = block_length(nodes, width as usize);
        // A slice of f64 has at most isize::MAX / 8 entries.
        let most = (isize::MAX / 8) as usize;
        fits = exact <= most as u128;
        claim!(fits == (length <= most), "a length that fits is told from one that does not");
        claim!(!fits || length as u128 == exact, "a length that fits is exact");
    });
    cover!(choices, fits && width > 1 << 30, "a wide block");
    cover!(choices, !fits, "a block that fits nowhere");
    Some(())
}

pub fn shards_cover_each_observer_once<const N: usize>(choices: &mut impl Choices) -> Case {
    let drawn = choices.index(3);
    split(drawn, 3, |less| {
        let mut counted = [0; N];
        for part in 0..=less {
            for observer in shard(N, part, less + 1) {
                claim!(observer < N, "there is such an observer");
                counted[observer] += 1;
            }
        }
        for observer in 0..N {
            claim!(counted[observer] == 1, "each falls to one part");
        }
    });
    cover!(choices, drawn == 3, "four parts");
    Some(())
}
