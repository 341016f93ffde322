//! Numbers without a pattern.

/// Returns the number at `place` of the SplitMix64 sequence of a seed (S. Vigna, "splitmix64.c",
/// 2015): for tests, layouts and samples, not for noise.
///
/// ```
/// assert_eq!(muffliato_model::split_mix(0, 0), 0xe220_a839_7b1d_cdaf);
/// ```
pub fn split_mix(seed: u64, place: u64) -> u64 {
    let steps = place.wrapping_add(1);
    let mut bits = seed.wrapping_add(steps.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
