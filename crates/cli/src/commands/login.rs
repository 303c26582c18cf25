//! `preflight login` and `logout`: into a platform, and out of it. Nothing here shows a token.

use std::io::{IsTerminal, Read};

use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use preflight_core::text::Message;
use preflight_engine::Engine;
use preflight_engine::account::{self, Keep, PASSPHRASE, Profile, SignInStep, Way};
use tokio_util::sync::CancellationToken;

use crate::arguments::{Login, Logout};
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::words::visible;

/// A token on standard input is shorter.
const LONGEST: u64 = 1 << 20;

pub(crate) async fn login(context: &Context, arguments: Login) -> Outcome {
    let engine = context.engine()?;
    let name = arguments.profile.as_str();
    saved(&engine, &arguments).await?;
    passphrase(context, &engine, name)?;
    let way = if arguments.paste {
        Way::Pasted(pasted(context)?)
    } else if arguments.device {
        Way::Device
    } else {
        Way::Browser
    };
    let tell = |step: SignInStep| show(context, &step);
    let signing_in = account::sign_in(&engine, name, way, &tell, CancellationToken::new());
    let signed_in = context.waiting("cli-signing-in", signing_in).await??;
    if context.output.is_json() {
        context.output.json(&signed_in)?;
    } else {
        let done = Message::new("cli-login-done").with("platform", signed_in.platform);
        context.output.print(&context.words.say(&done))?;
    }
    Ok(Exit::Clear)
}

/// The connection, as it was or as it was typed.
async fn saved(engine: &Engine, arguments: &Login) -> Result<(), Failure> {
    let keep = arguments.keep.map(Keep::from);
    let profile = match &arguments.url {
        Some(url) => Profile {
            connector: arguments.connector.clone(),
            issuer: arguments.issuer.clone(),
            client_id: arguments.client_id.clone(),
            keep: keep.unwrap_or_default(),
            ..Profile::to(&account::address(url)?)
        },
        None => {
            let before = account::account(engine, &arguments.profile)?.profile;
            Profile { keep: keep.unwrap_or(before.keep), ..before }
        }
    };
    account::save(engine, &arguments.profile, &profile).await?;
    Ok(())
}

fn show(context: &Context, step: &SignInStep) {
    let page = match step {
        SignInStep::Browser { url } => {
            context.output.tell(&context.words.get("cli-login-browser"));
            // Where no browser opens, a person opens it.
            let _ = preflight_engine::desktop::open_sign_in(url);
            url
        }
        SignInStep::Code { code, url, complete, seconds } => {
            let text = Message::new("cli-login-code").with("code", visible(code)).with("seconds", *seconds);
            context.output.tell(&context.words.say(&text));
            complete.as_ref().unwrap_or(url)
        }
    };
    context.output.tell(&format!("  {}", visible(page)));
}

/// A token that is typed unseen, or comes from a pipe. Never from an argument: every user of the computer can read those.
fn pasted(context: &Context) -> Result<Secret, Failure> {
    let unreadable = |error: std::io::Error| Problem::new("account.token-invalid").because(&error);
    if std::io::stdin().is_terminal() {
        context.output.ask(&context.words.get("cli-login-paste"));
        return Ok(Secret::new(rpassword::read_password().map_err(unreadable)?));
    }
    let mut text = String::new();
    std::io::stdin().take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
    Ok(Secret::new(text.trim()))
}

/// Asks for the passphrase of a profile's token file, where it has one.
pub(crate) fn passphrase(context: &Context, engine: &Engine, name: &str) -> Result<(), Failure> {
    if account::account(engine, name)?.profile.keep != Keep::File {
        return Ok(());
    }
    if let Ok(passphrase) = std::env::var(PASSPHRASE) {
        account::set_passphrase(engine, Secret::new(passphrase));
    } else if std::io::stdin().is_terminal() && crate::output::is_watched() {
        context.output.ask(&context.words.get("cli-login-passphrase"));
        let typed = rpassword::read_password();
        let typed = typed.map_err(|error| Problem::new("account.passphrase-needed").because(&error))?;
        account::set_passphrase(engine, Secret::new(typed));
    }
    Ok(())
}

pub(crate) async fn logout(context: &Context, arguments: &Logout) -> Outcome {
    let engine = context.engine()?;
    let name = arguments.profile.as_str();
    let platform = account::account(&engine, name)?.platform;
    // Without the passphrase the file is deleted all the same; the platform is not told then.
    passphrase(context, &engine, name)?;
    let is_heard = context.interruptible(account::sign_out(&engine, name)).await??;
    if arguments.forget {
        account::remove(&engine, name).await?;
    }
    let done = if is_heard { Message::new("cli-logout-done") } else { Message::new("cli-logout-unheard") };
    context.output.tell(&context.words.say(&done.with("platform", platform)));
    Ok(Exit::Clear)
}
