//! How far uv is: it names each large file when it begins and when it has it; in between, its cache grows.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use preflight_core::environment::EnvironmentProgress;
use tokio::process::Command;

use super::child;
use super::recipe::Cost;
use super::sources::UvVariables;

/// Bytes on disk for ten bytes of a wheel with libraries: torch 2.15.0 has 514 MiB as a wheel and 1,120 MiB unpacked. uv
/// unpacks while it downloads.
const UNPACKED: u64 = 22;

/// uv's cache folder.
pub(super) async fn cache(uv: &Path, variables: &UvVariables) -> Option<PathBuf> {
    let mut command = Command::new(uv);
    variables.apply(&mut command);
    command.args(["--color", "never", "cache", "dir"]);
    let output = child::run(command, tokio::time::sleep(Duration::from_secs(20)), |_| {}).await.ok()??;
    let path = PathBuf::from(output.stdout.trim());
    (output.status.success() && path.is_absolute()).then_some(path)
}

/// What is known about an installation that is going on.
#[derive(Debug)]
pub(super) struct Downloads {
    cache: Option<PathBuf>,
    /// Half-downloaded files that were there before.
    foreign: BTreeSet<PathBuf>,
    expected: u64,
    heard: Mutex<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    sizes: HashMap<String, u64>,
    /// Bytes of the files that uv has.
    complete: u64,
    /// Bytes of the files that uv is at.
    pending: u64,
    line: String,
    most: u64,
}

impl Downloads {
    pub(super) fn new(cache: Option<PathBuf>, cost: Cost) -> Self {
        let foreign = cache.as_deref().map(half_downloaded).unwrap_or_default();
        Self { cache, foreign, expected: cost.download, heard: Mutex::new(Heard::default()) }
    }

    /// Takes in a line of uv's: `Downloading torch (514.2MiB)`, ` Downloaded torch`.
    pub(super) fn heard(&self, line: &str) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let trimmed = line.trim();
        if let Some((name, size)) = trimmed.strip_prefix("Downloading ").and_then(sized) {
            heard.pending += size;
            heard.sizes.insert(name.to_owned(), size);
        } else if let Some(size) = trimmed.strip_prefix("Downloaded ").and_then(|name| heard.sizes.remove(name)) {
            heard.pending -= size;
            heard.complete += size;
        }
        if !trimmed.is_empty() {
            trimmed.clone_into(&mut heard.line);
        }
    }

    /// How far it is.
    pub(super) async fn progress(&self) -> EnvironmentProgress {
        let cache = self.cache.clone();
        let foreign = self.foreign.clone();
        let unpacked = tokio::task::spawn_blocking(move || {
            let half = cache.as_deref().map(half_downloaded).unwrap_or_default();
            half.difference(&foreign).map(|folder| size(folder)).sum::<u64>()
        });
        let unpacked = unpacked.await.unwrap_or(0);
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let on_the_way = (unpacked * 10 / UNPACKED).min(heard.pending);
        // A file that was just completed is no longer in the cache's temporary folder: never step back.
        heard.most = heard.most.max(heard.complete + on_the_way);
        let known = heard.complete + heard.pending;
        EnvironmentProgress::Installing {
            done: heard.most,
            // uv names what it has to fetch; before that, and for what it has in its cache, there is the rule.
            total: if known == 0 { self.expected } else { known },
            line: heard.line.clone(),
        }
    }

    /// Removes what a killed uv left half-downloaded: gigabytes that nothing else would ever remove. Only when no other
    /// uv is at work: each holds the cache's lock.
    pub(super) async fn sweep(&self) {
        let Some(cache) = self.cache.clone() else { return };
        let foreign = self.foreign.clone();
        let sweep = move || {
            let left: Vec<PathBuf> = half_downloaded(&cache).difference(&foreign).cloned().collect();
            if left.is_empty() {
                return;
            }
            if let Ok(lock) = File::options().write(true).open(cache.join(".lock"))
                && lock.try_lock().is_ok()
            {
                for folder in left {
                    // Garbage that cannot be removed does no harm.
                    let _ = std::fs::remove_dir_all(&folder).or_else(|_| std::fs::remove_file(&folder));
                }
            }
        };
        let _ = tokio::task::spawn_blocking(sweep).await;
    }
}

fn half_downloaded(cache: &Path) -> BTreeSet<PathBuf> {
    let Ok(entries) = std::fs::read_dir(cache) else { return BTreeSet::new() };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(".tmp"))
        .map(|e| e.path())
        .collect()
}

fn size(folder: &Path) -> u64 {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).filter(std::fs::Metadata::is_file).map(|file| file.len()).sum()
}

/// `torch (514.2MiB)`
fn sized(text: &str) -> Option<(&str, u64)> {
    let (name, size) = text.rsplit_once(" (")?;
    let size = size.strip_suffix(')')?;
    let unit = size.find(|c: char| c.is_ascii_alphabetic())?;
    let factor = match &size[unit..] {
        "B" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let number: f64 = size[..unit].trim().parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let bytes = (number * factor) as u64;
    Some((name, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn bytes_are_counted_as_uv_names_them() {
        let cache = tempfile::tempdir().unwrap();
        std::fs::create_dir(cache.path().join(".tmpOther")).unwrap();
        std::fs::write(cache.path().join(".tmpOther/x"), [0; 9000]).unwrap();
        let downloads = Downloads::new(Some(cache.path().to_owned()), Cost { download: 7, disk: 9 });
        let now = || async {
            let EnvironmentProgress::Installing { done, total, line } = downloads.progress().await else { panic!() };
            (done, total, line)
        };
        assert_eq!(now().await, (0, 7, String::new()));
        downloads.heard("Downloading torch (1.5KiB)");
        downloads.heard("Downloading sympy (1.0KiB)\r");
        assert_eq!(now().await, (0, 2560, "Downloading sympy (1.0KiB)".to_owned()));
        std::fs::create_dir(cache.path().join(".tmpA")).unwrap();
        std::fs::write(cache.path().join(".tmpA/x"), [0; 2200]).unwrap();
        assert_eq!(now().await.0, 1000);
        std::fs::write(cache.path().join(".tmpA/y"), [0; 22000]).unwrap();
        assert_eq!(now().await.0, 2560);
        downloads.heard(" Downloaded torch");
        std::fs::rename(cache.path().join(".tmpA"), cache.path().join("whole")).unwrap();
        assert_eq!(now().await, (2560, 2560, "Downloaded torch".to_owned()));

        // Swept only while no uv holds the cache.
        std::fs::create_dir(cache.path().join(".tmpB")).unwrap();
        let lock = File::create(cache.path().join(".lock")).unwrap();
        lock.lock_shared().unwrap();
        downloads.sweep().await;
        assert!(cache.path().join(".tmpB").exists());
        lock.unlock().unwrap();
        downloads.sweep().await;
        assert!(!cache.path().join(".tmpB").exists());
        assert!(cache.path().join(".tmpOther").exists());
    }

    proptest::proptest! {
        #[test]
        fn any_line_can_be_heard(lines in proptest::collection::vec("( ?Download(ing|ed) )?[a-c]{0,2}( \\([0-9.]{0,4}(B|KiB|GiB|x)?\\))?", 0..20)) {
            let downloads = Downloads::new(None, Cost { download: 7, disk: 9 });
            lines.iter().for_each(|line| downloads.heard(line));
        }
    }
}
