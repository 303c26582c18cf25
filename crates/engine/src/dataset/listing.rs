//! Which files a split's images are, in the trainer's order.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use preflight_core::dataset::paths;
use preflight_core::dataset::tally::{Fault, Faults};
use preflight_core::dataset::{Split, SplitSource};
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

/// The image files of a split.
#[derive(Debug, Default)]
pub(super) struct Listing {
    folders: Vec<Folder>,
    ids: HashMap<PathBuf, u32>,
    /// Folder and name: half the memory of a path each.
    files: Vec<(u32, Box<OsStr>)>,
    /// Files that are no images to the trainer, by ending.
    pub(super) others: BTreeMap<String, u32>,
    /// Every folder that was looked through, with images or without.
    walked: Vec<PathBuf>,
    /// Images that are links to files elsewhere.
    pub(super) links: u32,
}

#[derive(Debug)]
struct Folder {
    images: PathBuf,
    labels: PathBuf,
}

/// Folders nested deeper than this are a loop that could not be recognised.
const DEEPEST: usize = 64;

/// Folders that a list may name above the dataset's own.
const MOST_ABOVE: usize = 3;

/// How often one folder is listed that is reached by several links. The trainer lists it each time; where links lead to
/// folders of links, that would be without an end.
const MOST_VISITS: u32 = 16;

impl Listing {
    /// Lists a split's images.
    pub(super) fn read(
        sources: &[SplitSource],
        root: &Path,
        faults: &mut Faults,
        cancel: &CancellationToken,
    ) -> Result<Self, Problem> {
        let mut listing = Self::default();
        for source in sources {
            if source.resolved.is_dir() {
                let mut walk =
                    Walk { listing: &mut listing, faults, cancel, above: Vec::new(), visits: HashMap::new() };
                walk.folder(&source.resolved)?;
            } else {
                listing.list_file(&source.resolved, root, faults);
            }
        }
        let Self { folders, files, .. } = &mut listing;
        files.sort_unstable_by(|a, b| by_text(folders, a, b));
        Ok(listing)
    }

    /// The listing of a split that was scanned before.
    pub(super) fn of(split: &Split, root: &Path) -> Self {
        let mut faults = Faults::default();
        Self::read(&split.sources, root, &mut faults, &CancellationToken::new()).unwrap_or_default()
    }

    /// What one list of images names.
    #[cfg(any(test, feature = "testing"))]
    pub(super) fn of_list(list: &Path, root: &Path, faults: &mut Faults) -> Self {
        let mut listing = Self::default();
        listing.list_file(list, root, faults);
        listing
    }

    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    pub(super) fn image(&self, index: usize) -> PathBuf {
        let (folder, name) = &self.files[index];
        self.folders[*folder as usize].images.join(&**name)
    }

    /// The folder and name of a file.
    pub(super) fn place(&self, index: usize) -> (u32, &OsStr) {
        let (folder, name) = &self.files[index];
        (*folder, name)
    }

    /// A folder of images and the folder where their labels are.
    pub(super) fn folder(&self, id: u32) -> (&Path, &Path) {
        let Folder { images, labels, .. } = &self.folders[id as usize];
        (images, labels)
    }

    pub(super) fn label(&self, index: usize) -> PathBuf {
        let (folder, name) = &self.files[index];
        self.folders[*folder as usize].labels.join(paths::label_name(name))
    }

    /// The folders of labels, each with its folder of images.
    pub(super) fn folders(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.folders.iter().map(|folder| (folder.labels.as_path(), folder.images.as_path()))
    }

    /// The folders that images are looked for in.
    pub(super) fn walked(&self) -> impl Iterator<Item = &Path> {
        self.walked.iter().map(PathBuf::as_path)
    }

    /// How many of these files are in another listing as well.
    pub(super) fn shared_with(&self, other: &Self) -> usize {
        // Nearly always the folders already differ.
        let folders: Vec<Option<u32>> =
            self.folders.iter().map(|folder| other.ids.get(&folder.images).copied()).collect();
        if folders.iter().all(Option::is_none) {
            return 0;
        }
        let others: HashSet<(u32, &OsStr)> = other.files.iter().map(|(folder, name)| (*folder, &**name)).collect();
        let is_shared = |(folder, name): &&(u32, Box<OsStr>)| {
            folders[*folder as usize].is_some_and(|folder| others.contains(&(folder, &**name)))
        };
        self.files.iter().filter(is_shared).count()
    }

    /// How many folders the files are in.
    pub(super) fn folder_count(&self) -> usize {
        self.folders.len()
    }

    /// How many of a later listing's files are in this one.
    pub(super) fn kept_in(&self, places: &Places) -> usize {
        match places {
            Places::Same => self.len(),
            Places::Moved(places) => places.iter().flatten().count(),
        }
    }

    /// Where the files of a later listing are in this one.
    pub(super) fn places_in(&self, later: &Self) -> Places {
        let same_folders = self.folders.iter().map(|f| &f.images).eq(later.folders.iter().map(|f| &f.images));
        if same_folders && self.files == later.files {
            return Places::Same;
        }
        let hasher = RandomState::new();
        let key = |listing: &Self, index: usize| {
            let (folder, name) = &listing.files[index];
            hasher.hash_one((&listing.folders[*folder as usize].images, name))
        };
        let known: HashMap<u64, usize> = (0..self.len()).map(|index| (key(self, index), index)).collect();
        let path_is = |before: usize, index: usize| self.image(before) == later.image(index);
        Places::Moved(
            (0..later.len())
                .map(|index| known.get(&key(later, index)).copied().filter(|before| path_is(*before, index)))
                .collect(),
        )
    }

    fn add(&mut self, folder: &Path, name: OsString) {
        let id = match self.ids.get(folder) {
            Some(id) => *id,
            None => {
                let id = u32::try_from(self.folders.len()).unwrap_or(u32::MAX);
                self.folders.push(Folder { images: folder.to_owned(), labels: paths::label_folder(folder) });
                self.ids.insert(folder.to_owned(), id);
                id
            }
        };
        self.files.push((id, name.into_boxed_os_str()));
    }

    /// A text file with an image path a line. The trainer takes `./` for the file's folder, and everything else for
    /// relative to the folder it was started in; we take that for relative to the file's folder or the dataset's.
    fn list_file(&mut self, list: &Path, root: &Path, faults: &mut Faults) {
        let text = match read_list(list).map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(_)) => return faults.add(&Fault::label("list-unreadable").saying("UTF-8"), list),
            Err(error) => return faults.add(&Fault::label("list-unreadable").saying(error.to_string()), list),
        };
        let beside = list.parent().unwrap_or(Path::new(""));
        for line in text.strip_prefix('\u{feff}').unwrap_or(&text).trim().lines() {
            if !paths::is_image(OsStr::new(line)) {
                continue;
            }
            let written = Path::new(line.strip_prefix("./").unwrap_or(line));
            let mut path = beside.join(written);
            if !line.starts_with("./") && written.is_relative() {
                faults.add(&Fault::image("list-relative").saying(line), list);
                // Tools that export whole projects write paths from above the folder. What is longest counts.
                let rest = |skipped: usize| root.join(written.components().skip(skipped).collect::<PathBuf>());
                if !path.exists()
                    && let Some(there) = (0..=MOST_ABOVE).map(rest).find(|path| path.is_file())
                {
                    path = there;
                }
            }
            if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
                self.add(folder, name.to_owned());
            }
        }
    }
}

/// A list of images. What is larger than two million paths of usual length is none, and neither is what holds zeros.
fn read_list(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    const LARGEST: u64 = 256 << 20;
    const LOOKED_AT: u64 = 4096;
    let mut bytes = Vec::new();
    let mut file = super::opener::open(path)?;
    if file.metadata()?.len() > LARGEST {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    file.by_ref().take(LOOKED_AT).read_to_end(&mut bytes)?;
    if bytes.contains(&0) {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where files are in an earlier listing.
pub(super) enum Places {
    /// Where they are now.
    Same,
    /// Elsewhere, or they were not there.
    Moved(Vec<Option<usize>>),
}

impl Places {
    pub(super) fn before(&self, index: usize) -> Option<usize> {
        match self {
            Self::Same => Some(index),
            Self::Moved(places) => places.get(index).copied().flatten(),
        }
    }
}

/// The trainer sorts paths as text, so `a-b/x.jpg` comes before `a/x.jpg`.
fn by_text(folders: &[Folder], a: &(u32, Box<OsStr>), b: &(u32, Box<OsStr>)) -> Ordering {
    if a.0 == b.0 {
        return a.1.as_encoded_bytes().cmp(b.1.as_encoded_bytes());
    }
    let text = |(folder, name): &(u32, Box<OsStr>)| -> Vec<u8> {
        let mut text = folders[*folder as usize].images.as_os_str().as_encoded_bytes().to_vec();
        text.extend(MAIN_SEPARATOR_STR.bytes());
        text.extend(name.as_encoded_bytes());
        text
    };
    text(a).cmp(&text(b))
}

struct Walk<'a> {
    listing: &'a mut Listing,
    faults: &'a mut Faults,
    cancel: &'a CancellationToken,
    /// The real paths of the folders above.
    above: Vec<PathBuf>,
    /// How often each folder was listed, by its real path.
    visits: HashMap<PathBuf, u32>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path) -> Result<(), Problem> {
        if self.cancel.is_cancelled() {
            return Err(super::cancelled());
        }
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        if self.above.contains(&real) || self.above.len() >= DEEPEST {
            self.faults.add(&Fault::image("folder-loop").saying(real.display().to_string()), folder);
            return Ok(());
        }
        let visits = self.visits.entry(real.clone()).or_default();
        *visits += 1;
        if *visits > MOST_VISITS {
            self.faults.add(&Fault::image("folder-repeated").saying(real.display().to_string()), folder);
            return Ok(());
        }
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.faults.add(&Fault::image("folder-unreadable").saying(error.to_string()), folder);
                return Ok(());
            }
        };
        self.above.push(real);
        self.listing.walked.push(folder.to_owned());
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.faults.add(&Fault::image("folder-unreadable").saying(error.to_string()), folder);
                    break;
                }
            };
            let name = entry.file_name();
            if paths::is_hidden(&name) {
                continue;
            }
            let is_image = paths::is_image(&name);
            let kind = entry.file_type().ok();
            let is_link = kind.is_some_and(|kind| kind.is_symlink());
            let is_folder = kind.is_some_and(|kind| kind.is_dir())
                || (is_link && std::fs::metadata(entry.path()).is_ok_and(|found| found.is_dir()));
            if is_folder {
                self.folder(&entry.path())?;
            }
            if is_image {
                self.listing.add(folder, name);
                self.listing.links += u32::from(is_link && !is_folder);
            } else if !is_folder && let Some(ending) = Path::new(&name).extension() {
                let ending = ending.to_string_lossy().to_lowercase();
                *self.listing.others.entry(ending).or_default() += 1;
            }
        }
        self.above.pop();
        Ok(())
    }
}
