//! NVIDIA's own program, where its library cannot be loaded.

use std::ffi::OsStr;
use std::time::Duration;

use preflight_core::machine::Gpus;
use preflight_core::machine::smi::{CARD_FIELDS, FEW_CARD_FIELDS, PROCESS_FIELDS, Printed, parse};

use crate::program::printed;

/// How long one question may take; a card that hangs makes the program hang.
const PATIENCE: Duration = Duration::from_secs(3);

/// Asks `nvidia-smi`; `None`: it is not there, or it shows no cards. Blocks for as long as it takes, ten seconds at most.
pub(super) fn observe(program: &OsStr) -> Option<Gpus> {
    let cards = |fields: &str| ask(program, &[&format!("--query-gpu={fields}"), FORMAT]);
    let cards = cards(CARD_FIELDS).or_else(|| cards(FEW_CARD_FIELDS))?;
    let processes = ask(program, &[&format!("--query-compute-apps={PROCESS_FIELDS}"), FORMAT]);
    let banner = ask(program, &[]).unwrap_or_default();
    parse(Printed { cards: &cards, processes: processes.as_deref(), banner: &banner })
}

const FORMAT: &str = "--format=csv,noheader,nounits";

fn ask(program: &OsStr, arguments: &[&str]) -> Option<String> {
    printed(program, arguments, PATIENCE)
}
