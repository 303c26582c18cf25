//! `preflight doctor`: is this computer fit for training, whatever is trained?

use preflight_core::facts::Fact;
use preflight_core::machine::{Surroundings, Volume};
use preflight_core::report::Verdict;
use preflight_core::text::bytes;
use preflight_engine::doctor::Examination;
use serde_json::json;

use super::check::findings_json;
use crate::arguments::Doctor;
use crate::context::Context;
use crate::exit::Outcome;
use crate::page::Page;
use crate::words::visible;

pub(crate) async fn doctor(context: &Context, arguments: &Doctor) -> Outcome {
    let engine = context.engine()?;
    let examination =
        context.waiting("cli-doctor-looking", engine.examine_computer(!arguments.without_computing)).await?;
    let verdict = examination.report.verdict(&[], arguments.strict);
    if context.output.is_json() {
        let Examination { facts, smoke, report } = &examination;
        context.output.json(&json!({
            "verdict": verdict,
            "at_ms": report.at_ms,
            "links": report.links,
            "findings": findings_json(&context.words, &report.findings),
            "facts": facts,
            "smoke": smoke,
        }))?;
    } else {
        let mut page = context.page();
        write(&mut page, &examination, verdict);
        context.output.print(&page.text())?;
    }
    Ok(verdict.into())
}

fn write(page: &mut Page<'_>, examination: &Examination, verdict: Verdict) {
    let Examination { facts, report, .. } = examination;
    page.chain(&report.links);
    page.findings(&report.findings);
    page.blank();
    let mut rows = Vec::new();
    if let Some(computer) = facts.computer.known() {
        rows.push(("doctor-system", visible(&computer.os_name)));
        rows.push(("doctor-processor", format!("{} × {}", computer.cores, visible(&computer.cpu))));
        rows.push(("doctor-memory", share(computer.memory_available, computer.memory_total)));
    }
    if let Some(around) = facts.surroundings.known() {
        rows.extend(of_surroundings(page, around));
    }
    let mut rows: Vec<_> = rows.into_iter().map(|(id, value)| (page.words.get(id), value)).collect();
    if let Some(around) = facts.surroundings.known() {
        for named in &around.volumes {
            let purposes: Vec<_> = named
                .purposes
                .iter()
                .map(|purpose| page.words.get(&format!("volume-for-{}", purpose.name())))
                .collect();
            let volume = &named.volume;
            let value = format!("{}  {}", share(volume.free, volume.total), visible(&volume.path.to_string_lossy()));
            rows.push((purposes.join(", "), value));
        }
    }
    page.table(&rows);
    page.blank();
    page.verdict(report, verdict);
}

fn of_surroundings(page: &Page<'_>, around: &Surroundings) -> Vec<(&'static str, String)> {
    let known = |text: Option<String>| text.unwrap_or_else(|| page.words.get("link-unknown"));
    let room = |fact: &Fact<Volume>| fact.known().map(|volume| share(volume.free, volume.total));
    vec![
        ("doctor-swap", known(around.swap.known().map(|swap| share(swap.free, swap.total)))),
        ("doctor-shared-memory", known(room(&around.shared_memory))),
        ("doctor-open-files", known(around.open_files.known().map(u64::to_string))),
        ("doctor-watches", known(around.watches.known().map(u64::to_string))),
        ("doctor-load", known(around.load.known().map(|load| format!("{load:.1}")))),
    ]
}

fn share(free: u64, total: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let (free, total) = (bytes(free as f64), bytes(total as f64));
    format!("{free} / {total}")
}
