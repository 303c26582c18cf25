//! Whether a plan's further arguments are judged as the trainer itself judges them.

use std::process::Command;

use preflight_core::plan::{Plan, Scalar};
use preflight_core::run::arguments::{KNOWN, Kind, check};
use preflight_engine::dirs::Dirs;
use preflight_engine::environment::python::variables;

/// Values at the edges of what is taken.
fn values() -> Vec<Scalar> {
    let texts = ["abc", "", "SGD", "adamw", "flip", "ram", "fp16", "BF16", "w8a16", "8", "0.5", "true"];
    let numbers = [-1.5, -0.5, 0.0, 0.5, 1.0, 1.5, 8.0, 1e9];
    [true, false]
        .map(Scalar::Bool)
        .into_iter()
        .chain([-2, -1, 0, 1, 2, 8, 16, 300].map(Scalar::Integer))
        .chain(numbers.map(Scalar::Float))
        .chain(texts.map(|text| Scalar::Text(text.to_owned())))
        .collect()
}

#[test]
fn arguments_are_judged_as_by_the_trainer() {
    let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON") else {
        eprintln!("skipped: PREFLIGHT_TEST_PYTHON names no environment");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let dirs = Dirs::new(folder.path());
    std::fs::create_dir_all(dirs.trainer()).unwrap();
    let cases: Vec<(&str, Kind, Scalar)> =
        KNOWN.iter().flat_map(|(name, kind)| values().into_iter().map(|value| (*name, *kind, value))).collect();
    let told: Vec<_> = cases.iter().map(|(name, _, value)| serde_json::json!([name, value])).collect();
    std::fs::write(dirs.trainer().join("cases.json"), serde_json::to_vec(&told).unwrap()).unwrap();
    let script = "import json\nfrom ultralytics.cfg import check_cfg\n\
                  def takes(name, value):\n    \
                      try:\n        check_cfg({name: value})\n        return True\n    \
                      except (TypeError, ValueError):\n        return False\n\
                  print(json.dumps([takes(*case) for case in json.load(open('cases.json'))]))\n";
    let run = Command::new(&python)
        .args(["-c", script])
        .envs(variables(&dirs, std::path::Path::new(&python)))
        .current_dir(dirs.trainer())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8(run.stdout).unwrap();
    let trainer: Vec<bool> = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    let mut refused = 0;
    for ((name, kind, value), trainer) in cases.into_iter().zip(trainer) {
        let mut training = Plan::default().training;
        training.extra.insert(name.to_owned(), value.clone());
        let ours = check(&training).is_ok();
        // Which words there are, it finds out later: when it makes the optimizer, or augments the first image.
        let later = matches!(kind, Kind::Word(_)) && matches!(value, Scalar::Text(_));
        assert!(ours == trainer || (later && trainer), "{name} = {value:?}: ours {ours}, the trainer's {trainer}");
        refused += u32::from(!ours);
    }
    assert!(refused > 500, "{refused}");
}
