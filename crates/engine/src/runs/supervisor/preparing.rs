//! Before the trainer is started.

use preflight_core::finding::{Action, Applicability, Finding, Remedy, Stage, Verb};
use preflight_core::problem::Problem;
use preflight_core::run::{Event, TryOut};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Space, Supervisor, TICK};
use crate::runs::failure;
use crate::shadow::Shadow;

/// There is nothing where a dataset was.
const GONE: &str = "dataset.not-found";

fn gone(root: &std::path::Path) -> Problem {
    Problem::new(GONE).with("path", root)
}

impl Supervisor {
    /// Makes the shadow tree. Answers whether training may begin.
    pub(super) async fn prepare(&mut self) -> bool {
        let stop = CancellationToken::new();
        let mut building = self.build(stop.clone());
        let built = loop {
            tokio::select! {
                built = &mut building => break built,
                () = tokio::time::sleep(TICK) => {
                    self.journal.flush();
                    self.requested();
                    if self.is_to_stop() {
                        stop.cancel();
                    }
                }
            }
        };
        // One that came just now counts as well.
        self.requested();
        if self.is_to_stop() {
            self.journal.append(Event::NotStarted);
            return false;
        }
        let problem = match built {
            Ok(Ok(Shadow { linked, copied, copied_bytes, .. })) => {
                self.journal.append(Event::DatasetReady { linked, copied, copied_bytes, fingerprint: None });
                return true;
            }
            Ok(Err(problem)) => problem,
            Err(error) => Problem::new("internal.task").because(&error),
        };
        if Space::of(&self.folder, self.journal.progress()).is_some_and(Space::is_short) {
            self.rest_for_room();
            self.journal.append(Event::NotStarted);
            return false;
        }
        let what = if problem.code == GONE { "dataset-gone" } else { "not-prepared" };
        let finding = Finding::blocker(Stage::Data, what, Verb::Change).seen(failure::evidence(&problem));
        let again = Remedy::new("run-again", Applicability::OneClick, Action::StartAgain);
        let choose = Remedy::new("choose-dataset", Applicability::NeedsChoice, Action::ChooseDataset);
        self.journal.append(Event::Broken { finding: finding.remedy(again).remedy(choose) });
        false
    }

    fn build(&self, stop: CancellationToken) -> JoinHandle<Result<Shadow, Problem>> {
        let (folder, trial) = (self.folder.clone(), self.record.trial.clone());
        tokio::task::spawn_blocking(move || {
            let dataset = folder.read_dataset()?;
            // Half of one, or one of a dataset that has changed.
            let _ = std::fs::remove_dir_all(folder.shadow());
            if let Some(TryOut { train, val, .. }) = trial {
                return crate::shadow::build_fullest(&dataset, &folder.shadow(), [train, val], &stop);
            }
            let shadow = crate::shadow::build(&dataset, &folder.shadow(), &stop)?;
            let is_gone = shadow.linked + shadow.copied == 0 && dataset.splits.iter().any(|split| split.images > 0);
            if is_gone { Err(gone(&dataset.root)) } else { Ok(shadow) }
        })
    }
}
