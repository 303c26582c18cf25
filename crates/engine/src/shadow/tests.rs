use super::*;

fn files(images: &[&str]) -> Vec<ImageFiles> {
    images.iter().map(|image| ImageFiles { image: image.into(), label: paths::label_path(Path::new(image)) }).collect()
}

#[test]
fn common_folder_of_files() {
    let common = |files: &[&str]| common_folder(files.iter().map(Path::new));
    assert_eq!(common(&["/a/b/c.jpg", "/a/b/d.jpg"]), Path::new("/a/b"));
    assert_eq!(common(&["/a/b/c.jpg", "/a/bc/d.jpg"]), Path::new("/a"));
    assert_eq!(common(&["/a/b.jpg"]), Path::new("/a"));
    assert_eq!(common(&["/a/b.jpg", "/c.jpg"]), Path::new("/"));
    assert_eq!(common(&[]), Path::new(""));
}

#[test]
fn places_keep_names_and_order_and_nothing_is_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for name in ["images/b.jpg", "images/.c/d.png", "labels/b.txt", "other/b.jpg", "other/b.txt"] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }
    std::fs::create_dir(folder.path().join("images/folder.jpg")).unwrap();
    let images = files(&[
        &at("images/.c/d.png"),
        &at("images/b.jpg"),
        &at("images/b.jpg"),
        &at("images/folder.jpg"),
        &at("images/gone.jpg"),
        &at("other/b.jpg"),
    ]);
    let mut planned = Vec::new();
    plan(&images, Path::new("/s/images/train"), &mut planned);
    let planned: Vec<(String, String)> = planned
        .iter()
        .map(|Placement { from, to }| {
            let from = from.strip_prefix(folder.path()).unwrap();
            (from.to_string_lossy().into_owned(), to.to_string_lossy().into_owned())
        })
        .collect();
    let planned: Vec<(&str, &str)> = planned.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(
        planned,
        [
            // The last folder named `images` is the dataset's own here, and so it is for the trainer.
            ("images/.c/d.png", "/s/images/train/images/_.c/d.png"),
            ("images/b.jpg", "/s/images/train/images/b.jpg"),
            ("labels/b.txt", "/s/images/train/labels/b.txt"),
            ("images/b.jpg", "/s/images/train/images/b~2.jpg"),
            ("labels/b.txt", "/s/images/train/labels/b~2.txt"),
            ("other/b.jpg", "/s/images/train/other/b.jpg"),
            ("other/b.txt", "/s/labels/train/other/b.txt"),
        ]
    );
}

#[test]
fn text_is_quoted_so_that_the_trainer_reads_it_back() {
    assert_eq!(quoted("钢板 \"x\" \\ 😀"), "\"钢板 \\\"x\\\" \\\\ 😀\"");
    assert_eq!(quoted("a\nb\u{85}\u{feff}\u{2028}"), "\"a\\U0000000Ab\\U00000085\\U0000FEFF\\U00002028\"");
    assert_eq!(quoted("#no: {x}"), "\"#no: {x}\"");
}

#[test]
fn only_a_jpeg_without_its_end_is_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let check = |bytes: &[u8]| {
        let path = folder.path().join("x");
        std::fs::write(&path, bytes).unwrap();
        would_be_rewritten(&path)
    };
    assert!(!check(b"\xff\xd8\xff\xe0 ... \xff\xd9"));
    assert!(check(b"\xff\xd8\xff\xe0 ... \xff\xd9\0"));
    assert!(!check(b"\x89PNG ..."));
    assert!(!check(b"\xff"));
    assert!(!would_be_rewritten(Path::new("/nowhere")));
}

#[test]
fn the_fullest_images_are_taken_and_some_several_times_where_there_are_few() {
    let folder = tempfile::tempdir().unwrap();
    let name = |n: usize| format!("images/train/{n}.jpg");
    for n in 0..5_usize {
        let image = folder.path().join(name(n));
        let label = paths::label_path(&image);
        for path in [&image, &label] {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        }
        std::fs::write(image, "x").unwrap();
        std::fs::write(label, "0 0.5 0.5 0.1 0.1\n".repeat(n * 7 % 5)).unwrap();
    }
    let at = |n: usize| folder.path().join(name(n));
    let images: Vec<ImageFiles> =
        (0..5).map(|n| ImageFiles { image: at(n), label: paths::label_path(&at(n)) }).collect();
    let order: Vec<PathBuf> = fullest(images, &CancellationToken::new()).into_iter().map(|files| files.image).collect();
    // With 0, 2, 4, 1 and 3 boxes.
    assert_eq!(order, [2, 4, 1, 3, 0].map(at));
}
