//! "Did you mean": the name nearest to a mistyped one. Called by the rules of this crate and by the GraphQL engine.

/// Returns the candidate nearest to `name` if their distance is small.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        // Returns the first of several at the same distance, so that the result depends on the order alone.
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before_last = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1; to.len() + 1];
        for (j, b) in to.iter().enumerate() {
            row[j + 1] = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b;
            if swapped {
                row[j + 1] = row[j + 1].min(before_last[j - 1] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distance_counts_a_swap_once() {
        assert_eq!(distance("gener", "genre"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("é", "e"), 1);
    }

    #[test]
    fn nearest_is_none_if_all_are_far() {
        assert_eq!(nearest("Gener", ["Book", "Genre"]), Some("Genre"));
        assert_eq!(nearest("string", ["Int", "String"]), Some("String"));
        assert_eq!(nearest("Photograph", ["Book", "Genre"]), None);
        assert_eq!(nearest("x", []), None);
    }
}
