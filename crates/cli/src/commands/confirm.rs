//! Nothing large is downloaded, and nothing removed, without a yes.

use std::io::IsTerminal;

use preflight_core::problem::Problem;

use crate::context::Context;
use crate::exit::Failure;

/// Whether a person said yes to what the text says.
///
/// # Errors
/// `confirmation.missing` where there is nobody to ask.
pub(crate) async fn confirmed(context: &Context, text: &str, yes: bool) -> Result<bool, Failure> {
    if yes {
        context.output.tell(text);
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        context.output.tell(text);
        return Err(Problem::new("confirmation.missing").into());
    }
    context.output.ask(&format!("{text} {}", context.words.get("cli-go-on")));
    let answer = context
        .blocking(|| {
            let mut answer = String::new();
            std::io::stdin().read_line(&mut answer).map(|_| answer)
        })
        .await?
        .map_err(|error| Problem::new("confirmation.missing").because(&error))?;
    let yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "是" | "好");
    if !yes {
        context.output.tell(&context.words.get("cli-nothing-changed"));
    }
    Ok(yes)
}
