//! What was left of a budget at earlier times.

use std::path::Path;

use preflight_core::account::{Amount, Quota};
use serde::{Deserialize, Serialize};

/// Balances that are remembered.
const MOST: usize = 500;
/// A balance that did not change is remembered once in so many milliseconds.
const PACE: u64 = 6 * 3600 * 1000;

/// What was left at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Balance {
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// The level that bound; empty: the person's own.
    pub level: String,
    /// What could be used of it.
    pub available: Amount,
}

/// Every balance that is remembered, oldest first. Lines that cannot be read are left out.
pub(super) fn read(path: &Path) -> Vec<Balance> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Adds one, unless it is as before.
pub(super) fn add(path: &Path, at_ms: u64, quota: &Quota) {
    let Some(level) = quota.binding() else { return };
    let now = Balance { at_ms, level: level.name.clone(), available: level.available() };
    let mut all = read(path);
    let is_news = all.last().is_none_or(|last| {
        (&last.level, last.available) != (&now.level, now.available) || last.at_ms.saturating_add(PACE) < at_ms
    });
    if !is_news {
        return;
    }
    all.push(now);
    let surplus = all.len().saturating_sub(MOST);
    let lines = all.iter().skip(surplus).filter_map(|balance| serde_json::to_string(balance).ok());
    let text: String = lines.map(|line| line + "\n").collect();
    // A history that cannot be written is shorter.
    let _ = crate::write::atomically(path, text.as_bytes());
}
