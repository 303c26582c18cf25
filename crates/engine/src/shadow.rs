//! The shadow tree: what the trainer sees instead of a person's dataset.
//!
//! The trainer writes caches beside the labels, decoded images beside the images, and re-saves JPEGs in place that do
//! not end as they should. So it gets real folders with a link per file, and real copies of the files it would rewrite.
//! Never hard links: they share the person's bytes.
//!
//! Whatever form the dataset has (folders, lists of folders, text files of paths), its shadow is always the same:
//! `images/<split>/…` and `labels/<split>/…`, with the images' own names and in the order the trainer gives them.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use preflight_core::dataset::{Dataset, SplitKind, paths, yaml};
use preflight_core::problem::Problem;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use tokio_util::sync::CancellationToken;

use crate::dataset::ImageFiles;

/// What a shadow tree is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadow {
    /// The `data.yaml` the trainer is given.
    pub yaml: PathBuf,
    /// Files linked.
    pub linked: u32,
    /// Files copied.
    pub copied: u32,
    /// Bytes copied.
    pub copied_bytes: u64,
}

/// How a file was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    /// By a symbolic link.
    Linked,
    /// By a copy of this many bytes.
    Copied(u64),
}

/// The `data.yaml` of a shadow tree in this folder.
#[must_use]
pub fn yaml(folder: &Path) -> PathBuf {
    folder.join("data.yaml")
}

/// Makes the shadow tree of a dataset in a folder that is empty or not there yet.
///
/// # Errors
/// `file.unwritable` with the path, `dataset.cancelled`.
pub fn build(dataset: &Dataset, folder: &Path, cancel: &CancellationToken) -> Result<Shadow, Problem> {
    build_of(dataset, folder, cancel, |kind| Some(crate::dataset::images(dataset, kind)))
}

/// Makes one of the images with most boxes: so many to train on, some of them several times where there are fewer, and
/// at most so many to validate on.
///
/// # Errors
/// Those of [`build`].
pub fn build_fullest(
    dataset: &Dataset,
    folder: &Path,
    [train, val]: [u32; 2],
    cancel: &CancellationToken,
) -> Result<Shadow, Problem> {
    build_of(dataset, folder, cancel, |kind| {
        let images = fullest(crate::dataset::images(dataset, kind), cancel);
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        match kind {
            // An endless circle of none is none.
            SplitKind::Train if images.is_empty() => Some(images),
            SplitKind::Train => Some(images.into_iter().cycle().take(count(train)).collect()),
            SplitKind::Val => Some(images.into_iter().take(count(val)).collect()),
            SplitKind::Test => None,
        }
    })
}

/// Images in the order of their lines of labels, most first.
fn fullest(images: Vec<ImageFiles>, cancel: &CancellationToken) -> Vec<ImageFiles> {
    let lines = |files: &ImageFiles| match std::fs::read(&files.label) {
        Ok(label) if !cancel.is_cancelled() => {
            label.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count()
        }
        _ => 0,
    };
    let mut counted: Vec<(usize, ImageFiles)> = images.into_par_iter().map(|files| (lines(&files), files)).collect();
    counted.sort_by_key(|(lines, _)| std::cmp::Reverse(*lines));
    counted.into_iter().map(|(_, files)| files).collect()
}

fn build_of(
    dataset: &Dataset,
    folder: &Path,
    cancel: &CancellationToken,
    choose: impl Fn(SplitKind) -> Option<Vec<ImageFiles>>,
) -> Result<Shadow, Problem> {
    make_folder(folder)?;
    let mut files = Vec::new();
    let mut kinds = Vec::new();
    for kind in [SplitKind::Train, SplitKind::Val, SplitKind::Test] {
        if cancel.is_cancelled() {
            return Err(Problem::new("dataset.cancelled"));
        }
        if dataset.split(kind).is_some()
            && let Some(images) = choose(kind)
        {
            let folder = folder.join("images").join(kind.name());
            make_folder(&folder)?;
            kinds.push(kind);
            plan(&images, &folder, &mut files);
        }
    }
    let folders: HashSet<&Path> = files.iter().filter_map(|file| file.to.parent()).collect();
    folders.into_iter().try_for_each(make_folder)?;

    let placed: Vec<Placed> = files
        .par_iter()
        .map(|Placement { from, to }| {
            if cancel.is_cancelled() {
                return Err(Problem::new("dataset.cancelled"));
            }
            place(from, to).map_err(|error| Problem::new("file.unwritable").with("path", to.as_path()).because(&error))
        })
        .collect::<Result<_, _>>()?;

    let yaml = yaml(folder);
    crate::write::atomically(&yaml, declaration(dataset, folder, &kinds).as_bytes())?;
    let mut shadow = Shadow { yaml, linked: 0, copied: 0, copied_bytes: 0 };
    for placed in placed {
        match placed {
            Placed::Linked => shadow.linked += 1,
            Placed::Copied(bytes) => {
                shadow.copied += 1;
                shadow.copied_bytes += bytes;
            }
        }
    }
    Ok(shadow)
}

/// A file of the dataset and its place in the shadow tree.
#[derive(Debug, PartialEq, Eq)]
struct Placement {
    from: PathBuf,
    to: PathBuf,
}

/// Where each image of a split, and its label, goes below a folder.
fn plan(images: &[ImageFiles], folder: &Path, files: &mut Vec<Placement>) {
    let above = common_folder(images.iter().map(|files| files.image.as_path()));
    let mut taken = HashSet::new();
    for ImageFiles { image, label } in images {
        // A folder or a pipe with an image's name is nothing to train on, and a link to a folder would be followed.
        if !image.metadata().is_ok_and(|found| found.is_file()) {
            continue;
        }
        let below = inside(image.strip_prefix(&above).unwrap_or(image));
        let mut to = folder.join(&below);
        // A list may name an image several times, so that it counts several times.
        let mut count = 1;
        while !taken.insert(to.clone()) {
            count += 1;
            to = folder.join(numbered(&below, count));
        }
        let label_to = paths::label_path(&to);
        files.push(Placement { from: image.clone(), to });
        if label.metadata().is_ok_and(|found| found.is_file()) && taken.insert(label_to.clone()) {
            files.push(Placement { from: label.clone(), to: label_to });
        }
    }
}

/// The deepest folder that all of these files are in. Empty: they have none in common.
fn common_folder<'a>(mut files: impl Iterator<Item = &'a Path>) -> PathBuf {
    let Some(first) = files.next() else { return PathBuf::new() };
    let mut common: Vec<Component<'_>> = first.parent().unwrap_or(Path::new("")).components().collect();
    for file in files {
        let shared = common.iter().zip(file.parent().unwrap_or(Path::new("")).components());
        let length = shared.take_while(|(a, b)| **a == *b).count();
        common.truncate(length);
    }
    common.into_iter().collect()
}

/// A path as one below a folder, with no part that the trainer passes over: it does not see hidden files.
fn inside(path: &Path) -> PathBuf {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(visible(name)),
            Component::ParentDir => Some("_..".into()),
            Component::Prefix(drive) => Some(
                drive
                    .as_os_str()
                    .to_string_lossy()
                    .chars()
                    .filter(char::is_ascii_alphanumeric)
                    .collect::<String>()
                    .into(),
            ),
            Component::RootDir | Component::CurDir => None,
        })
        .collect()
}

fn visible(name: &OsStr) -> OsString {
    if !paths::is_hidden(name) {
        return name.to_owned();
    }
    let mut shown = OsString::from("_");
    shown.push(name);
    shown
}

/// `a/b.jpg` as `a/b~2.jpg`.
fn numbered(path: &Path, count: u32) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("~{count}"));
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

fn make_folder(folder: &Path) -> Result<(), Problem> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Problem::new("file.unwritable").with("path", folder).because(&error))
}

fn place(from: &Path, to: &Path) -> io::Result<Placed> {
    if would_be_rewritten(from) { copy(from, to) } else { link_or_copy(from, to) }
}

/// Places a file by a symbolic link, or by a copy where links can't be had: Windows asks for a right, some file systems
/// have none.
///
/// # Errors
/// Those of the copy.
pub fn link_or_copy(from: &Path, to: &Path) -> io::Result<Placed> {
    match link(from, to) {
        Ok(()) => Ok(Placed::Linked),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) => copy(from, to),
    }
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(from, to)
}

/// A copy that may be written to; it shares the blocks of the original until then, where the file system can do that.
fn copy(from: &Path, to: &Path) -> io::Result<Placed> {
    reflink_copy::reflink_or_copy(from, to)?;
    let file = to.metadata()?;
    let mut permissions = file.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        permissions.set_mode(permissions.mode() | 0o600);
    }
    #[cfg(not(unix))]
    permissions.set_readonly(false);
    std::fs::set_permissions(to, permissions)?;
    Ok(Placed::Copied(file.len()))
}

/// Whether the trainer would save this image anew: a JPEG, by content, whose last bytes are not its end marker.
/// One that cannot be read is the trainer's to refuse.
fn would_be_rewritten(image: &Path) -> bool {
    let look = || -> io::Result<bool> {
        let mut file = File::open(image)?;
        let mut start = [0; 3];
        file.read_exact(&mut start)?;
        if start != [0xff, 0xd8, 0xff] {
            return Ok(false);
        }
        let mut end = [0; 2];
        file.seek(SeekFrom::End(-2))?;
        file.read_exact(&mut end)?;
        Ok(end != [0xff, 0xd9])
    };
    look().unwrap_or(false)
}

/// The shadow tree's `data.yaml`.
fn declaration(dataset: &Dataset, folder: &Path, kinds: &[SplitKind]) -> String {
    let mut yaml = format!("path: {}\n", quoted(&folder.to_string_lossy()));
    for kind in kinds {
        let _ = writeln!(yaml, "{0}: images/{0}", kind.name());
    }
    yaml.push_str("names:\n");
    for (id, name) in dataset.names.iter().enumerate() {
        let _ = writeln!(yaml, "  {id}: {}", quoted(name));
    }
    if let Some((count, values)) = dataset.keypoints {
        let _ = writeln!(yaml, "kpt_shape: [{count}, {values}]");
    }
    // The order of the key points in a mirrored image. Without it the trainer does not mirror any.
    if let Some(order) = dataset.yaml.as_deref().and_then(mirrored_keypoints) {
        let _ = writeln!(yaml, "flip_idx: {order:?}");
    }
    if dataset.channels != 3 {
        let _ = writeln!(yaml, "channels: {}", dataset.channels);
    }
    yaml
}

/// What a dataset's own yaml says in `flip_idx`.
fn mirrored_keypoints(file: &Path) -> Option<Vec<i64>> {
    let root = yaml::parse(&std::fs::read(file).ok()?).ok()?;
    let Some(yaml::Node { value: yaml::Value::List(order), .. }) = root.get("flip_idx") else { return None };
    let number = |node: &yaml::Node| match node.value {
        yaml::Value::Int(number) => Some(number),
        _ => None,
    };
    order.iter().map(number).collect()
}

/// Text as a double-quoted YAML scalar. The trainer deletes what it holds to be unprintable before it reads the file,
/// so all of that is escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut yaml = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => yaml.push_str("\\\""),
            '\\' => yaml.push_str("\\\\"),
            '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. | ' '..='~'
                if !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') =>
            {
                yaml.push(c);
            }
            c => {
                let _ = write!(yaml, "\\U{:08X}", u32::from(c));
            }
        }
    }
    yaml.push('"');
    yaml
}

#[cfg(test)]
mod tests;
