//! What every command works with.

use std::sync::Arc;
use std::time::{Duration, Instant};

use preflight_core::problem::Problem;
use preflight_core::text::duration;
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use tokio_util::sync::CancellationToken;

use crate::exit::{Exit, Failure};
use crate::live::Live;
use crate::output::Output;
use crate::page::Page;
use crate::words::Words;

/// How often the seconds of a wait are shown.
const SECOND: Duration = Duration::from_secs(1);

/// What every command works with.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) words: Words,
    pub(crate) output: Output,
    /// Cancelled by the first Ctrl-C. The second one ends the process.
    pub(crate) interrupt: CancellationToken,
    /// Progress on stderr.
    pub(crate) live: Arc<Live>,
}

impl Context {
    /// From now on Ctrl-C is a request; must be called inside the runtime.
    pub(crate) fn new(words: Words, output: Output) -> Self {
        let interrupt = CancellationToken::new();
        let live = Arc::new(Live::default());
        tokio::spawn(interrupts(interrupt.clone(), Arc::clone(&live)));
        Self { words, output, interrupt, live }
    }

    /// The engine over the app's folder.
    pub(crate) fn engine(&self) -> Result<Engine, Problem> {
        Engine::open(Dirs::from_environment()?)
    }

    /// What the future answers, unless Ctrl-C comes first.
    pub(crate) async fn interruptible<T>(&self, future: impl Future<Output = T>) -> Result<T, Failure> {
        tokio::select! {
            biased;
            () = self.interrupt.cancelled() => Err(Failure::Interrupted),
            answer = future => Ok(answer),
        }
    }

    /// What the future answers, with what is waited for on stderr.
    pub(crate) async fn waiting<T>(&self, id: &str, future: impl Future<Output = T>) -> Result<T, Failure> {
        self.waiting_for(&self.words.get(id), future).await
    }

    /// The same, in words.
    pub(crate) async fn waiting_for<T>(&self, what: &str, future: impl Future<Output = T>) -> Result<T, Failure> {
        let began = Instant::now();
        let mut clock = tokio::time::interval(SECOND);
        let shown = async {
            loop {
                clock.tick().await;
                let seconds = began.elapsed().as_secs_f64();
                self.live.update(&if seconds < 2.0 {
                    what.to_owned()
                } else {
                    format!("{what} {}", duration(seconds))
                });
            }
        };
        let answer = tokio::select! {
            answer = self.interruptible(future) => answer,
            () = shown => Err(Failure::Interrupted),
        };
        self.live.clear();
        answer
    }

    /// What a function that blocks answers, unless Ctrl-C comes first.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let answer = self.interruptible(tokio::task::spawn_blocking(work)).await?;
        Ok(answer.map_err(|error| Problem::new("internal.task").because(&error))?)
    }

    /// A page of results.
    pub(crate) fn page(&self) -> Page<'_> {
        Page::new(&self.words, self.output.width())
    }

    /// A page of remarks.
    pub(crate) fn remarks(&self) -> Page<'_> {
        Page::new(&self.words, crate::output::stderr_width())
    }
}

async fn interrupts(first: CancellationToken, live: Arc<Live>) {
    if interrupt().await.is_err() {
        return;
    }
    first.cancel();
    if interrupt().await.is_err() {
        return;
    }
    live.clear();
    #[expect(clippy::exit, reason = "a person asked twice: nothing is waited for any more")]
    std::process::exit(i32::from(Exit::Interrupted.code()));
}

/// Ctrl-C, or what CI services and `kill` send to end a process.
async fn interrupt() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            result = tokio::signal::ctrl_c() => result,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Says what could not be done.
pub(crate) fn fail(problem: &Problem, words: &Words, output: &Output) -> Exit {
    if output.is_json() {
        // Nothing is left to say it with when stdout cannot be written.
        let _ = output.json(&words.problem_json(problem));
    } else {
        let mut page = Page::new(words, crate::output::stderr_width());
        page.problem(problem);
        output.tell(&page.text());
    }
    Exit::CouldNot
}
