//! What a `data.yaml` declares, and what the trainer would refuse it for.

use std::path::Path;

use super::SplitKind;
use super::faults::{fault, shortened};
use super::yaml::{self, Node, Value};
use crate::finding::{Evidence, Finding};

/// Text of the yaml and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// As written.
    pub text: String,
    /// Counted from 1.
    pub line: u32,
}

/// What a `data.yaml` declares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declaration {
    /// The dataset's folder.
    pub path: Option<Written>,
    /// The splits, in the order train, val, test.
    pub splits: Vec<DeclaredSplit>,
    /// Class names by id.
    pub names: Vec<String>,
    /// Key points per object and values per key point.
    pub keypoints: Option<(u32, u32)>,
    /// Where each key point is in a mirrored image (`flip_idx`), where the yaml says so.
    pub mirrored: Option<Vec<i64>>,
    /// Channels of an image, where the yaml says so.
    pub channels: Option<u32>,
}

/// One split as declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredSplit {
    /// Which.
    pub kind: SplitKind,
    /// Where its images are.
    pub places: Vec<Written>,
    /// Written as a list: the trainer resolves its places a little differently.
    pub list: bool,
}

/// Reads a `data.yaml`. What can be used is in the declaration, whatever the findings say.
#[must_use]
pub fn read(file: &Path, bytes: &[u8]) -> (Declaration, Vec<Finding>) {
    let mut reader = Reader { file, bytes, declaration: Declaration::default(), findings: Vec::new() };
    reader.read();
    (reader.declaration, reader.findings)
}

struct Reader<'a> {
    file: &'a Path,
    bytes: &'a [u8],
    declaration: Declaration,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let root = match yaml::parse(self.bytes) {
            Ok(root) => root,
            Err(error) => {
                let finding = fault("yaml-invalid").with("line", error.line).with("message", error.message);
                return self.add(finding, Some(error.line));
            }
        };
        match root.value {
            Value::Map(_) | Value::Null => {}
            _ => return self.add(fault("yaml-not-a-mapping"), Some(root.line)),
        }
        self.declaration.path = self.field(&root, "path", "text").and_then(|node| {
            let text = node.text().filter(|text| !text.is_empty())?.to_owned();
            Some(Written { text, line: node.line })
        });
        self.splits(&root);
        self.names(&root);
        let number = |node: &Node| match node.value {
            Value::Int(number) => u32::try_from(number).ok().filter(|number| *number > 0),
            _ => None,
        };
        self.declaration.channels = root.get("channels").and_then(number);
        if let Some(Node { value: Value::List(order), .. }) = self.field(&root, "flip_idx", "list") {
            // What is no number is nobody's place.
            self.declaration.mirrored = Some(order.iter().map(|node| whole(&node.value).unwrap_or(i64::MIN)).collect());
        }
        if let Some(Node { value: Value::List(shape), .. }) = self.field(&root, "kpt_shape", "list")
            && let [count, values, ..] = shape.as_slice()
        {
            self.declaration.keypoints = number(count).zip(number(values));
        }
    }

    /// Adds a finding with the yaml's line as its evidence.
    fn add(&mut self, finding: Finding, line: Option<u32>) {
        let evidence = match line {
            Some(line) => Evidence::line(self.file, line, shortened(self.bytes, line)),
            None => Evidence::file(self.file),
        };
        self.findings.push(finding.seen(evidence).remedy(super::faults::open_file(self.file, line)));
    }

    /// A top-level value that is not null. The word `None`, which is text to YAML, is null to the trainer.
    fn present<'n>(root: &'n Node, key: &str) -> Option<&'n Node> {
        root.get(key).filter(|node| node.value != Value::Null && node.text() != Some("None"))
    }

    /// A top-level value of one of the types the trainer takes there: `text`, `list`, `text-or-list` or
    /// `list-or-mapping`.
    fn field<'n>(&mut self, root: &'n Node, key: &str, expected: &str) -> Option<&'n Node> {
        let node = Self::present(root, key)?;
        let fits = match node.value {
            Value::Text(_) => expected.starts_with("text"),
            Value::List(_) => expected.contains("list"),
            Value::Map(_) => expected.contains("mapping"),
            _ => false,
        };
        if !fits {
            let finding = fault("yaml-wrong-type")
                .with("key", key)
                .with("expected", expected)
                .with("value", node.python_str())
                .with("found", node.type_name());
            self.add(finding, Some(node.line));
        }
        fits.then_some(node)
    }

    fn splits(&mut self, root: &Node) {
        for (kind, key) in [(SplitKind::Train, "train"), (SplitKind::Val, "val"), (SplitKind::Test, "test")] {
            let key = if key == "val" && root.get("val").is_none() { "validation" } else { key };
            if Self::present(root, key).is_none() {
                match kind {
                    SplitKind::Train => self.add(fault("no-train"), root.get(key).map(|node| node.line)),
                    SplitKind::Val => self.add(fault("no-val"), root.get(key).map(|node| node.line)),
                    SplitKind::Test => {}
                }
                continue;
            }
            let Some(node) = self.field(root, key, "text-or-list") else { continue };
            let (items, list) = match &node.value {
                Value::List(items) => (items.as_slice(), true),
                _ => (std::slice::from_ref(node), false),
            };
            let places: Vec<_> = items
                .iter()
                .filter_map(|item| Some(Written { text: item.text()?.to_owned(), line: item.line }))
                .filter(|place| !place.text.is_empty())
                .collect();
            if places.len() < items.len() || places.is_empty() {
                let finding = fault("yaml-wrong-type")
                    .with("key", key)
                    .with("expected", "text-or-list")
                    .with("value", node.python_str())
                    .with("found", node.type_name());
                self.add(finding, Some(node.line));
            }
            self.declaration.splits.push(DeclaredSplit { kind, places, list });
        }
    }

    fn names(&mut self, root: &Node) {
        let count = root.get("nc").and_then(|node| {
            let count = whole(&node.value).filter(|count| *count >= 0);
            if count.is_none() {
                self.add(fault("class-count-invalid").with("value", node.python_str()), Some(node.line));
            }
            Some((count?, node.line))
        });
        if Self::present(root, "names").is_none() {
            match count {
                Some((0, line)) => self.add(fault("no-classes"), Some(line)),
                Some((count, _)) => {
                    let count = count.min(i64::from(super::MOST_CLASSES));
                    self.declaration.names = (0..count).map(|id| format!("class_{id}")).collect();
                }
                None if root.get("nc").is_none() => self.add(fault("no-names"), None),
                None => {}
            }
            return;
        }
        let Some(node) = self.field(root, "names", "list-or-mapping") else { return };
        let names: Vec<(i64, &Node)> = match &node.value {
            Value::List(items) => (0..).zip(items).collect(),
            Value::Map(entries) => {
                let mut by_id = std::collections::BTreeMap::new();
                for (key, name) in entries {
                    let Some(id) = whole(&key.value) else {
                        let finding = fault("class-ids-invalid").with("id", key.python_str());
                        return self.add(finding, Some(key.line));
                    };
                    by_id.insert(id, (key.line, name));
                }
                // Ids are 0, 1, 2, … without a gap.
                if let Some((_, (id, (line, _)))) = (0..).zip(&by_id).find(|(expected, (id, _))| expected != *id) {
                    return self.add(fault("class-ids-invalid").with("id", id.to_string()), Some(*line));
                }
                by_id.into_iter().map(|(id, (_, name))| (id, name)).collect()
            }
            _ => return,
        };
        if names.is_empty() {
            self.add(fault("no-classes"), Some(node.line));
        }
        if let Some((count, line)) = count
            && i64::try_from(names.len()) != Ok(count)
        {
            let finding = fault("class-count-mismatch").with("nc", count.to_string()).with("names", names.len());
            self.add(finding, Some(line));
        }
        // Numbers as names are common and harmless; a word that turned into something else is not what was meant.
        if let Some((_, name)) = names.iter().find(|(_, name)| {
            matches!(name.value, Value::Bool(_) | Value::Null | Value::List(_) | Value::Map(_))
                || matches!(name.value, Value::Int(_) | Value::Float(_) if !self.says(name))
        }) {
            self.add(fault("class-name-not-text").with("name", name.python_str()), Some(name.line));
        }
        self.declaration.names = names.into_iter().map(|(_, name)| name.python_str()).collect();
    }

    /// Whether the yaml's line shows the value in the form Python gives it.
    fn says(&self, node: &Node) -> bool {
        shortened(self.bytes, node.line).contains(&node.python_str())
    }
}

/// A whole number the way Python's `int` and `float` find one in a value.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Bool(flag) => Some(i64::from(*flag)),
        #[expect(clippy::cast_possible_truncation, reason = "checked")]
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(*number as i64),
        Value::Text(text) => text.trim().parse().ok().or_else(|| whole(&Value::Float(text.trim().parse().ok()?))),
        _ => None,
    }
}
