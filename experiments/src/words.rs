//! Words that follow from numbers.

/// Where something is true: `all of them`, `none of them`, or `A and B`.
pub fn where_true<'a>(cases: impl IntoIterator<Item = (&'a str, bool)>) -> String {
    let cases: Vec<_> = cases.into_iter().collect();
    let names = cases.iter().filter(|case| case.1).map(|case| case.0);
    let names: Vec<_> = names.collect();
    match names.split_last() {
        None => "none of them".into(),
        Some(_) if names.len() == cases.len() => "all of them".into(),
        Some((last, [])) => (*last).to_string(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// `does` or `does not`, or whatever the two are.
pub fn choose<'a>(condition: bool, yes: &'a str, no: &'a str) -> &'a str {
    if condition { yes } else { no }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_unless_all_or_none() {
        let told = |true_of: [bool; 3]| where_true(["a", "b", "c"].into_iter().zip(true_of));
        assert_eq!(told([true; 3]), "all of them");
        assert_eq!(told([false; 3]), "none of them");
        assert_eq!(told([false, true, false]), "b");
        assert_eq!(told([true, false, true]), "a and c");
    }
}
