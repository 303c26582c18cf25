//! A record of any length in entries of a limited one, so that a reader sees the old record or the new one.
//!
//! The entry of the name itself holds a short record as it is. A longer one is in entries of their own, written first;
//! the entry of the name then says which: the moment it is written, the new record is in force.

use preflight_core::problem::Problem;

/// Something with entries by name.
pub(super) trait Entries {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem>;
    fn set(&self, name: &str, secret: &[u8]) -> Result<(), Problem>;
    fn delete(&self, name: &str) -> Result<(), Problem>;
    /// Bytes that an entry holds.
    fn most(&self) -> usize;
}

/// Begins an entry that says where the record is: its generation, and how many parts it has.
const ELSEWHERE: &str = "parts ";
/// No token has so many parts.
const MOST_PARTS: usize = 256;

/// Where the parts are.
struct Parts {
    generation: String,
    count: usize,
}

impl Parts {
    fn of(head: &[u8]) -> Option<Self> {
        let (generation, count) = std::str::from_utf8(head).ok()?.strip_prefix(ELSEWHERE)?.split_once(' ')?;
        let count = count.parse().ok().filter(|count| (1..=MOST_PARTS).contains(count))?;
        Some(Self { generation: generation.to_owned(), count })
    }

    fn name(&self, name: &str, part: usize) -> String {
        format!("{name} {} {part}", self.generation)
    }

    fn delete(&self, entries: &impl Entries, name: &str) -> Result<(), Problem> {
        (0..self.count).try_for_each(|part| entries.delete(&self.name(name, part)))
    }
}

pub(super) fn read(entries: &impl Entries, name: &str) -> Result<Option<Vec<u8>>, Problem> {
    let Some(head) = entries.get(name)? else { return Ok(None) };
    let Some(parts) = Parts::of(&head) else { return Ok(Some(head)) };
    let mut whole = Vec::new();
    for part in 0..parts.count {
        let damaged = || Problem::new("account.token-damaged");
        whole.extend(entries.get(&parts.name(name, part))?.ok_or_else(damaged)?);
    }
    Ok(Some(whole))
}

pub(super) fn write(entries: &impl Entries, name: &str, secret: &[u8]) -> Result<(), Problem> {
    let before = entries.get(name)?.as_deref().and_then(Parts::of);
    if secret.len() <= entries.most() {
        entries.set(name, secret)?;
    } else {
        let generation: String = blake3::hash(secret).to_hex().chars().take(12).collect();
        let parts = Parts { generation, count: secret.len().div_ceil(entries.most()) };
        for (part, content) in secret.chunks(entries.most()).enumerate() {
            entries.set(&parts.name(name, part), content)?;
        }
        entries.set(name, format!("{ELSEWHERE}{} {}", parts.generation, parts.count).as_bytes())?;
        if before.as_ref().is_some_and(|before| before.generation == parts.generation) {
            return Ok(());
        }
    }
    // What is left of the old record is in nobody's way, and is deleted with the next one.
    if let Some(before) = before {
        before.delete(entries, name)?;
    }
    Ok(())
}

pub(super) fn remove(entries: &impl Entries, name: &str) -> Result<(), Problem> {
    let parts = entries.get(name)?.as_deref().and_then(Parts::of);
    entries.delete(name)?;
    parts.map_or(Ok(()), |parts| parts.delete(entries, name))
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Entries of at most 10 bytes, behind which the power can fail.
    #[derive(Default)]
    struct Small {
        entries: RefCell<BTreeMap<String, Vec<u8>>>,
        writes_left: Cell<Option<usize>>,
    }

    impl Small {
        fn use_power(&self) -> Result<(), Problem> {
            match self.writes_left.get() {
                Some(0) => Err(Problem::new("account.keychain-failed")),
                left => {
                    self.writes_left.set(left.map(|left| left - 1));
                    Ok(())
                }
            }
        }
    }

    impl Entries for Small {
        fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
            Ok(self.entries.borrow().get(name).cloned())
        }
        fn set(&self, name: &str, secret: &[u8]) -> Result<(), Problem> {
            self.use_power()?;
            assert!(secret.len() <= 24, "{} bytes", secret.len());
            self.entries.borrow_mut().insert(name.to_owned(), secret.to_vec());
            Ok(())
        }
        fn delete(&self, name: &str) -> Result<(), Problem> {
            self.use_power()?;
            self.entries.borrow_mut().remove(name);
            Ok(())
        }
        fn most(&self) -> usize {
            10
        }
    }

    proptest! {
        #[test]
        fn a_reader_sees_the_old_record_or_the_new_one(
            old in proptest::collection::vec(b'a'..=b'z', 1..80), new in proptest::collection::vec(b'a'..=b'z', 1..80),
            power in 0_usize..24,
        ) {
            let small = Small::default();
            write(&small, "entry", &old).unwrap();
            small.writes_left.set(Some(power));
            let written = write(&small, "entry", &new);
            let now = read(&small, "entry").unwrap().unwrap();
            prop_assert!(now == new || (written.is_err() && now == old));
            small.writes_left.set(None);
            write(&small, "entry", &new).unwrap();
            prop_assert_eq!(read(&small, "entry").unwrap(), Some(new));
            remove(&small, "entry").unwrap();
            prop_assert_eq!(read(&small, "entry").unwrap(), None);
        }

        #[test]
        fn nothing_is_left_where_nothing_failed(old in proptest::collection::vec(b'a'..=b'z', 1..80), new in proptest::collection::vec(b'a'..=b'z', 1..80)) {
            let small = Small::default();
            write(&small, "entry", &old).unwrap();
            write(&small, "entry", &new).unwrap();
            remove(&small, "entry").unwrap();
            prop_assert!(small.entries.borrow().is_empty());
        }
    }
}
