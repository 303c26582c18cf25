//! What is sent to whoever is to help: the report, the plan, what is known, the logs, without what is private.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use preflight_core::diagnosis::RunDiagnosis;
use preflight_core::finding::Evidence;
use preflight_core::problem::Problem;
use preflight_core::redact::{Private, Taken, redact, without_secrets};
use preflight_core::text::{Message, Texts};
use serde::Serialize;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{diagnose, find, look};
use crate::Engine;
use crate::report::{Account, PageForm, page};

/// Bytes of a log's beginning and of its end that are taken along: versions are told first, the failure last.
const BEGIN: u64 = 256 * 1024;
const END: u64 = 2 * 1024 * 1024;
/// Bytes of a file that are shown before it is written.
const SHOWN: usize = 64 * 1024;

/// A bundle as it would be written.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Bundle {
    /// Its files, in order.
    pub files: Vec<Piece>,
    /// The name that is proposed for it.
    pub name: String,
}

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What was taken out of it, and how often.
    pub taken: BTreeMap<Taken, u32>,
    /// Its text; of a long one the beginning.
    pub text: String,
}

/// A file as it is written.
struct Content {
    name: &'static str,
    text: String,
    taken: BTreeMap<Taken, u32>,
}

/// What a bundle about a failed run would hold, to the letter. Blocks.
///
/// # Errors
/// `run.not-failed`, and those of [`diagnose`].
pub fn bundle(engine: &Engine, id: &str) -> Result<Bundle, Problem> {
    let piece = |content: Content| Piece {
        name: content.name.to_owned(),
        bytes: content.text.len() as u64,
        taken: content.taken,
        text: content.text[..content.text.floor_char_boundary(SHOWN)].to_owned(),
    };
    let files = contents(engine, id)?.into_iter().map(piece).collect();
    Ok(Bundle { files, name: format!("{id}.zip") })
}

/// Writes the bundle. Blocks.
///
/// # Errors
/// Those of [`bundle`], `file.unwritable`.
pub fn save_bundle(engine: &Engine, id: &str, path: &Path) -> Result<(), Problem> {
    let contents = contents(engine, id)?;
    let pack = || -> zip::result::ZipResult<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for content in &contents {
            archive.start_file(content.name, SimpleFileOptions::default())?;
            archive.write_all(content.text.as_bytes())?;
        }
        Ok(archive.finish()?.into_inner())
    };
    let packed = pack().map_err(|error| Problem::new("file.unwritable").with("path", path).because(&error))?;
    crate::write::atomically(path, &packed)
}

/// Writes the report about a failed run, as it is: it stays with the person. Blocks.
///
/// # Errors
/// Those of [`bundle`], `file.unwritable`.
pub fn save_report(engine: &Engine, id: &str, form: PageForm, path: &Path) -> Result<(), Problem> {
    let diagnosis = failed(engine, id)?;
    let text = page(&Account::of_run(id, &diagnosis), &texts(engine), form);
    crate::write::atomically(path, text.as_bytes())
}

/// A message to whoever can mend it, with what was seen and no secrets. Blocks.
///
/// # Errors
/// Those of [`bundle`].
pub fn letter(engine: &Engine, id: &str) -> Result<String, Problem> {
    let diagnosis = failed(engine, id)?;
    let texts = texts(engine);
    let say = |message: &Message| message.render(&texts);
    let finding = &diagnosis.finding;
    let seen = finding.evidence.iter().map(|evidence| match evidence {
        Evidence::Log { text, .. } => text.trim_end().to_owned(),
        Evidence::Value { name, value } => format!("{}: {value}", say(name)),
        Evidence::File { path, line, .. } => {
            format!("{}{}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())
        }
    });
    let seen: Vec<String> = seen.collect();
    let about = ["system", "driver", "gpus", "torch"];
    let known = diagnosis.known.iter().filter_map(|known| match known {
        Evidence::Value { name, value } if about.iter().any(|about| name.id == format!("fact-known-{about}")) => {
            Some(format!("{}: {value}", say(name)))
        }
        _ => None,
    });
    let known: Vec<String> = known.collect();
    let asked = finding
        .remedies
        .iter()
        .find(|remedy| remedy.action == preflight_core::finding::Action::Explain && remedy.id != "read-log");
    let paragraphs = [
        say(&Message::new("ended-letter-hello").with("host", host())),
        format!("{}. {}", say(&finding.title()), say(&finding.detail())),
        say(&Message::new("ended-letter-seen")),
        seen.join("\n"),
        known.join("\n"),
        asked
            .map(|remedy| format!("{}\n{}", say(&Message::new("ended-letter-ask")), say(&remedy.message())))
            .unwrap_or_default(),
        say(&Message::new("ended-letter-run").with("id", id)),
    ];
    let paragraphs: Vec<String> = paragraphs.into_iter().filter(|paragraph| !paragraph.is_empty()).collect();
    Ok(without_secrets(&paragraphs.join("\n\n")))
}

fn texts(engine: &Engine) -> Texts {
    Texts::new(engine.settings().effective_language())
}

fn failed(engine: &Engine, id: &str) -> Result<RunDiagnosis, Problem> {
    diagnose(engine, id)?.ok_or_else(|| Problem::new("run.not-failed").with("id", id))
}

fn contents(engine: &Engine, id: &str) -> Result<Vec<Content>, Problem> {
    let folder = find(engine, id)?;
    let diagnosis = failed(engine, id)?;
    let record = look(&folder)?.record;
    let (account, texts) = (Account::of_run(id, &diagnosis), texts(engine));
    let files = [
        ("report.html", page(&account, &texts, PageForm::Html)),
        ("report.md", page(&account, &texts, PageForm::Markdown)),
        ("plan.toml", read(&folder.plan())),
        ("facts.json", json(&diagnosis.known)),
        ("run.json", json(&record)),
        ("events.jsonl", read(&folder.events())),
        ("trainer.log", read(&folder.trainer_log())),
        ("supervisor.log", read(&folder.supervisor_log())),
    ];
    let private = private();
    let files = files.into_iter().filter(|(_, text)| !text.trim().is_empty());
    let content = |(name, text): (&'static str, String)| {
        let redacted = redact(&text, &private);
        Content { name, text: redacted.text, taken: redacted.taken }
    };
    Ok(files.map(content).collect())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// The text of a file; of a long one its beginning and its end. One that is not there says nothing.
fn read(path: &Path) -> String {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut bytes = Vec::new();
        if length <= BEGIN + END {
            file.read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        Read::by_ref(&mut file).take(BEGIN).read_to_end(&mut bytes)?;
        let left_out = length - BEGIN - END;
        bytes.extend(format!("\n[… {left_out} bytes …]\n").as_bytes());
        file.seek(SeekFrom::Start(BEGIN + left_out))?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn host() -> String {
    sysinfo::System::host_name().unwrap_or_default()
}

/// What is private about this computer: who uses it, and what it is called.
fn private() -> Private {
    let mut users: Vec<String> =
        ["USER", "USERNAME", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok()).collect();
    let homes = [std::env::var_os("HOME"), std::env::var_os("USERPROFILE")];
    for home in homes.into_iter().flatten() {
        users.extend(Path::new(&home).file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    users.sort();
    users.dedup();
    let host = host();
    let mut hosts = vec![host.split('.').next().unwrap_or_default().to_owned(), host];
    hosts.dedup();
    hosts.retain(|host| !host.is_empty());
    Private { users, hosts }
}
