//! `preflight token status`: how the tokens are. It shows none.

use preflight_core::text::Message;
use preflight_engine::account::{self, Account, Keep};
use preflight_engine::preflight::now_ms;

use crate::arguments::Token;
use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::page::{BOLD, Page};
use crate::words::visible;

pub(crate) fn token(context: &Context, command: &Token) -> Outcome {
    let Token::Status { profile } = command;
    let engine = context.engine()?;
    let accounts = match profile {
        Some(name) => vec![account::account(&engine, name)?],
        None => account::list(&engine),
    };
    let is_signed_out = |account: &Account| account.signed_in.is_none();
    let exit = if profile.is_some() && accounts.iter().any(is_signed_out) { Exit::Blocked } else { Exit::Clear };
    if context.output.is_json() {
        context.output.json(&accounts)?;
        return Ok(exit);
    }
    if accounts.is_empty() {
        context.output.tell(&context.words.get("cli-token-none"));
        return Ok(exit);
    }
    let mut page = context.page();
    for (place, account) in accounts.iter().enumerate() {
        if place > 0 {
            page.blank();
        }
        describe(&mut page, account);
    }
    context.output.print(&page.text())?;
    Ok(exit)
}

fn describe(page: &mut Page<'_>, account: &Account) {
    page.line(&format!("{BOLD}{}{BOLD:#}", account.name));
    let words = page.words;
    let mut rows = vec![(words.get("cli-token-platform"), visible(&account.platform))];
    match &account.signed_in {
        None => rows.push((words.get("cli-token-account"), words.get("cli-token-signed-out"))),
        Some(known) => {
            let unknown = || words.get("cli-token-unknown");
            rows.push((words.get("cli-token-account"), known.account.as_deref().map_or_else(unknown, visible)));
            let kept = match account.profile.keep {
                Keep::Keychain => words.get("keep-keychain"),
                Keep::File => words.get("keep-file"),
                Keep::Memory => words.get("keep-memory"),
            };
            rows.push((words.get("cli-token-kept"), kept));
            let mut ends = known.expires_s.map_or_else(unknown, |expires| end(page, expires));
            if known.renewable {
                ends = format!("{ends}, {}", words.get("cli-token-renewed"));
            }
            rows.push((words.get("cli-token-ends"), ends));
            if !known.scopes.is_empty() {
                rows.push((words.get("cli-token-scopes"), visible(&known.scopes.join(" "))));
            }
            if let Some(used) = known.used_ms {
                #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
                let ago = now_ms().saturating_sub(used) as f64 / 1000.0;
                rows.push((words.get("cli-token-used"), words.say(&Message::new("cli-token-ended").with("ago", ago))));
            }
        }
    }
    page.table(&rows);
}

/// When a token ends, or ended.
fn end(page: &Page<'_>, expires: f64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
    let left = expires - now_ms() as f64 / 1000.0;
    page.words.say(&if left > 0.0 {
        Message::new("cli-token-ends-in").with("left", left)
    } else {
        Message::new("cli-token-ended").with("ago", -left)
    })
}
