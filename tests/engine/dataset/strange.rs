//! Names and files that make careless programs stumble. The rest goes on.

use preflight_core::dataset::{SplitKind, Task};
use preflight_core::finding::Severity;

use super::folder::{Folder, ROW};
use super::{codes, finding, scan, split};

#[test]
fn names_are_names_whatever_they_look_like() {
    let folder = Folder::good();
    let names = ["--help", "$(rm -rf x)", "a b", "a\tb", "a\nb", "划痕", "é", "'\"`;|&", "%s%n", "{ $x }", "a.b.c"];
    // Windows forbids some of these.
    let names: Vec<_> =
        names.into_iter().filter(|name| !cfg!(windows) || !name.contains(['\t', '\n', '"', '|', '<', '>'])).collect();
    for name in &names {
        folder.image(&format!("images/train/{name}.jpg"));
        folder.put(&format!("labels/train/{name}.txt"), ROW);
    }
    let dataset = scan(&folder.path());
    assert_eq!(split(&dataset, SplitKind::Train).labelled, 3 + u32::try_from(names.len()).unwrap());
    assert_eq!(codes(&dataset, Severity::Note), Vec::<&str>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_names() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::good();
    let name = |ending: &[u8]| std::ffi::OsStr::from_bytes(&[b"\xff\xfe-" as &[u8], ending].concat()).to_owned();
    std::fs::copy(folder.at("images/train/a.jpg"), folder.at("images/train").join(name(b".jpg"))).unwrap();
    std::fs::copy(folder.at("labels/train/a.txt"), folder.at("labels/train").join(name(b".txt"))).unwrap();
    assert_eq!(split(&scan(&folder.path()), SplitKind::Train).labelled, 4);
}

#[cfg(unix)]
#[test]
fn a_link_back_into_itself_is_followed_once() {
    let folder = Folder::good();
    std::os::unix::fs::symlink("..", folder.at("images/train/loop")).unwrap();
    std::os::unix::fs::symlink("self", folder.at("images/train/self")).unwrap();
    std::os::unix::fs::symlink("nowhere.jpg", folder.at("images/train/dangling.jpg")).unwrap();
    let dataset = scan(&folder.path());
    // Through the link the trainer reaches the validation images as well.
    assert_eq!(finding(&dataset, "data.folder-loop").severity, Severity::Warning);
    assert_eq!(finding(&dataset, "data.image-missing").evidence.len(), 1);
    assert_eq!(split(&dataset, SplitKind::Train).images, 3 + 2);
}

/// Two links to the next folder in each: the last one is reached in as many ways as there are grains on a chessboard.
#[cfg(unix)]
#[test]
fn links_to_folders_of_links_come_to_an_end() {
    let folder = Folder::good();
    let level = |number: u32| folder.at(&format!("levels/{number}"));
    for number in 0..40 {
        std::fs::create_dir_all(level(number)).unwrap();
        for name in ["a", "b"] {
            std::os::unix::fs::symlink(level(number + 1), level(number).join(name)).unwrap();
        }
    }
    std::fs::create_dir_all(level(40)).unwrap();
    std::os::unix::fs::symlink(level(37), folder.at("images/train/links")).unwrap();
    std::fs::copy(folder.at("images/train/a.jpg"), level(39).join("x.jpg")).unwrap();
    let few = scan(&folder.path());
    // As the trainer lists it: four ways lead to the third level.
    assert_eq!(split(&few, SplitKind::Train).images, 3 + 4);
    assert!(few.findings.iter().all(|finding| finding.code != "data.folder-repeated"), "{:?}", few.findings);

    std::os::unix::fs::symlink(level(0), folder.at("images/train/all")).unwrap();
    let many = scan(&folder.path());
    assert_eq!(finding(&many, "data.folder-repeated").severity, Severity::Warning);
    assert_eq!(split(&many, SplitKind::Train).images, 3 + 16);
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_named_like_images_hold_nothing_up() {
    let folder = Folder::good();
    let pipe = |name: &str| {
        let status = std::process::Command::new("mkfifo").arg(folder.at(name)).status().unwrap();
        assert!(status.success());
    };
    pipe("images/train/pipe.jpg");
    pipe("labels/val/d.txt.tmp");
    std::fs::remove_file(folder.at("labels/train/c.txt")).unwrap();
    pipe("labels/train/c.txt");
    std::fs::create_dir(folder.at("images/train/folder.jpg")).unwrap();
    let dataset = scan(&folder.path());
    let train = split(&dataset, SplitKind::Train);
    assert_eq!((train.labelled, train.background, train.corrupt), (2, 1, 2));
    assert_eq!(finding(&dataset, "data.image-unreadable").evidence.len(), 2);
}

#[test]
fn nothing_is_written_to_a_dataset() {
    let folder = Folder::good();
    folder.put("images/train/tail.jpg", [&std::fs::read(folder.at("images/train/a.jpg")).unwrap()[..], b"x"].concat());
    let before = folder.state();
    let dataset = scan(&folder.path());
    preflight_engine::dataset::previews(&dataset, SplitKind::Train, 0, 10).unwrap();
    preflight_engine::dataset::thumbnail(&folder.at("images/train/tail.jpg"), 32).unwrap();
    assert_eq!(folder.state(), before);
}

/// As another user: to root, every file is readable.
#[cfg(target_os = "linux")]
#[test]
fn what_may_not_be_read_is_said_and_the_rest_goes_on() {
    // A process of its own, since a thread cannot change its user for itself alone.
    let Ok(folder) = std::env::var("PREFLIGHT_TEST_FORBIDDEN") else {
        let folder = Folder::good();
        forbid(&folder);
        let status = std::process::Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "dataset::strange::what_may_not_be_read_is_said_and_the_rest_goes_on"])
            .env("PREFLIGHT_TEST_FORBIDDEN", folder.path())
            .output();
        match status {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
            Err(error) => eprintln!("skipped: setpriv: {error}"),
        }
        return;
    };
    let dataset = scan(std::path::Path::new(&folder));
    let train = split(&dataset, SplitKind::Train);
    assert_eq!((train.images, train.corrupt), (1, 2));
    assert_eq!(
        codes(&dataset, Severity::Warning),
        ["data.folder-unreadable", "data.label-unreadable", "data.image-unreadable", "data.class-not-in-train"]
    );
}

#[cfg(target_os = "linux")]
fn forbid(folder: &Folder) {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    folder.image("images/train/secret/x.jpg");
    mode(&folder.path(), 0o755);
    mode(&folder.at("images/train/secret"), 0o700);
    mode(&folder.at("images/train/b.jpg"), 0o600);
    mode(&folder.at("labels/train/c.txt"), 0o600);
}

#[test]
fn a_label_file_of_a_million_lines_is_judged_like_any_other() {
    let folder = Folder::good();
    let row = |line: u32| format!("0 0.{:06} 0.5 0.1 0.1\n", 100_000 + line % 800_000);
    let many: String = (0..1_000_000).map(row).collect();
    folder.put("labels/train/a.txt", &many);
    folder.put("labels/train/b.txt", "x\n".repeat(1_000_000));
    let dataset = scan(&folder.path());
    assert_eq!(dataset.most_boxes, 800_000);
    assert_eq!(finding(&dataset, "data.label-not-a-number").evidence.len(), 20, "the first lines are enough");
}

#[test]
fn a_label_that_is_an_image_and_lists_that_are_none_are_said() {
    let folder = Folder::good();
    std::fs::copy(folder.at("images/train/a.jpg"), folder.at("labels/train/a.txt")).unwrap();
    std::fs::copy(folder.at("images/train/a.jpg"), folder.at("val.txt")).unwrap();
    folder.yaml("train: images/train\nval: val.txt\nnames: [scratch, dent]\n");
    let dataset = scan(&folder.path());
    let found = codes(&dataset, Severity::Blocker);
    assert!(found.contains(&"data.list-unreadable"), "{found:?}");
    assert!(found.contains(&"data.label-binary") || found.contains(&"data.label-not-utf8"), "{found:?}");
}

#[test]
fn a_dataset_that_vanishes_while_it_is_read_is_said_to_be_gone() {
    let folder = Folder::good();
    let inner = folder.at("plates");
    for name in ["data.yaml", "images", "labels"] {
        folder.rename(name, &format!("plates/{name}"));
    }
    // Told once before the first file, when all of them are listed.
    let gone = |_, _| drop(std::fs::rename(&inner, folder.at("elsewhere")));
    let problem =
        preflight_engine::dataset::scan(&inner, &gone, &tokio_util::sync::CancellationToken::new()).unwrap_err();
    assert_eq!(problem.code, "dataset.not-found");
    assert_eq!(problem.args["path"], preflight_core::text::Value::Text(inner.display().to_string()));
}

#[test]
fn images_that_vanish_while_they_are_read_are_named_and_the_rest_goes_on() {
    let folder = Folder::good();
    let gone = |_, _| drop(std::fs::rename(folder.at("images/val"), folder.at("elsewhere")));
    let dataset =
        preflight_engine::dataset::scan(&folder.path(), &gone, &tokio_util::sync::CancellationToken::new()).unwrap();
    assert_eq!(finding(&dataset, "data.image-missing").evidence.len(), 2);
    assert_eq!(split(&dataset, SplitKind::Train).images, 3);
}

#[cfg(target_os = "linux")]
#[test]
fn files_are_not_even_noted_as_read() {
    use std::os::linux::fs::MetadataExt;
    let folder = Folder::good();
    let image = folder.at("images/train/a.jpg");
    // A time of reading before that of writing is what the system would renew.
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let times = std::fs::FileTimes::new().set_accessed(long_ago);
    std::fs::File::options().write(true).open(&image).unwrap().set_times(times).unwrap();
    scan(&folder.path());
    assert_eq!(std::fs::metadata(&image).unwrap().st_atime(), 1_000_000_000);
}

/// Files of gigabytes that take no room on the disk: what is in them is not read into memory.
#[cfg(target_os = "linux")]
#[test]
fn files_of_gigabytes_are_refused_or_passed_over() {
    let folder = Folder::good();
    let sparse = |name: &str, start: &str| {
        let path = folder.put(name, start);
        std::fs::File::options().write(true).open(path).unwrap().set_len(4 << 30).unwrap();
    };
    for name in ["labels/train/a.txt", "images/train/b.jpg", "train.txt", "classes.txt", "labels/train/classes.txt"] {
        sparse(name, "");
    }
    sparse("val.txt", "./images/val/d.jpg\n");
    folder.yaml("train: [images/train, train.txt]\nval: val.txt\nnames: [scratch, dent]\n");
    let dataset = scan(&folder.path());
    let found = codes(&dataset, Severity::Blocker);
    assert!(found.contains(&"data.label-too-large") && found.contains(&"data.list-unreadable"), "{found:?}");
    assert_eq!(split(&dataset, SplitKind::Train).images, 1);
    sparse("data.yaml", "names: [a]\n");
    assert_eq!(super::refused(&folder.at("data.yaml")), "dataset.unreadable");
    for (name, start) in [
        ("a/all.xml", "<annotations>"),
        ("b/all.json", "{\"images\": [\"annotations\""),
        ("c/all.json", "[{\"annotations\": ["),
    ] {
        sparse(name, start);
        let (from, to) = (folder.at(&name[..1]), folder.at(&format!("new/{name}")));
        let cancel = tokio_util::sync::CancellationToken::new();
        let made = preflight_engine::dataset::convert::convert(&from, &to, Task::Detect, &|_, _| {}, &cancel).unwrap();
        assert_eq!(made.findings[0].code, "data.convert-unreadable", "{name}");
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim().trim_end_matches(" kB");
    assert!(peak.parse::<u64>().unwrap() < 500 * 1024, "{peak} kB");
}
