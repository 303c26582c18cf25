//! A dataset looked at closely: its problems, its images, a mended copy, and datasets made of what people have.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::key::Key;

use crate::app::{App, World};

const LONG: Duration = Duration::from_secs(120);

/// The sample in a folder of its own.
fn sample(folder: &Path) -> PathBuf {
    preflight_engine::sample::write(&folder.join("plates")).unwrap()
}

/// Files below a folder in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

impl App {
    async fn read_dataset(&self, path: &Path) {
        self.fill("dataset-path", path.to_str().unwrap()).await;
        self.press("dataset-read").await;
    }

    async fn until_chosen(&self, path: &Path) {
        let chosen = format!(
            "document.querySelector('[data-testid=\"dataset-chosen\"]')?.textContent === {:?} &&
             document.querySelector('[data-testid=\"dataset-summary\"]') !== null",
            path.to_str().unwrap()
        );
        self.until("the dataset is the plan's", &chosen, LONG).await;
        let free = "document.querySelector('[role=dialog]') === null && getComputedStyle(document.body).pointerEvents !== 'none'";
        self.until("no dialog is in the way", free, LONG).await;
    }

    async fn until_reads(&self, testid: &str, text: &str) {
        let reads = format!("document.querySelector('[data-testid=\"{testid}\"]')?.textContent.trim() === {text:?}");
        self.until(&format!("{testid} reads {text}"), &reads, LONG).await;
    }

    async fn elements(&self) -> u64 {
        self.evaluate("document.querySelectorAll('*').length").await.as_u64().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_are_read_looked_at_by_keyboard_and_mended_on_a_copy() {
    let folder = tempfile::Builder::new().prefix("数据 集-").tempdir().unwrap();
    let yaml = sample(folder.path());
    let labels = files(&folder.path().join("plates/labels/train"));
    let commas = std::fs::read_to_string(&labels[3]).unwrap().replace('.', ",");
    std::fs::write(&labels[3], &commas).unwrap();
    let broken = files(&folder.path().join("plates/images/train"))[5].clone();
    std::fs::write(&broken, "").unwrap();
    let home = tempfile::tempdir().unwrap();

    let app = World::default().open().await;
    app.read_dataset(&yaml).await;
    // What stops the training is seen first, with its file, its line and a picture of it.
    app.find_within("problems-blocker", LONG).await;
    let said = app.read("finding-data.label-decimal-comma").await;
    assert!(said.contains(labels[3].file_name().unwrap().to_str().unwrap()), "{said}");
    app.find("problem-example").await;
    assert!(app.read("problems-warning").await.contains(broken.file_name().unwrap().to_str().unwrap()));
    app.look("dataset-broken").await;

    app.press_css("[data-testid='finding-data.label-decimal-comma'] [data-testid='problem-show']", LONG).await;
    app.until("one image is shown", "document.querySelectorAll('[role=gridcell]').length === 1", LONG).await;
    app.press("filter-clear").await;
    let all = "document.querySelectorAll('[role=gridcell]').length > 10";
    app.until("all images are shown again", all, LONG).await;

    let index = "document.activeElement?.dataset.index";
    app.evaluate("document.querySelector('[data-testid=\"gallery\"] [tabindex=\"0\"]').focus()").await;
    app.key(Key::Right).await;
    app.key(Key::Right).await;
    app.until("the arrow keys lead through the grid", &format!("{index} === '2'"), LONG).await;
    app.key(Key::Enter).await;
    app.find("viewer-rows").await;
    app.until_reads("image-viewer-place", "3 of 60").await;
    app.key(Key::Right).await;
    app.until_reads("image-viewer-place", "4 of 60").await;
    let wrong = labels[3].file_name().unwrap().to_str().unwrap().replace(".txt", ".jpg");
    app.until("its image is shown", &format!("document.body.innerText.includes({wrong:?})"), LONG).await;
    assert!(app.read("viewer-findings").await.contains(','), "the row is shown as it is");
    app.key(Key::End).await;
    app.until_reads("image-viewer-place", "60 of 60").await;
    app.key(Key::Home).await;
    app.until_reads("image-viewer-place", "1 of 60").await;
    app.find("viewer-scale").await;
    let fitted = app.read("viewer-scale").await;
    app.keys("++".chars()).await;
    let grown = format!("document.querySelector('[data-testid=\"viewer-scale\"]').textContent !== {fitted:?}");
    app.until("plus makes it larger", &grown, LONG).await;
    app.keys("0".chars()).await;
    app.until_reads("viewer-scale", &fitted).await;
    app.shot("dataset-viewer").await;
    app.key(Key::Escape).await;
    app.until("the focus is back in the grid", &format!("{index} === '0'"), LONG).await;

    app.press("panel-problems").await;
    app.press("mend-all").await;
    app.find_within("fix-diff", LONG).await;
    let difference = app.read("fix-diff").await;
    let row = commas.lines().next().unwrap();
    assert!(difference.contains(row) && difference.contains(&row.replace(',', ".")), "{difference}");
    assert!(difference.contains(broken.file_name().unwrap().to_str().unwrap()), "{difference}");
    let to = home.path().join("mended");
    app.fill("target-folder", to.to_str().unwrap()).await;
    app.shot("dataset-fix").await;
    app.assert_accessible().await;
    app.press("fix-write").await;
    app.find_within("fix-done", LONG).await;
    app.press("fix-use").await;
    app.until_chosen(&to.join("data.yaml")).await;
    let clean = "!document.querySelector('[data-testid=\"problems-blocker\"]')";
    app.until("nothing stops the training any more", clean, LONG).await;
    app.close().await;
    assert_eq!(std::fs::read_to_string(&labels[3]).unwrap(), commas, "the dataset is as it was");
    assert_eq!(std::fs::metadata(&broken).unwrap().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_and_annotations_of_another_tool_become_datasets() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = sample(folder.path());
    let root = yaml.parent().unwrap();
    let archive = folder.path().join("export.zip");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    for name in ["images/train", "images/val", "labels/train", "labels/val"] {
        for file in files(&root.join(name)) {
            let inside = format!("{name}/{}", file.file_name().unwrap().to_str().unwrap());
            writer.start_file(inside, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(&std::fs::read(&file).unwrap()).unwrap();
        }
    }
    writer.start_file("data.yaml", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(b"train: images/train\nval: images/val\nnames: [scratch, dent, hole]\n").unwrap();
    writer.finish().unwrap();
    let coco = folder.path().join("coco");
    std::fs::create_dir(&coco).unwrap();
    let images = files(&root.join("images/train"));
    for (number, image) in images[..3].iter().enumerate() {
        std::fs::copy(image, coco.join(format!("{number}.jpg"))).unwrap();
    }
    std::fs::write(
        coco.join("instances_train.json"),
        r#"{"images":[{"id":1,"file_name":"0.jpg"},{"id":2,"file_name":"1.jpg"},{"id":3,"file_name":"gone.jpg"}],
            "categories":[{"id":7,"name":"scratch"}],
            "annotations":[{"id":1,"image_id":1,"category_id":7,"bbox":[8,8,16,16]},
                           {"id":2,"image_id":2,"category_id":7,"bbox":[8,8,16,16]}]}"#,
    )
    .unwrap();

    let app = World::default().open().await;
    app.read_dataset(&archive).await;
    app.find("import-dialog").await;
    let unpacked = folder.path().join("unpacked");
    app.fill("target-folder", unpacked.to_str().unwrap()).await;
    app.assert_accessible().await;
    app.shot("dataset-unpack").await;
    app.press("unpack").await;
    app.until_chosen(&unpacked).await;

    app.press("dataset-other").await;
    app.read_dataset(&coco).await;
    app.find_within("conversion-found", LONG).await;
    let said = app.evaluate("document.querySelector('[data-testid=conversion-findings]').textContent").await;
    assert!(said.as_str().unwrap().contains("gone.jpg"), "the image that is gone is said: {said}");
    let converted = folder.path().join("converted");
    app.fill("target-folder", converted.to_str().unwrap()).await;
    app.assert_accessible().await;
    app.shot("dataset-convert").await;
    app.press("convert").await;
    app.find_within("convert-done", LONG).await;
    app.press("convert-use").await;
    app.until_chosen(&converted.join("data.yaml")).await;
    app.close().await;
}

/// Images of the large dataset, and names that share one file: file systems allow some sixty thousand links to each.
const MANY: usize = 100_000;
const SOURCES: usize = 8;

#[expect(clippy::disallowed_methods, reason = "a hundred thousand names of a few files, which nobody writes to")]
fn large(folder: &Path) -> PathBuf {
    let yaml = sample(folder);
    let root = yaml.parent().unwrap();
    let many = folder.join("many");
    let images = files(&root.join("images/train"));
    for part in ["images", "labels"] {
        std::fs::create_dir_all(many.join(part)).unwrap();
    }
    for number in 0..MANY {
        let image = &images[number % SOURCES];
        let label = root.join("labels/train").join(image.file_name().unwrap()).with_extension("txt");
        std::fs::hard_link(image, many.join(format!("images/{number:06}.jpg"))).unwrap();
        std::fs::hard_link(label, many.join(format!("labels/{number:06}.txt"))).unwrap();
    }
    let names = std::fs::read_to_string(&yaml).unwrap();
    let names = &names[names.find("names:").unwrap()..];
    std::fs::write(many.join("data.yaml"), format!("train: images\nval: images\n{names}")).unwrap();
    many.join("data.yaml")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_thousand_images_are_scrolled_through_with_few_elements() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = large(folder.path());
    let app = World::default().open().await;
    app.read_dataset(&yaml).await;
    app.find_within("dataset-summary", Duration::from_secs(300)).await;
    app.press("panel-images").await;
    app.until("images are there", "document.querySelectorAll('[role=gridcell] img').length > 0", LONG).await;
    // Both splits hold all of them.
    let total = 2 * MANY;
    let scroller = "document.querySelector('.content.scroll')";
    let mut most = 0;
    for step in 0..40 {
        app.evaluate(&format!("({scroller}.scrollTop = {scroller}.scrollHeight * {step} / 40, true)")).await;
        tokio::time::sleep(Duration::from_millis(60)).await;
        most = most.max(app.elements().await);
    }
    assert!(most < 2_500, "{most} elements");
    let drawn = "(() => {
        const images = [...document.querySelectorAll('[role=gridcell] img')];
        return images.length > 8 && images.every((image) => image.complete && image.naturalWidth > 0);
    })()";
    app.until("where a person rests, images are drawn", drawn, LONG).await;
    app.shot("dataset-many").await;
    app.evaluate("document.querySelector('[data-testid=\"gallery\"] [tabindex=\"0\"]').focus()").await;
    app.key(Key::End).await;
    let last = format!("document.activeElement?.dataset.index === '{}'", total - 1);
    app.until("End leads to the last image", &last, LONG).await;
    app.until("the last image is drawn", "document.activeElement.querySelector('img')?.naturalWidth > 0", LONG).await;
    println!("{total} images, at most {most} elements");
    app.close().await;
}
