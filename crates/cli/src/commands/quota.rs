//! `preflight quota`: how much budget is left, and whether the token still opens it.

use preflight_core::account::{self, Connector, Look, Portrait};
use preflight_core::finding::Stage;
use preflight_core::report::{Report, Verdict};
use preflight_core::text::Message;
use preflight_engine::account as accounts;
use preflight_engine::account::Held;
use serde::Serialize;
use serde_json::Value;

use super::check::findings_json;
use super::login;
use crate::arguments::Quota;
use crate::context::Context;
use crate::exit::Outcome;
use crate::page::BOLD;
use crate::words::visible;

/// An account as a program reads it.
#[derive(Debug, Serialize)]
struct Told {
    verdict: Verdict,
    #[serde(flatten)]
    account: Portrait,
    findings: Vec<Value>,
}

pub(crate) async fn quota(context: &Context, arguments: &Quota) -> Outcome {
    let engine = context.engine()?;
    let settings = engine.settings();
    let (look, connector) = match (&arguments.profile, &arguments.url) {
        (Some(profile), _) => {
            login::passphrase(context, &engine, profile)?;
            context.waiting("cli-asking-platform", accounts::look_at(&engine, profile)).await??
        }
        (None, url) => {
            let connector = accounts::connector(arguments.connector.as_deref())?;
            let url = accounts::address(url.as_deref().unwrap_or_default())?;
            let held = Held::from_environment().unwrap_or_else(Held::nothing);
            let asking = accounts::look(&settings, &url, &connector, &held, None);
            (context.waiting("cli-asking-platform", asking).await??, connector)
        }
    };
    let findings = account::judge(&look, &connector, None, accounts::threshold(&settings));
    answer(context, &look, &connector, Report::new(look.at_ms, findings, &[]), arguments.strict)
}

fn answer(context: &Context, look: &Look, connector: &Connector, report: Report, strict: bool) -> Outcome {
    let verdict = report.verdict(&[], strict);
    let account = look.portrait(connector);
    if context.output.is_json() {
        let findings = findings_json(&context.words, &report.findings);
        context.output.json(&Told { verdict, account, findings })?;
        return Ok(verdict.into());
    }
    let mut page = context.page();
    page.line(&format!("{BOLD}{}{BOLD:#}", visible(&look.platform)));
    let links: Vec<_> =
        report.links.iter().filter(|link| matches!(link.stage, Stage::Auth | Stage::Quota)).copied().collect();
    page.chain(&links);
    if let Some(quota) = &account.quota {
        page.blank();
        let rows = quota.levels.iter().map(|level| {
            let name = if level.name.is_empty() { page.words.get("cli-quota-own") } else { visible(&level.name) };
            let text = Message::new("cli-quota-level").with("available", quota.shown(level.available()));
            (name, page.words.say(&text))
        });
        let rows: Vec<_> = rows.collect();
        page.table(&rows);
    }
    page.findings(&report.findings);
    context.output.print(&page.text())?;
    Ok(verdict.into())
}
