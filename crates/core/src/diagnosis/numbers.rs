//! Where the same words mean different things and figures decide.

use std::sync::LazyLock;

use regex::Regex;

use super::rule::Numbers;

/// What a process that computes on a card holds besides what it counts as its own, and what a desktop takes: the memory
/// of CUDA itself is 0.3 to 0.6 GiB, that of a desktop about as much.
const OVERHEAD: f64 = 1.0;
/// Others are to blame from this share of the card on.
const OTHERS_SHARE: f64 = 0.2;
/// So many times what was asked for is room: less may be in pieces.
const ROOM: f64 = 4.0;

/// A regular expression of this file.
fn regex(source: &str) -> Option<Regex> {
    Regex::new(source).ok()
}

/// Whether the figures in a text say so.
pub(super) fn agree(numbers: Numbers, text: &str) -> bool {
    match numbers {
        Numbers::MemoryHeldByOthers => others(text).is_some_and(|share| share >= OTHERS_SHARE),
        Numbers::MemoryHeldByTraining => !room_was_left(text) && others(text).is_some_and(|share| share < OTHERS_SHARE),
        Numbers::RoomWasLeft => room_was_left(text),
        Numbers::ArchitectureNotListed => architecture_is_missing(text),
        Numbers::ClassBeyondNames => class_is_beyond(text),
        Numbers::SomeNodeIsSelected => some_node_is_selected(text),
    }
}

/// A figure of torch's message about memory that ran out.
#[derive(Debug, Clone, Copy)]
enum Figure {
    Asked,
    Total,
    Free,
    Allocated,
    /// What torch keeps, what it uses of it included.
    Reserved,
    /// What the process has; before torch 1.5, what torch keeps besides what it uses.
    Held,
    /// What torch keeps and does not use.
    Spare,
}

impl Figure {
    /// In GiB; `None`: the message does not tell.
    fn of(self, text: &str) -> Option<f64> {
        static WHAT: LazyLock<[Option<Regex>; 7]> = LazyLock::new(|| {
            [
                r"(?i)tried\s+to\s+allocate\s+([\d.]+\s*\w+)",
                r"(?i)([\d.]+\s*\w+)\s+total\s+capac\w+|total\s+capac\w+\s+of\s+([\d.]+\s*\w+)",
                r"(?i)([\d.]+\s*\w+)\s+(?:is\s+)?free\b",
                r"(?i)([\d.]+\s*\w+)\s+already\s+allocated|([\d.]+\s*\w+)\s+is\s+allocated\s+by",
                r"(?i)([\d.]+\s*\w+)\s+reserved\s+in\s+total",
                r"(?i)([\d.]+\s*\w+)\s+cached|this\s+process\s+has\s+([\d.]+\s*\w+)\s+memory\s+in\s+use",
                r"(?i)([\d.]+\s*\w+)\s+is\s+reserved\s+by\s+PyTorch",
            ]
            .map(regex)
        });
        let captures = WHAT.get(self as usize)?.as_ref()?.captures(text)?;
        gib(captures.iter().skip(1).flatten().next()?.as_str())
    }
}

/// `14.37 GiB` as a number.
fn gib(text: &str) -> Option<f64> {
    static SIZE: LazyLock<Option<Regex>> = LazyLock::new(|| regex(r"(?i)([\d.]+)\s*(bytes|[KMGT]i?B)\b"));
    let captures = SIZE.as_ref()?.captures(text)?;
    let number: f64 = captures[1].parse().ok()?;
    let exponent = match captures[2].to_ascii_lowercase().as_bytes().first()? {
        b'b' => -3,
        b'k' => -2,
        b'm' => -1,
        b't' => 1,
        _ => 0,
    };
    Some(number * 1024_f64.powi(exponent))
}

/// The share of a card that is held by others.
fn others(text: &str) -> Option<f64> {
    let size = |figure: Figure| figure.of(text);
    let (total, free) = (size(Figure::Total)?, size(Figure::Free)?);
    let allocated = size(Figure::Allocated).unwrap_or_default() + size(Figure::Spare).unwrap_or_default();
    let held = size(Figure::Held).unwrap_or_default();
    let own = match size(Figure::Reserved) {
        Some(reserved) => reserved.max(allocated).max(held),
        None if held < allocated => held + allocated,
        None => held,
    };
    (total > 0.0 && own > 0.0).then(|| (total - free - own - OVERHEAD) / total)
}

/// Whether much more was free than was asked for: a card gives out what it has to the last pages.
fn room_was_left(text: &str) -> bool {
    match (Figure::Asked.of(text), Figure::Free.of(text)) {
        (Some(asked), Some(free)) => free > ROOM * asked,
        _ => false,
    }
}

/// Of `sm_120 is not compatible … supports sm_50 sm_60`: the first one is not among the others.
fn architecture_is_missing(text: &str) -> bool {
    static ARCHITECTURE: LazyLock<Option<Regex>> = LazyLock::new(|| regex(r"(?i)sm_(\d+)"));
    let Some(architecture) = ARCHITECTURE.as_ref() else { return false };
    let mut all = architecture.captures_iter(text).map(|captures| captures[1].to_owned());
    let card = all.next();
    // Where nothing is listed there is nothing to compare.
    card.is_none_or(|card| all.all(|listed| listed != card))
}

/// Of `Label class 79 exceeds nc=16`, and of `possible class labels are 0-15`.
fn class_is_beyond(text: &str) -> bool {
    static CLASS: LazyLock<Option<Regex>> =
        LazyLock::new(|| regex(r"(?i)class\s+(\d+)\s+exceeds\D+?(\d+)(?:.{0,80}?labels\s+are\s+0-(\d+))?"));
    let Some(captures) = CLASS.as_ref().and_then(|class| class.captures(text)) else { return true };
    let number = |index: usize| captures.get(index).and_then(|text| text.as_str().parse::<u64>().ok());
    match (number(1), number(2), number(3)) {
        (Some(class), _, Some(last)) => class > last,
        (Some(class), Some(count), None) => class >= count,
        _ => true,
    }
}

/// Of `0/10 nodes are available: 10 node(s) didn't match node selector, 4 Insufficient cpu`: none is.
fn some_node_is_selected(text: &str) -> bool {
    static NODES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        regex(
            r"(?is)\b\d+/(\d+)\s+nodes\s+are\s+available.*?\b(\d+)\s+node\(s\)\s+didn.{1,2}t\s+(?:match|satisfy)[^,]*(?:affinity|selector).*?\b\d+\s+Insufficient",
        )
    });
    NODES.as_ref().and_then(|nodes| nodes.captures(text)).is_none_or(|captures| captures[1] != captures[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "Tried to allocate 20.00 MiB (GPU 0; 15.90 GiB total capacity; 14.37 GiB already allocated; \
                        1.88 MiB free; 15.03 GiB reserved in total by PyTorch)";
    const NEWER: &str = "Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.69 GiB of which 1.06 GiB is free. \
                         Process 4023 has 18.00 GiB memory in use. Including non-PyTorch memory, this process has \
                         4.50 GiB memory in use. Of the allocated memory 4.00 GiB is allocated by PyTorch, and \
                         55.00 MiB is reserved by PyTorch but unallocated.";

    #[test]
    fn memory_is_held_by_whom() {
        assert!(agree(Numbers::MemoryHeldByTraining, OURS));
        assert!(!agree(Numbers::MemoryHeldByOthers, OURS));
        assert!(agree(Numbers::MemoryHeldByOthers, NEWER));
        assert!(agree(Numbers::MemoryHeldByTraining, &NEWER.replace("4.50", "22.40")));
        // Which process it is that holds the memory is not said; the sums tell.
        let unnamed = "Tried to allocate 496.00 MiB. GPU 0 has a total capacty of 14.75 GiB of which 235.06 MiB is free. \
                       Process 20398 has 14.52 GiB memory in use. Of the allocated memory 14.06 GiB is allocated by \
                       PyTorch, and 330.42 MiB is reserved by PyTorch but unallocated.";
        assert!(agree(Numbers::MemoryHeldByTraining, unnamed));
        assert!(!agree(Numbers::MemoryHeldByTraining, "CUDA out of memory"));
    }

    #[test]
    fn room_that_was_left_is_seen() {
        let message = |free| format!("Tried to allocate 294.00 MiB (GPU 0; 6.00 GiB total capacity; {free} free)");
        assert!(agree(Numbers::RoomWasLeft, &message("4.20 GiB")));
        assert!(!agree(Numbers::RoomWasLeft, &message("310.00 MiB")));
        assert!(!agree(Numbers::RoomWasLeft, OURS) && !agree(Numbers::RoomWasLeft, NEWER));
    }

    #[test]
    fn architectures_are_compared_in_both_directions() {
        let message = |card| format!("with CUDA capability {card} is not compatible. supports sm_70 sm_75 sm_80");
        assert!(agree(Numbers::ArchitectureNotListed, &message("sm_120")));
        assert!(agree(Numbers::ArchitectureNotListed, &message("sm_61")));
        assert!(!agree(Numbers::ArchitectureNotListed, &message("sm_75")));
    }

    #[test]
    fn a_class_is_compared_with_the_names() {
        assert!(agree(Numbers::ClassBeyondNames, "Label class 79 exceeds nc=16 in flir.yaml"));
        assert!(agree(
            Numbers::ClassBeyondNames,
            "Label class 3 exceeds dataset class count 3. Possible class labels are 0-2"
        ));
        assert!(!agree(
            Numbers::ClassBeyondNames,
            "Label class 2 exceeds dataset class count 3. Possible class labels are 0-2"
        ));
    }

    #[test]
    fn room_on_a_node_that_is_not_wanted_helps_nobody() {
        let message = |refused| {
            format!(
                "0/10 nodes are available: {refused} node(s) didn't match Pod's node affinity/selector, 4 Insufficient cpu."
            )
        };
        assert!(agree(Numbers::SomeNodeIsSelected, &message(6)));
        assert!(!agree(Numbers::SomeNodeIsSelected, &message(10)));
        assert!(agree(Numbers::SomeNodeIsSelected, "Insufficient cpu"));
    }
}
