//! Whether an environment really computes on a device, found out by trying.

use serde::{Deserialize, Serialize};

use crate::diagnosis::{Cause, Diagnosis};
use crate::finding::{Action, Applicability, Evidence, Finding, Remedy, Stage, Verb};
use crate::machine::ResolvedDevice;

/// What came of computing on a device: memory taken, matrices multiplied, an image convolved there and back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Smoke {
    /// All of it, with the right results.
    Computed {
        /// What torch calls the device.
        device: String,
        /// Milliseconds it took, the first of all included.
        milliseconds: u32,
    },
    /// It failed.
    Failed {
        /// `start`, `allocate`, `matmul`, `convolution` or `result`.
        step: String,
        /// The error, as torch tells it.
        error: String,
    },
}

/// What trying it means; `device`: on what it was tried, `managed`: whether the environment is the app's own.
#[must_use]
pub fn judge(smoke: &Smoke, device: &ResolvedDevice, managed: bool) -> Finding {
    let on_card = device.is_card();
    let stage = if on_card { Stage::Driver } else { Stage::Image };
    match smoke {
        Smoke::Computed { device, milliseconds } => {
            let seconds = f64::from(*milliseconds) / 1e3;
            Finding::ok(stage, "computes").with("name", device.as_str()).with("seconds", seconds)
        }
        Smoke::Failed { step, error } => {
            let diagnosis = Diagnosis::of(error.as_bytes(), "");
            if let Cause::Found(_) = diagnosis.cause {
                return diagnosis.finding;
            }
            let remedy = if managed {
                Remedy::new("repair-environment", Applicability::OneClick, Action::RepairEnvironment)
            } else {
                Remedy::new("mend-own-environment", Applicability::Manual, Action::Explain)
            };
            Finding::blocker(stage, "does-not-compute", Verb::Change)
                .with("step", step.as_str())
                .seen(Evidence::value("fact-torch-error", error.trim()))
                .remedy(remedy)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;

    #[test]
    fn errors_are_decoded_where_they_are_known() {
        let gpu = ResolvedDevice::Gpus(vec![0]);
        let failed =
            |error: &str| judge(&Smoke::Failed { step: "matmul".to_owned(), error: error.to_owned() }, &gpu, true);
        for (error, code) in [
            (
                "torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device",
                "driver.ran-into-no-kernel-image",
            ),
            (
                "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
                "gpu_pool.gpu-exclusive-mode",
            ),
            ("Error 802: system not yet initialized", "driver.fabricmanager-missing"),
            ("something that nobody ever saw", "driver.does-not-compute"),
        ] {
            let finding = failed(error);
            assert_eq!(finding.severity, Severity::Blocker, "{error}");
            assert_eq!(finding.code, code, "{error}");
            assert!(!finding.remedies.is_empty());
        }
        let computed = Smoke::Computed { device: "cpu".to_owned(), milliseconds: 21 };
        assert_eq!(judge(&computed, &ResolvedDevice::Processor, true).code, "image.computes");
    }
}
