//! What a person does with a run that finished: look at the results, export the model, try it, note, delete.

use std::path::Path;
use std::time::Duration;

use fantoccini::key::Key;

use crate::app::App;

/// Loading torch on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

impl App {
    /// On the page of a run that finished. `images` are some that it was validated on.
    pub(crate) async fn use_results(&self, run: &Path, images: &Path) {
        self.look_at_results().await;
        self.export().await;
        self.try_model(run, images).await;
    }

    async fn look_at_results(&self) {
        self.press("tab-results").await;
        self.find("weights-best").await;
        self.find("confusion").await;
        assert!(self.read("class-figures").await.contains("mAP50"));
        let drawn = "[...document.querySelectorAll('[data-testid=\"results\"] img')].some((i) => i.naturalWidth > 100)";
        self.until("pictures are drawn", drawn, PATIENCE).await;
        self.look("run-results").await;
        self.press("picture-predictions").await;
        assert!(self.read("picture-viewer").await.contains("val_batch0_pred.jpg"));
        self.key(Key::Right).await;
        let next =
            "document.querySelector('[data-testid=\"picture-viewer\"]')?.innerText.includes('val_batch0_labels.jpg')";
        self.until("the arrow key leads to the labels of the same images", next, PATIENCE).await;
        let drawn = "(() => { const image = document.querySelector('[data-testid=\"picture-viewer\"] img');
            return image?.naturalWidth > 100 && image.clientHeight > 100; })()";
        self.until("the picture is drawn", drawn, PATIENCE).await;
        self.shot("run-picture").await;
        self.leave("picture-viewer").await;
    }

    /// Leaves a dialog by the keyboard.
    async fn leave(&self, dialog: &str) {
        self.key(Key::Escape).await;
        let gone = format!("document.querySelector('[data-testid=\"{dialog}\"]') === null");
        self.until("the dialog is closed", &gone, PATIENCE).await;
    }

    async fn export(&self) {
        self.press("export-begin").await;
        let answered =
            "document.querySelector('[data-testid=\"export-agreement\"], [data-testid=\"export-needs\"]') !== null";
        self.until("it is exported, or what it needs is said", answered, PATIENCE).await;
        if self.evaluate("document.querySelector('[data-testid=\"export-needs\"]') !== null").await == true {
            println!("skipped: exporting: the environment has no onnx");
            self.leave("export-needs").await;
            return;
        }
        assert!(self.read("export-agreement").await.contains("finds the same"), "{}", self.text().await);
        assert!(self.read("export-file").await.contains("best.onnx"));
        self.shot("run-export").await;
    }

    async fn try_model(&self, run: &Path, images: &Path) {
        self.press("tab-try").await;
        self.find("try-drop").await;
        self.shot("run-try-empty").await;
        let image = std::fs::read_dir(images).unwrap().next().unwrap().unwrap().path();
        self.paste(&format!("data.setData('text/plain', {:?});", image.to_str().unwrap())).await;
        self.find_within("tried-count", PATIENCE).await;
        // An image of another program has no file.
        let pixels = "const canvas = document.createElement('canvas'); canvas.width = 320; canvas.height = 256;
            canvas.getContext('2d').fillRect(0, 0, 99, 99);
            const [kind, base64] = canvas.toDataURL('image/png').split(',');
            const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
            data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));";
        self.paste(pixels).await;
        let both = "document.querySelectorAll('[data-testid=\"tried-strip\"] li').length === 2";
        self.until("both images are there", both, PATIENCE).await;

        self.press_css("[data-testid='tried-strip'] li:last-child button", PATIENCE).await;
        let mut counts = Vec::new();
        for confidence in ["0.01", "0.99"] {
            let set = format!(
                "(() => {{ const slider = document.querySelector('[data-testid=\"try-confidence\"]');
                    slider.value = {confidence}; slider.dispatchEvent(new Event('input', {{ bubbles: true }}));
                    return true; }})()"
            );
            self.evaluate(&set).await;
            let agree = "(() => { const count = document.querySelector('[data-testid=\"tried-count\"]').dataset.count;
                const drawn = document.querySelectorAll('[data-testid=\"tried\"] rect').length / 2;
                const told = document.querySelectorAll('[data-testid=\"tried\"] li').length;
                return Number(count) === drawn && drawn === told; })()";
            self.until("what is drawn is what is told", agree, PATIENCE).await;
            let count = self.evaluate("document.querySelector('[data-testid=\"tried-count\"]').dataset.count").await;
            counts.push(count.as_str().unwrap().parse::<u32>().unwrap());
            if confidence == "0.01" {
                self.look("run-try").await;
            }
        }
        assert!(counts[0] >= counts[1] && counts[1] == 0, "the slider acts at once: {counts:?}");

        assert_eq!(processes_in(run), 1, "the model is kept while it is tried");
        self.press("tab-results").await;
        let began = std::time::Instant::now();
        while processes_in(run) > 0 {
            assert!(began.elapsed() < PATIENCE, "the model is still in memory");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Pastes what the script puts into `data`.
    async fn paste(&self, script: &str) {
        let paste = format!(
            "const data = new DataTransfer(); {script}
             window.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }}));"
        );
        self.client.execute(&paste, vec![]).await.unwrap();
    }

    /// On the page of a run: notes something, finds the run by it, deletes it.
    pub(crate) async fn note_and_delete(&self, id: &str, folder: &Path) {
        self.press("note-add").await;
        self.fill("note-text", "größere Löcher").await;
        self.press("note-save").await;
        assert_eq!(self.read("note").await, "größere Löcher");
        assert_eq!(std::fs::read_to_string(folder.join("notes.txt")).unwrap(), "größere Löcher\n");

        self.press("nav-runs").await;
        self.fill("runs-search", "löcher yolov8n").await;
        self.find(&format!("run-{id}")).await;
        self.press("runs-succeeded").await;
        self.press(&format!("choose-{id}")).await;
        self.look("runs").await;
        self.press("runs-delete").await;
        assert!(self.read("runs-delete-dialog").await.contains("The datasets stay as they are"));
        self.shot("runs-delete").await;
        self.press("runs-delete-yes").await;
        let gone = format!("document.querySelector('[data-testid=\"run-{id}\"]') === null");
        self.until("the run is gone", &gone, PATIENCE).await;
        assert!(!folder.exists());
    }
}

/// Processes that work in a folder.
fn processes_in(folder: &Path) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let works_there = |entry: &std::fs::DirEntry| {
        let is_process = entry.file_name().to_string_lossy().parse::<u32>().is_ok();
        is_process && std::fs::read_link(entry.path().join("cwd")).is_ok_and(|at| at.starts_with(folder))
    };
    processes.filter(works_there).count()
}
