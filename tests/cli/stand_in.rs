//! A script in the place of a training environment's Python.

use std::io::Write;
use std::path::PathBuf;

use crate::plates;
use crate::world::World;

/// A script that answers as the Python of an environment would, and whose trainer does this.
pub(crate) fn python(world: &World, trainer: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let text = format!(
        r#"#!/bin/sh
if [ "$1" = "-c" ]; then
  echo '{{"python":"3.11.7","torch":"2.15.0+cu128","torchvision":"0.29.2","ultralytics":"8.4.190","torch_cuda":"12.8","architectures":["sm_80","sm_86"],"cuda_available":true}}'
  exit
fi
say() {{ printf '%s\n' "$1" >> trainer.jsonl; }}
{trainer}
"#
    );
    let path = world.file("python", &text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("an executable");
    path
}

/// A trainer of this many epochs of at least so many seconds each.
pub(crate) fn epochs(world: &World, epochs: u32, seconds: f64) -> String {
    let whole = world.desk().join("whole.pt");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&whole).expect("a file"));
    archive.start_file("data", zip::write::SimpleFileOptions::default()).expect("an entry");
    archive.write_all(&[7; 1000]).expect("its content");
    archive.finish().expect("an archive");
    let script = include_str!("../stand-in/epochs.sh");
    format!("whole='{}'\nepochs={epochs}\nseconds={seconds}\n{script}", whole.display())
}

/// Writes `plan.toml` over a small dataset with this trainer; `more` are further arguments.
pub(crate) fn plan(world: &World, trainer: &str, more: &[&str]) {
    let dataset = plates::write(world, "plates");
    let python = python(world, trainer);
    let words = ["plan", "--weights", "scratch", "--imgsz", "64", "--batch", "4", "--output", "plan.toml", "--python"];
    let mut arguments: Vec<String> = words.map(str::to_owned).into();
    arguments.push(python.display().to_string());
    arguments.push(format!("--dataset={}", dataset.display()));
    arguments.extend(more.iter().map(|&word| word.to_owned()));
    let said = world.preflight(arguments);
    assert_eq!(said.code, Some(0), "{said}");
}
