//! What is known of a dataset as one HTML page that needs nothing else: to be kept, sent and printed.

mod drawn;

use std::fmt::Write as _;

use preflight_core::dataset::health::RECOMMENDED_IMAGES;
use preflight_core::dataset::profile::Profile;
use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::finding::{Evidence, Finding, Severity};
use preflight_core::text::{Message, Texts};

use super::health::Health;

/// Groups of images that look the same that are listed.
const MOST_GROUPS: usize = 50;

/// The page.
#[must_use]
pub fn html(dataset: &Dataset, health: Option<&Health>, findings: &[Finding], texts: &Texts) -> String {
    let mut page = Page { texts, body: String::new() };
    let place = dataset.yaml.as_ref().unwrap_or(&dataset.root);
    let title = page.say(&Message::new("report-title"));
    page.tag("h1", &title);
    page.line("place", &place.display().to_string());
    if let Some(health) = health {
        let text = Message::new("report-fingerprint").with("fingerprint", health.fingerprint.as_str());
        let text = page.say(&text);
        page.line("print", &text);
    }
    page.splits(dataset);
    page.findings(findings);
    if let Some(health) = health {
        page.classes(dataset, health);
        for (kind, profile) in &health.profiles {
            page.profile(*kind, profile);
        }
        page.alike(health);
    }
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n<main>\n{}</main>\n</html>\n",
        texts.language().tag(),
        escaped(&title),
        include_str!("report/style.css"),
        page.body
    )
}

struct Page<'a> {
    texts: &'a Texts,
    body: String,
}

impl Page<'_> {
    fn say(&self, message: &Message) -> String {
        message.render(self.texts)
    }

    fn get(&self, id: &str) -> String {
        self.say(&Message::new(id))
    }

    fn tag(&mut self, tag: &str, text: &str) {
        let _ = writeln!(self.body, "<{tag}>{}</{tag}>", escaped(text));
    }

    /// A paragraph that looks like its kind.
    fn line(&mut self, kind: &str, text: &str) {
        let _ = writeln!(self.body, "<p class=\"{kind}\">{}</p>", escaped(text));
    }

    /// A table of a kind; its cells are HTML.
    fn table(&mut self, kind: &str, head: &[String], rows: impl IntoIterator<Item = Vec<String>>) {
        let _ = write!(self.body, "<div class=\"scroll\"><table class=\"{kind}\">\n<tr>");
        for cell in head {
            let _ = write!(self.body, "<th>{}</th>", escaped(cell));
        }
        self.body.push_str("</tr>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for cell in row {
                let _ = write!(self.body, "<td>{cell}</td>");
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table></div>\n");
    }

    fn split_name(&self, kind: SplitKind) -> String {
        self.get(match kind {
            SplitKind::Train => "cli-split-train",
            SplitKind::Val => "cli-split-val",
            SplitKind::Test => "cli-split-test",
        })
    }

    fn splits(&mut self, dataset: &Dataset) {
        let head = ["report-split", "report-images", "report-background", "report-corrupt", "report-objects"];
        let head: Vec<_> = head.iter().map(|id| self.get(id)).collect();
        let rows: Vec<_> = dataset
            .splits
            .iter()
            .map(|split| {
                let paths: Vec<_> = split.sources.iter().map(|source| source.resolved.display().to_string()).collect();
                let numbers = [split.images, split.background, split.corrupt, split.instances].map(|n| n.to_string());
                let name = escaped(&self.split_name(split.kind));
                let mut row = vec![format!("{name}<small>{}</small>", escaped(&paths.join(", ")))];
                row.extend(numbers);
                row
            })
            .collect();
        self.table("splits", &head, rows);
    }

    fn findings(&mut self, findings: &[Finding]) {
        let title = self.get("report-findings");
        self.tag("h2", &title);
        if findings.iter().all(|finding| finding.severity < Severity::Note) {
            let text = self.get("report-no-findings");
            return self.tag("p", &text);
        }
        for finding in findings {
            let severity = match finding.severity {
                Severity::Blocker => ("blocker", "cli-severity-blocker"),
                Severity::Warning => ("warning", "cli-severity-warning"),
                Severity::Unknown => ("unknown", "cli-severity-unknown"),
                Severity::Note | Severity::Ok => ("note", "cli-severity-note"),
            };
            let (class, word) = (severity.0, self.get(severity.1));
            let title = self.say(&finding.title());
            let _ = writeln!(
                self.body,
                "<section class=\"{class}\"><h3><span>{}</span> {}</h3>",
                escaped(&word),
                escaped(&title)
            );
            let detail = self.say(&finding.detail());
            self.tag("p", &detail);
            self.body.push_str("<ul>\n");
            for evidence in &finding.evidence {
                let text = self.evidence(evidence);
                let _ = writeln!(self.body, "<li><code>{}</code></li>", escaped(&text));
            }
            self.body.push_str("</ul></section>\n");
        }
    }

    fn evidence(&self, evidence: &Evidence) -> String {
        match evidence {
            Evidence::File { path, line, text } => {
                let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                let text = text.as_deref().map(|text| format!("  {text}")).unwrap_or_default();
                format!("{}{line}{text}", path.display())
            }
            Evidence::Value { name, value } => format!("{}: {value}", self.say(name)),
            Evidence::Log { text, .. } => text.clone(),
        }
    }

    fn classes(&mut self, dataset: &Dataset, health: &Health) {
        let title = self.get("report-classes");
        self.tag("h2", &title);
        let mut head = vec![self.get("report-class")];
        for (kind, _) in &health.profiles {
            head.push(self.split_name(*kind));
        }
        let most = health.profiles.iter().flat_map(|(_, profile)| &profile.class_objects).max().copied().unwrap_or(0);
        let rows: Vec<_> = dataset
            .names
            .iter()
            .enumerate()
            .map(|(id, name)| {
                let bars = health
                    .profiles
                    .iter()
                    .map(|(_, profile)| drawn::bar(profile.class_objects.get(id).copied().unwrap_or(0), most));
                std::iter::once(format!("<span class=\"name\">{id} {}</span>", escaped(name))).chain(bars).collect()
            })
            .collect();
        self.table("classes", &head, rows);
        let few = health.profiles.iter().find(|(kind, _)| *kind == SplitKind::Train).map_or(0, |(_, profile)| {
            profile.class_images.iter().filter(|images| **images < RECOMMENDED_IMAGES).count()
        });
        if few > 0 {
            let text = Message::new("report-more-data").with("count", few).with("images", RECOMMENDED_IMAGES);
            let text = self.say(&text);
            self.tag("p", &text);
        }
    }

    fn profile(&mut self, kind: SplitKind, profile: &Profile) {
        let title = self.split_name(kind);
        self.tag("h2", &title);
        self.body.push_str("<div class=\"maps\">\n");
        for (id, map) in [("report-box-places", &profile.box_places), ("report-box-sizes", &profile.box_sizes)] {
            let caption = self.get(id);
            let _ = writeln!(
                self.body,
                "<figure>{}<figcaption>{}</figcaption></figure>",
                drawn::map(map),
                escaped(&caption)
            );
        }
        self.body.push_str("</div>\n<div class=\"pair\">\n");
        let head = [self.get("report-objects-per-image"), self.get("report-images")];
        let most = profile.objects_per_image.iter().max().copied().unwrap_or(0);
        let rows = profile.objects_per_image.iter().enumerate().map(|(bucket, count)| {
            let range = match bucket {
                0 => "0".to_owned(),
                1 => "1".to_owned(),
                bucket => format!("{}–{}", 1u64 << (bucket - 1), (1u64 << bucket) - 1),
            };
            vec![range, drawn::bar(*count, most)]
        });
        self.table("counts", &head, rows);
        let head = [self.get("report-image-size"), self.get("report-images")];
        let most = profile.image_sizes.iter().map(|size| size.images).max().unwrap_or(0);
        let rows = profile
            .image_sizes
            .iter()
            .map(|size| vec![format!("{} × {}", size.width, size.height), drawn::bar(size.images, most)]);
        self.table("counts", &head, rows);
        self.body.push_str("</div>\n");
    }

    fn alike(&mut self, health: &Health) {
        if health.alike.is_empty() {
            return;
        }
        let title = self.get("report-alike");
        self.tag("h2", &title);
        self.body.push_str("<ol>\n");
        for group in health.alike.iter().take(MOST_GROUPS) {
            let paths: Vec<_> = group.iter().map(|path| escaped(&path.display().to_string())).collect();
            let _ = writeln!(self.body, "<li><code>{}</code></li>", paths.join("</code><br><code>"));
        }
        self.body.push_str("</ol>\n");
    }
}

/// Text as HTML shows it. File names may hold anything.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}
