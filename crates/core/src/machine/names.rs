//! Names of cards, as drivers, platforms and people write them.

/// Of the names in a table, the longest that a card's name has in it as whole words: `RTX 3060 Ti` rather than
/// `RTX 3060`, and no `A10` in an `A100`.
pub(crate) fn longest<'a, T>(card: &str, table: impl IntoIterator<Item = (&'a String, T)>) -> Option<(&'a str, T)> {
    let card = plain(card);
    let named = table.into_iter().filter(|(part, _)| has(&card, &plain(part)));
    named.max_by_key(|(part, _)| part.len()).map(|(part, value)| (part.as_str(), value))
}

/// Without what is written differently: `NVIDIA-A100`, `nvidia a100`.
pub(crate) fn plain(card: &str) -> String {
    card.to_lowercase().replace(['-', '_'], " ")
}

fn has(card: &str, part: &str) -> bool {
    let is_edge = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric());
    !part.is_empty()
        && card.match_indices(part).any(|(at, part)| {
            is_edge(card[..at].chars().next_back()) && is_edge(card[at + part.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_what_the_longest_whole_name_says() {
        let table = ["A10", "A100", "RTX 3060", "RTX 3060 Ti", "T4", ""].map(|name| (name.to_owned(), ()));
        let kind = |card: &str| longest(card, table.iter().map(|(name, value)| (name, value))).map(|(name, ())| name);
        for (card, expected) in [
            ("NVIDIA A100-SXM4-40GB", Some("A100")),
            ("nvidia_a100", Some("A100")),
            ("NVIDIA A10", Some("A10")),
            ("NVIDIA GeForce RTX 3060 Ti", Some("RTX 3060 Ti")),
            ("rtx-3060", Some("RTX 3060")),
            ("Tesla T4", Some("T4")),
            ("NVIDIA T400", None),
            ("XA100", None),
            ("", None),
        ] {
            assert_eq!(kind(card), expected, "{card}");
        }
    }
}
