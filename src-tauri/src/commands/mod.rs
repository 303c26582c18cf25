//! What the window may call, by area: tables of questions to the engine, and what needs the window itself, such as a
//! dialog, written out. Each is a few lines over the engine.

/// A table of commands. Each line reads as the function that the window calls: its arguments, after a name for the
/// engine, and its answer, which every command gives as `Result<_, Problem>`. What is `blocking` is asked where it may
/// block; what is answered `now` can neither wait nor fail.
macro_rules! commands {
    ($($(#[doc = $doc:literal])+ $kind:ident fn $name:ident(
        $engine:pat_param $(, $argument:ident: $type:ty)* $(,)?
    ) -> $answer:ty $body:block)+) => {$(
        $(#[doc = $doc])+
        #[tauri::command]
        #[specta::specta]
        pub(crate) async fn $name(
            shell: tauri::State<'_, crate::shell::Shell>
            $(, $argument: $type)*
        ) -> Result<$answer, preflight_core::problem::Problem> {
            commands!(@$kind shell, $engine, $body)
        }
    )+};
    (@async $shell:ident, $engine:pat_param, $body:block) => {{
        let $engine = &$shell.engine;
        $body
    }};
    (@now $shell:ident, $engine:pat_param, $body:block) => {{
        let $engine = &$shell.engine;
        Ok($body)
    }};
    (@blocking $shell:ident, $engine:pat_param, $body:block) => {
        $shell.blocking(move |$engine| $body).await
    };
}

pub(crate) mod account;
pub(crate) mod app;
pub(crate) mod dataset;
pub(crate) mod environment;
pub(crate) mod failure;
pub(crate) mod forecast;
pub(crate) mod history;
pub(crate) mod log;
pub(crate) mod machine;
pub(crate) mod making;
pub(crate) mod open;
pub(crate) mod plan;
pub(crate) mod results;
pub(crate) mod run;
pub(crate) mod watch;
pub(crate) mod weights;

mod dialog;
