//! What is on the page: finding, pressing, waiting, looking.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::Locator;
use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::app::App;

/// How long something may take that a person should see at once, on a busy machine.
const SOON: Duration = Duration::from_secs(30);

const AXE: &str = include_str!("../../ui/node_modules/axe-core/axe.min.js");

impl App {
    /// The element with this `data-testid`, once it is there.
    pub(crate) async fn find(&self, testid: &str) -> Element {
        self.find_within(testid, SOON).await
    }

    /// As [`App::find`], for what takes its time.
    pub(crate) async fn find_within(&self, testid: &str, patience: Duration) -> Element {
        self.find_css(&format!("[data-testid='{testid}']"), patience).await
    }

    /// The first element a selector names, once it is there.
    pub(crate) async fn find_css(&self, selector: &str, patience: Duration) -> Element {
        match self.client.wait().at_most(patience).for_element(Locator::Css(selector)).await {
            Ok(element) => element,
            Err(error) => {
                let shot = self.shot("failed").await;
                panic!("no {selector} within {patience:?} ({error}); see {}\n{}", shot.display(), self.text().await);
            }
        }
    }

    pub(crate) async fn press(&self, testid: &str) {
        self.press_css(&format!("[data-testid='{testid}']"), SOON).await;
    }

    /// Presses the first element a selector names, once it is there and nothing that is just going away covers it. What
    /// a layout that just changed left out of reach is brought to the middle, as a person would scroll to it.
    pub(crate) async fn press_css(&self, selector: &str, patience: Duration) {
        let began = std::time::Instant::now();
        loop {
            match self.find_css(selector, patience).await.click().await {
                Ok(()) => return,
                Err(error) if began.elapsed() > patience => {
                    let shot = self.shot("failed").await;
                    let (text, over) = (self.text().await, self.what_is_at(selector).await);
                    panic!("see {}\n{text}\n{selector} cannot be pressed ({error}); there is {over}", shot.display());
                }
                Err(error) if began.elapsed() > patience / 2 => {
                    // What the driver's pointer does not reach, the keyboard does; said, because it is a riddle.
                    println!(
                        "{selector}: {error}; there is {}; pressed by the keyboard",
                        self.what_is_at(selector).await
                    );
                    let focus =
                        format!("(document.querySelector({selector:?})?.focus(), document.activeElement?.tagName)");
                    let tag = self.evaluate(&focus).await;
                    if self.evaluate(&format!("document.activeElement === document.querySelector({selector:?})")).await
                        == true
                    {
                        return self.key(if tag == "A" { Key::Enter } else { Key::Space }).await;
                    }
                }
                Err(_) => {
                    let centre = "scrollIntoView({ block: 'center', inline: 'center' })";
                    self.evaluate(&format!("document.querySelector({selector:?})?.{centre}")).await;
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
        }
    }

    /// What a pointer would meet where an element is.
    async fn what_is_at(&self, selector: &str) -> String {
        let at = format!(
            "(() => {{ const box = document.querySelector({selector:?})?.getBoundingClientRect();
                if (!box) return 'no such element';
                const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                return JSON.stringify(box) + ' in ' + innerWidth + ' x ' + innerHeight + ': ' +
                    (top?.outerHTML.slice(0, 300) ?? 'nothing') + '; pointer-events of the body: ' +
                    getComputedStyle(document.body).pointerEvents; }})()"
        );
        self.evaluate(&at).await.as_str().unwrap_or_default().to_owned()
    }

    /// Replaces what a field holds.
    pub(crate) async fn fill(&self, testid: &str, text: &str) {
        let field = self.find(testid).await;
        // Not cleared first: a number that is cleared takes its last value back.
        self.evaluate(&format!("document.querySelector('[data-testid=\"{testid}\"]').select()")).await;
        // The tab key leaves the field, which is when what was typed is taken.
        field.send_keys(&format!("{text}\u{E004}")).await.unwrap();
    }

    /// What an element says.
    pub(crate) async fn read(&self, testid: &str) -> String {
        self.find(testid).await.text().await.unwrap()
    }

    /// Waits until a script's expression is true.
    pub(crate) async fn until(&self, what: &str, expression: &str, patience: Duration) {
        let began = std::time::Instant::now();
        while self.evaluate(expression).await != Value::Bool(true) {
            if began.elapsed() > patience {
                let shot = self.shot("failed").await;
                panic!("not within {patience:?}: {what}; see {}\n{}", shot.display(), self.text().await);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    pub(crate) async fn evaluate(&self, expression: &str) -> Value {
        self.client.execute(&format!("return ({expression});"), vec![]).await.unwrap()
    }

    /// Everything a person can read.
    pub(crate) async fn text(&self) -> String {
        self.evaluate("document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }

    pub(crate) async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.unwrap();
        let expression = format!("Math.abs(innerWidth - {width}) < 60 && Math.abs(innerHeight - {height}) < 60");
        self.until("the window has its new size", &expression, SOON).await;
    }

    /// Keeps a picture of the window.
    pub(crate) async fn shot(&self, name: &str) -> PathBuf {
        self.settle().await;
        let folder = std::env::var_os("PREFLIGHT_SCREENSHOTS")
            .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".screenshots"), PathBuf::from);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, self.client.screenshot().await.unwrap()).unwrap();
        path
    }

    /// Two frames later: right after a change the first one may still be the picture before it. And no moving parts.
    async fn settle(&self) {
        let settle = "const done = arguments[0];
            const end = () => {
              for (const animation of document.getAnimations()) {
                if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
              }
            };
            end();
            requestAnimationFrame(() => requestAnimationFrame(() => { end(); done(); }));";
        self.client.execute_async(settle, vec![]).await.unwrap();
    }

    /// Nothing is wider than the window.
    pub(crate) async fn assert_nothing_scrolls_sideways(&self) {
        let wide = self.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
        assert!(wide.as_f64().unwrap() <= 0.0, "{wide} px too wide: {}", self.shot("too-wide").await.display());
    }

    /// What axe-core finds must be nothing, down to the least.
    pub(crate) async fn assert_accessible(&self) {
        // Halfway from one colour to another, contrast says nothing.
        self.settle().await;
        self.client.execute(AXE, vec![]).await.unwrap();
        let run = "const done = arguments[0];
            axe.run(document, { resultTypes: ['violations'] }).then(
              ({ violations }) => done(violations
                .map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])])),
              (error) => done(String(error)));";
        let violations = self.client.execute_async(run, vec![]).await.unwrap();
        assert_eq!(violations, json!([]), "{}\n{violations:#}", self.shot("inaccessible").await.display());
    }

    /// Begins to note what the content security policy refuses and what goes wrong in the page's code. The first
    /// moments are missed; what is refused or fails then leaves the page empty.
    pub(crate) async fn listen(&self) {
        let listen = "window.noted = [];
            const note = (text) => window.noted.push(text);
            document.addEventListener('securitypolicyviolation',
              ({ effectiveDirective, blockedURI }) => note(`refused: ${effectiveDirective} ${blockedURI}`));
            window.addEventListener('error', ({ message }) => note(`error: ${message}`));
            window.addEventListener('unhandledrejection', ({ reason }) => note(`unhandled: ${reason}`));";
        self.client.execute(listen, vec![]).await.unwrap();
    }

    /// What was noted since the last call.
    pub(crate) async fn noted(&self) -> Vec<String> {
        serde_json::from_value(self.evaluate("window.noted.splice(0)").await).unwrap()
    }
}
