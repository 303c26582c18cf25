//! A library that answers like NVIDIA's NVML, as far as this project asks it.
//!
//! What it answers stands in a scenario file: the one that `PREFLIGHT_FAKE_NVML` names, else the one beside the library
//! with its name and the ending `.toml`. The file is read anew at every call, so that a card can become busy while a
//! program looks. Scenarios that are used often are in `scenarios/nvml/`.
//!
//! ```sh
//! cargo build -p fake-nvml
//! PREFLIGHT_NVML=target/debug/libfake_nvml.so \
//! PREFLIGHT_FAKE_NVML=tests/fake-nvml/scenarios/nvml/two-cards.toml cargo run
//! ```

use std::path::{Path, PathBuf};

mod details;
mod nvml;
mod scenario;

/// The variable that names the scenario file.
pub const SCENARIO_VARIABLE: &str = "PREFLIGHT_FAKE_NVML";

/// Every question that a card can refuse, by the name that scenario files give it.
pub const QUESTIONS: [&str; 31] = [
    "handle",
    "name",
    "uuid",
    "memory",
    "capability",
    "utilization",
    "temperature",
    "throttle-reasons",
    "compute-processes",
    "graphics-processes",
    "pci",
    "power",
    "power-limit",
    "power-default",
    "clock",
    "clock-max",
    "slowdown",
    "ecc",
    "ecc-errors",
    "retired",
    "retired-pending",
    "fields",
    "compute-mode",
    "persistence",
    "mig",
    "mig-count",
    "mig-slice",
    "link-generation",
    "link-width",
    "link-generation-max",
    "link-width-max",
];

/// Every question about the whole system that can be refused.
pub const SYSTEM_QUESTIONS: [&str; 4] = ["driver", "cuda", "count", "process-name"];

/// The library, as cargo built it for a test: beside the test's own program.
///
/// # Panics
/// When it is not there.
#[must_use]
pub fn library() -> PathBuf {
    let name = format!("{}fake_nvml{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = std::env::current_exe().expect("the system says where this program is");
    let found = program.ancestors().skip(1).take(2).map(|folder| folder.join(&name)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name} is not beside {}", program.display()))
}

/// A scenario of `scenarios/nvml/`, by its name.
#[must_use]
pub fn scenario(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/nvml").join(name).with_extension("toml")
}

/// A library of its own in a folder, playing a scenario (the text of a scenario file). Answers where it is.
///
/// # Panics
/// When it cannot be copied.
#[must_use]
pub fn playing(folder: &Path, scenario: &str) -> PathBuf {
    let copy = folder.join(library().file_name().expect("a library has a name"));
    std::fs::copy(library(), &copy).expect("the library can be copied");
    std::fs::write(copy.with_extension("toml"), scenario).expect("the scenario can be written");
    copy
}
