//! What watching cards costs, beside asking a program anew for each look.

use super::Row;
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::steps::Steps;
use crate::surroundings::Surroundings;

/// Looks that are measured.
const LOOKS: u32 = 20;

/// Eight cards watched at one look a second by one process that keeps the driver's library open, and by a process for
/// each look, as scripts do with `nvidia-smi`. Both are this app's command line in front of the same stand-in library: what
/// differs is only whether the process stays.
pub(super) fn measure(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome<Row> {
    let mut build = Surroundings::own().command(project, "cargo");
    build.args(["build", "--locked", "--release", "--package", "fake-nvml"]);
    steps.command("Stand-in for NVIDIA's library", &mut build)?;
    let name = format!("{}fake_nvml{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = project.release("preflight").with_file_name(name);
    let cpu = |script: String| -> Outcome<f64> {
        let mut shell = surroundings.command(project, "bash");
        shell.env("PREFLIGHT_NVML", &library);
        shell.env("PREFLIGHT_FAKE_NVML", project.root.join("tests/fake-nvml/scenarios/nvml/eight-a100.toml"));
        shell.env("PREFLIGHT", project.release("preflight")).args(["-c", &script]);
        let output = shell.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let seconds = text.lines().last().and_then(children).filter(|_| output.status.success());
        seconds.ok_or_else(|| Failure::new(format!("watching cards: {text}")))
    };
    let watched = |looks: u32| {
        cpu(format!("\"$PREFLIGHT\" gpu --watch --times {looks} --format json > /dev/null || exit 1; times"))
    };
    // The start of the process is paid once in all the hours that it watches.
    let (once, all) = (watched(1)?, watched(1 + LOOKS)?);
    let kept = (all - once).max(0.0) / f64::from(LOOKS);
    let anew = cpu(format!(
        "for look in $(seq {LOOKS}); do \"$PREFLIGHT\" gpu --format json > /dev/null || exit 1; done; times"
    ))? / f64::from(LOOKS);
    // `times` counts in thousandths; less than one of all looks together is as good as one.
    let kept = kept.max(0.001 / f64::from(LOOKS));
    Ok(Row {
        what: "Watching eight cards",
        value: format!("{:.1} s/h", kept * 3_600.0),
        how: format!(
            "CPU time of an hour at one look a second; 1/{:.0} of a process for each look ({:.0} s/h)",
            anew / kept,
            anew * 3_600.0
        ),
    })
}

/// Seconds of all children, from the last line that bash's `times` prints: `0m0.120s 0m0.034s`.
fn children(line: &str) -> Option<f64> {
    let second = |text: &str| {
        let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let mut parts = line.split_whitespace();
    Some(second(parts.next()?)? + second(parts.next()?)?)
}

#[cfg(test)]
mod tests {
    use super::children;

    #[test]
    fn what_bash_prints() {
        assert_eq!(children("0m0.250s 1m0.500s"), Some(60.75));
        assert_eq!(children("nothing"), None);
    }
}
