//! What driver, CUDA and card ask of one another: a dated table (`crates/core/data/cuda.toml`) that says where it ends.

use std::sync::LazyLock;

use serde::Deserialize;

/// A version as (major, minor).
pub type Version = (u32, u32);

/// The table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Table {
    /// Year and month up to which it knows.
    pub as_of: String,
    /// The newest CUDA it knows.
    pub newest: Version,
    /// The newest compute capability it knows.
    pub newest_capability: Version,
    driver: Vec<Driver>,
    card: Vec<Card>,
    forward: Forward,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Driver {
    cuda: u32,
    linux: String,
    windows: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Card {
    capability: Version,
    first: Version,
    last: Option<Version>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Forward {
    names: Vec<String>,
}

/// The table of this version of the app.
pub static TABLE: LazyLock<Table> = LazyLock::new(|| read(include_str!("../../data/cuda.toml")));

#[expect(clippy::expect_used, reason = "the table is part of the program, and a test reads it")]
fn read(table: &str) -> Table {
    toml::from_str(table).expect("the table is well-formed")
}

impl Table {
    /// The CUDA versions that make code for a card: the first, and the last where there is one; `None`: the table does not
    /// know this card.
    #[must_use]
    pub fn serving(&self, capability: Version) -> Option<(Version, Option<Version>)> {
        self.card.iter().find(|card| card.capability == capability).map(|card| (card.first, card.last))
    }

    /// The oldest driver with which a program built for this major version of CUDA runs, on `linux` or `windows`; `None`:
    /// the table does not know.
    #[must_use]
    pub fn oldest_driver(&self, cuda_major: u32, os: &str) -> Option<&str> {
        let driver = self.driver.iter().find(|driver| driver.cuda == cuda_major)?;
        match os {
            "linux" => Some(&driver.linux),
            "windows" => Some(&driver.windows),
            _ => None,
        }
    }

    /// Whether NVIDIA's package `cuda-compat` lets a card of this name work with a driver of an older major version.
    #[must_use]
    pub fn is_forward_compatible(&self, name: &str) -> bool {
        self.forward.names.iter().any(|beginning| name.starts_with(beginning))
    }

    /// Whether a card is newer than everything the table knows.
    #[must_use]
    pub fn is_beyond(&self, capability: Version) -> bool {
        capability > self.newest_capability && self.serving(capability).is_none()
    }
}

/// The numbers of a driver's version, for comparing: `550.54.14` is newer than `550.54.9`.
#[must_use]
pub fn driver_numbers(version: &str) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    numbers.filter(|numbers| numbers.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_knows_where_it_ends() {
        let table = &*TABLE;
        let capabilities: Vec<Version> = table.card.iter().map(|card| card.capability).collect();
        assert!(capabilities.is_sorted() && capabilities.last() == Some(&table.newest_capability));
        for card in &table.card {
            assert!(card.first <= card.last.unwrap_or(table.newest), "{card:?}");
        }
        assert_eq!(table.serving((12, 0)), Some(((12, 8), None)));
        assert_eq!(table.serving((6, 1)), Some(((8, 0), Some((12, 9)))));
        assert_eq!(table.serving((14, 0)), None);
        assert!(table.is_beyond((13, 0)) && !table.is_beyond((3, 2)) && !table.is_beyond((8, 6)));
        for driver in &table.driver {
            assert!(driver_numbers(&driver.linux).is_some() && driver_numbers(&driver.windows).is_some());
        }
        assert_eq!(table.oldest_driver(12, "linux"), Some("525.60.13"));
        assert_eq!(table.oldest_driver(99, "linux"), None);
        assert!(table.is_forward_compatible("Tesla V100-SXM2-16GB"));
        assert!(!table.is_forward_compatible("NVIDIA GeForce RTX 3060"));
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(driver_numbers("550.54.14") > driver_numbers("550.54.9"));
        assert!(driver_numbers("450.36.06") < driver_numbers("450.80.02"));
        assert_eq!(driver_numbers("unknown"), None);
        assert_eq!(driver_numbers("550"), None);
    }
}
