//! The numbers in a description. Clients rely on them (limits, times), so a published version keeps them.

/// Returns the numbers of a text in its order: `2,048` and `0.5` are one number each.
pub fn numbers(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let runs = text.split(|c| !is_part(c)).map(|run| run.trim_matches(['.', ',']));
    runs.filter(|run| !run.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn number_is_read_with_its_separators() {
        assert_eq!(
            numbers("At most 10,485,760 bytes (10 MB), in 0.5 s; ISO-8601, v2."),
            ["10,485,760", "10", "0.5", "8601", "2"]
        );
        assert!(numbers("None, as such ... nothing.").is_empty());
    }
}
