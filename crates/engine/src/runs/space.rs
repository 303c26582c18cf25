//! Whether a run's disk has room for what comes next.

use preflight_core::run::{Progress, room_to_go_on};

use super::folder::Folder;

/// The room on a run's disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Space {
    /// Bytes that are free.
    pub(super) free: u64,
    /// Bytes that it takes to come to the next checkpoint.
    pub(super) needed: u64,
}

impl Space {
    /// What there is for a run; `None`: the disk does not say. Blocks.
    pub(super) fn of(folder: &Folder, progress: &Progress) -> Option<Self> {
        let (free, _) = crate::computer::space(folder.path()).ok()?;
        Some(Self { free, needed: room_to_go_on(progress) })
    }

    /// Whether an epoch may not end well.
    pub(super) fn is_short(self) -> bool {
        self.free < self.needed
    }

    /// Whether a run may go on that rested because there was this little: more than there was, and enough not to rest
    /// again soon.
    pub(super) fn is_ample_after(self, short: Option<Self>) -> bool {
        let more = short.map_or(0, |short| short.free.saturating_add(short.needed));
        self.free >= (2 * self.needed).max(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_only_when_room_was_made() {
        let space = |free| Space { free, needed: 40 };
        assert!(space(39).is_short() && !space(40).is_short());
        assert!(!space(79).is_ample_after(Some(space(3))));
        assert!(space(80).is_ample_after(Some(space(3))));
        // A quota: the disk says that there is room, and there is none.
        assert!(!space(1039).is_ample_after(Some(space(1000))));
        assert!(space(1040).is_ample_after(Some(space(1000))));
        assert!(space(1000).is_ample_after(None));
    }
}
