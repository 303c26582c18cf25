//! What can be wrong with a dataset, and how much each matters.

use std::path::Path;

use crate::finding::{Action, Applicability, Finding, Remedy, Severity, Stage, Verb};

/// Evidence kept of one kind of fault.
pub(super) const EXAMPLES: usize = 20;

/// How much every fault matters.
///
/// * The trainer stops: a blocker.
/// * The trainer drops labelled images and goes on, and the label file can be mended: a blocker too. It would train
///   on less than the person believes, and say so only in its log.
/// * The trainer drops images that cannot be mended by editing (broken image files): a warning.
/// * The result will be worse than it looks: a warning. Worth knowing, harmless: a note.
const SEVERITIES: &[(&str, Severity)] = &[
    // The declaration.
    ("yaml-invalid", Severity::Blocker),
    ("yaml-not-a-mapping", Severity::Blocker),
    ("yaml-wrong-type", Severity::Blocker),
    ("no-train", Severity::Blocker),
    ("no-val", Severity::Blocker),
    ("no-split", Severity::Blocker),
    ("no-names", Severity::Blocker),
    ("no-classes", Severity::Blocker),
    ("class-count-invalid", Severity::Blocker),
    ("class-count-mismatch", Severity::Blocker),
    ("class-ids-invalid", Severity::Blocker),
    ("class-name-not-text", Severity::Note),
    ("class-names-made-up", Severity::Note),
    // Where the images are.
    ("split-missing", Severity::Blocker),
    ("test-missing", Severity::Note),
    ("split-empty", Severity::Blocker),
    ("split-unsupported", Severity::Blocker),
    ("list-unreadable", Severity::Blocker),
    ("folder-unreadable", Severity::Blocker),
    ("folder-loop", Severity::Warning),
    ("folder-repeated", Severity::Warning),
    ("moved", Severity::Note),
    ("list-relative", Severity::Note),
    // Images.
    ("no-usable-image", Severity::Blocker),
    ("image-missing", Severity::Warning),
    ("image-unreadable", Severity::Warning),
    ("image-empty", Severity::Warning),
    ("image-truncated", Severity::Warning),
    ("image-damaged", Severity::Warning),
    ("image-wrong-format", Severity::Warning),
    ("image-needs-heif", Severity::Warning),
    ("image-too-small", Severity::Warning),
    ("image-too-large", Severity::Warning),
    ("image-repaired", Severity::Note),
    // Labels.
    ("no-labels", Severity::Blocker),
    ("no-boxes", Severity::Blocker),
    ("label-unreadable", Severity::Blocker),
    ("label-too-large", Severity::Blocker),
    ("label-utf16", Severity::Blocker),
    ("label-binary", Severity::Blocker),
    ("label-not-utf8", Severity::Blocker),
    ("label-mixed", Severity::Blocker),
    ("label-columns", Severity::Blocker),
    ("label-outline", Severity::Blocker),
    ("label-decimal-comma", Severity::Blocker),
    ("label-not-a-number", Severity::Blocker),
    ("label-out-of-bounds", Severity::Blocker),
    ("label-negative", Severity::Blocker),
    ("label-class-not-whole", Severity::Blocker),
    ("class-out-of-range", Severity::Blocker),
    ("label-several", Severity::Note),
    ("label-duplicates", Severity::Note),
    ("label-without-image", Severity::Warning),
    ("images-unlabelled", Severity::Note),
    // What the task needs.
    ("task-needs-labels", Severity::Blocker),
    ("task-needs-outlines", Severity::Blocker),
    ("task-needs-key-points", Severity::Blocker),
    ("key-point-values", Severity::Blocker),
    ("mirroring-length", Severity::Blocker),
    ("mirroring-index", Severity::Blocker),
    ("mirroring-off", Severity::Note),
    ("no-train-folder", Severity::Blocker),
    ("no-val-folder", Severity::Blocker),
    ("no-class-folders", Severity::Blocker),
    ("val-is-test", Severity::Warning),
    ("class-folder-unknown", Severity::Warning),
    // What ruins a result though the trainer takes it.
    ("boxes-small", Severity::Warning),
    ("crowded", Severity::Note),
    ("class-rare", Severity::Warning),
    ("class-imbalance", Severity::Note),
    ("class-names-alike", Severity::Warning),
    ("many-backgrounds", Severity::Note),
    ("image-sizes-mixed", Severity::Note),
    ("box-sliver", Severity::Warning),
    ("box-whole-image", Severity::Note),
    ("box-two-classes", Severity::Warning),
    ("leak-exact", Severity::Warning),
    ("leak-near", Severity::Warning),
    ("duplicates-exact", Severity::Note),
    ("duplicates-near", Severity::Note),
    ("image-gray-mixed", Severity::Note),
    ("image-sixteen-bit", Severity::Note),
    ("image-cmyk", Severity::Note),
    ("image-huge", Severity::Note),
    ("image-turned", Severity::Note),
    ("names-differ-by-case", Severity::Warning),
    ("label-shared", Severity::Warning),
    ("path-too-long", Severity::Note),
    ("not-downloaded", Severity::Warning),
    ("slow-drive", Severity::Warning),
    // Other forms.
    ("foreign-form", Severity::Blocker),
    ("archive-entry-unsafe", Severity::Warning),
    ("archive-entry-twice", Severity::Warning),
    ("convert-unreadable", Severity::Warning),
    ("convert-object-unusable", Severity::Warning),
    ("convert-shape-unsupported", Severity::Warning),
    ("convert-class-unknown", Severity::Warning),
    ("convert-image-unknown", Severity::Warning),
    ("convert-image-missing", Severity::Warning),
    ("convert-image-ambiguous", Severity::Warning),
    ("convert-image-twice", Severity::Warning),
    ("convert-annotated-twice", Severity::Note),
    ("convert-labels-several", Severity::Warning),
    ("convert-image-refused", Severity::Warning),
    ("convert-size-mismatch", Severity::Warning),
    ("convert-size-differs", Severity::Note),
    ("convert-box-empty", Severity::Warning),
    ("convert-box-clipped", Severity::Note),
    ("convert-box-as-outline", Severity::Note),
    ("convert-unlisted", Severity::Note),
    ("convert-unannotated", Severity::Note),
    // The whole.
    ("val-no-boxes", Severity::Warning),
    ("val-is-train", Severity::Warning),
    ("val-in-train", Severity::Warning),
    ("class-not-in-train", Severity::Warning),
    ("class-not-in-val", Severity::Warning),
];

/// The finding for a fault of a dataset, with the severity its table gives it.
pub(super) fn fault(what: &str) -> Finding {
    let severity = SEVERITIES.iter().find(|(name, _)| *name == what).map(|(_, severity)| *severity);
    debug_assert!(severity.is_some(), "{what} is not in the table");
    match severity {
        Some(Severity::Note) => Finding::note(Stage::Data, what),
        Some(Severity::Warning) => Finding::warning(Stage::Data, what),
        // A fault missing from the table must not pass for harmless.
        _ => Finding::blocker(Stage::Data, what, Verb::Change),
    }
}

/// Opens the file to mend.
pub(super) fn open_file(path: &Path, line: Option<u32>) -> Remedy {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let action = Action::OpenFile { path: path.to_owned(), line };
    Remedy::new("open-file", Applicability::Manual, action).with("file", name)
}

/// Chooses another dataset.
pub(super) fn choose_dataset() -> Remedy {
    Remedy::new("choose-dataset", Applicability::NeedsChoice, Action::ChooseDataset)
}

/// A line of a file, counted from 1, no longer than fits a window.
pub(super) fn shortened(bytes: &[u8], line: u32) -> String {
    const LONGEST: usize = 120;
    let text = bytes.split(|byte| *byte == b'\n').nth(line.saturating_sub(1) as usize).unwrap_or_default();
    // Cut before decoding: a line may be megabytes long.
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * LONGEST)]);
    let text = text.trim_end();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Language, Texts};

    #[test]
    fn every_fault_has_a_title_and_an_explanation_in_every_language() {
        for language in Language::ALL {
            let texts = Texts::new(language);
            for (what, severity) in SEVERITIES {
                let finding = fault(what);
                assert_eq!(finding.severity, *severity);
                for message in [finding.title(), finding.detail()] {
                    assert!(texts.render(&message.id, &message.args).is_some(), "{} in {}", message.id, language.tag());
                }
            }
        }
    }
}
