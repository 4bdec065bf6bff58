//! "Did you mean": the name nearest to a mistyped one, by insertions, deletions, substitutions and swaps of neighbours. Called by the
//! rules of this crate and by the GraphQL engine.

use strsim::osa_distance;

/// Returns the candidate nearest to `name` if their distance is small.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        // Returns the first of several at the same distance, so that the result depends on the order alone.
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_is_none_if_all_are_far() {
        assert_eq!(nearest("Gener", ["Book", "Genre"]), Some("Genre"));
        assert_eq!(nearest("é", ["e"]), Some("e"));
        assert_eq!(nearest("string", ["Int", "String"]), Some("String"));
        assert_eq!(nearest("Photograph", ["Book", "Genre"]), None);
        assert_eq!(nearest("x", []), None);
    }
}
