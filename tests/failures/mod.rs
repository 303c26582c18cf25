//! Trainings of this app that fail for real, each for a reason of its own: for the tests of the engine and of the window.
//! The real trainer runs; what is broken is its surroundings, its data or its plan, after the preflight would have passed.

use std::path::{Path, PathBuf};
use std::process::Command;

use preflight_core::finding::Stage;
use preflight_core::plan::{Device, Plan, Scalar, Target, Weights};

/// A training that fails.
pub(crate) struct Failing {
    /// The cause that is to be found.
    pub(crate) cause: &'static str,
    /// The link that is to be lit.
    pub(crate) stage: Stage,
    pub(crate) plan: Plan,
    /// What a shell does before it becomes the supervisor; `$folder` is the run's folder.
    pub(crate) before: String,
    /// What a shell does once it is over.
    pub(crate) after: String,
    /// Somebody ends the trainer once it trains.
    pub(crate) killed: bool,
}

/// Where what a failure needs is made, and the Python that trains.
pub(crate) struct Scene<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) python: &'a Path,
}

/// How each failure is made; `None`: this computer does not allow it, which is said.
pub(crate) type Make = fn(&Scene<'_>) -> Option<Failing>;

/// All of them, by name.
pub(crate) const ALL: [(&str, Make); 13] = [
    ("losses-that-are-no-numbers", losses_that_are_no_numbers),
    ("class-out-of-range", class_out_of_range),
    ("labels-in-pixels", labels_in_pixels),
    ("images-damaged", images_damaged),
    ("weights-of-something-else", weights_of_something_else),
    ("torch-missing", torch_missing),
    ("torchvision-of-another-build", torchvision_of_another_build),
    ("address-space-short", address_space_short),
    ("container-too-small", container_too_small),
    ("disk-of-results-full", disk_of_results_full),
    ("images-not-permitted", images_not_permitted),
    ("drive-unplugged", drive_unplugged),
    ("killed-by-somebody", killed_by_somebody),
];

impl Scene<'_> {
    /// A plan that trains the sample for seconds, and its dataset's folder.
    pub(crate) fn training(&self) -> (Plan, PathBuf) {
        let folder = self.folder.join("plates");
        let dataset = preflight_engine::sample::write(&folder).unwrap();
        let mut plan = Plan { dataset, ..Plan::default() };
        plan.model.weights = Weights::Scratch;
        plan.training.imgsz = 64;
        plan.training.batch = 8;
        plan.training.epochs = 2;
        plan.training.extra.insert("plots".into(), Scalar::Bool(false));
        plan.target = Target::ThisComputer { device: Device::Cpu, python: Some(self.python.to_owned()) };
        (plan, folder)
    }

    /// The Python of the plan, which trains after these lines of a shell.
    pub(crate) fn trains_after(&self, plan: &mut Plan, lines: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.folder.join("python");
        let python = self.python.display();
        let text = format!("#!/bin/sh\nif [ \"$1\" = -c ]; then exec '{python}' \"$@\"; fi\n{lines}\n");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        plan.target = Target::ThisComputer { device: Device::Cpu, python: Some(path) };
    }

    /// The folder of a package of the Python that trains.
    fn package(&self, name: &str) -> PathBuf {
        let code =
            "import importlib.util, sys; print(importlib.util.find_spec(sys.argv[1]).submodule_search_locations[0])";
        let output = Command::new(self.python).args(["-c", code, name]).output().unwrap();
        PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
    }
}

pub(crate) fn failing(cause: &'static str, stage: Stage, plan: Plan) -> Option<Failing> {
    Some(Failing { cause, stage, plan, before: String::new(), after: String::new(), killed: false })
}

/// Files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Whether a shell may do this here; says so where it may not.
fn is_allowed(what: &str, script: &str) -> bool {
    let output = Command::new("sh").args(["-c", script]).output();
    let is_allowed = output.is_ok_and(|output| output.status.success());
    if !is_allowed {
        println!("skipped: {what} is not allowed here");
    }
    is_allowed
}

/// Has the supervisor, and what it starts, see other mounts than everybody else.
fn among_other_mounts(script: &str) -> Option<String> {
    is_allowed("mounting", "unshare -m mount -t tmpfs tmpfs /mnt").then(|| {
        // The shell's own arguments are the supervisor.
        format!("exec unshare -m sh -c '{script}; exec \"$@\"' sh \"$@\"")
    })
}

fn losses_that_are_no_numbers(scene: &Scene<'_>) -> Option<Failing> {
    let (mut plan, _) = scene.training();
    plan.training.epochs = 8;
    // A weight of a loss that no 32-bit number can hold.
    plan.training.extra.insert("box".into(), Scalar::Float(1e39));
    failing("amp_nan_gpu", Stage::Train, plan)
}

fn class_out_of_range(scene: &Scene<'_>) -> Option<Failing> {
    let (plan, folder) = scene.training();
    for label in files(&folder.join("labels")) {
        let text = std::fs::read_to_string(&label).unwrap();
        std::fs::write(&label, format!("{text}7 0.5 0.5 0.1 0.1\n")).unwrap();
    }
    failing("label_class_out_of_range", Stage::Data, plan)
}

fn labels_in_pixels(scene: &Scene<'_>) -> Option<Failing> {
    let (plan, folder) = scene.training();
    for label in files(&folder.join("labels")) {
        std::fs::write(&label, "0 80 80 40 40\n").unwrap();
    }
    failing("label_not_normalized", Stage::Data, plan)
}

fn images_damaged(scene: &Scene<'_>) -> Option<Failing> {
    let (plan, folder) = scene.training();
    for image in files(&folder.join("images")) {
        std::fs::write(&image, "this is no image").unwrap();
    }
    failing("images_corrupt", Stage::Data, plan)
}

fn weights_of_something_else(scene: &Scene<'_>) -> Option<Failing> {
    let (mut plan, _) = scene.training();
    plan.model.weights = Weights::File;
    plan.model.file = scene.folder.join("own.pt");
    // Whole, as far as can be told without loading it, and no model of Ultralytics.
    let code = "import sys, torch; torch.save({'model': None, 'w': torch.zeros(4096)}, sys.argv[1])";
    let saved = Command::new(scene.python).args(["-c", code]).arg(&plan.model.file).status().unwrap();
    assert!(saved.success());
    failing("weights_of_another_trainer", Stage::Start, plan)
}

fn torch_missing(scene: &Scene<'_>) -> Option<Failing> {
    let (mut plan, _) = scene.training();
    scene.trains_after(&mut plan, &format!("exec '{}' -I -S \"$@\"", scene.python.display()));
    failing("package_missing", Stage::Image, plan)
}

fn torchvision_of_another_build(scene: &Scene<'_>) -> Option<Failing> {
    let (mut plan, _) = scene.training();
    let (whole, other) = (scene.package("torchvision"), scene.folder.join("other"));
    std::fs::create_dir(&other).unwrap();
    let copied = Command::new("cp").arg("-r").arg(whole).arg(&other).status().unwrap();
    assert!(copied.success());
    for file in files(&other) {
        if file.extension().is_some_and(|ending| ending == "so") {
            std::fs::remove_file(file).unwrap();
        }
    }
    let lines = format!("PYTHONPATH='{}' exec '{}' \"$@\"", other.display(), scene.python.display());
    scene.trains_after(&mut plan, &lines);
    failing("torchvision_mismatch", Stage::Image, plan)
}

/// The plan of one that lacks memory: more images of more pixels than fit.
fn large(scene: &Scene<'_>) -> Plan {
    let (mut plan, _) = scene.training();
    plan.training.imgsz = 640;
    plan.training.batch = 32;
    plan.training.epochs = 1;
    plan
}

fn address_space_short(scene: &Scene<'_>) -> Option<Failing> {
    let plan = large(scene);
    // What imports need, and little more.
    let before = "export OMP_NUM_THREADS=2\nulimit -v 4000000".to_owned();
    Some(Failing { before, ..failing("host_ram_oom", Stage::Memory, plan)? })
}

fn container_too_small(scene: &Scene<'_>) -> Option<Failing> {
    let plan = large(scene);
    let group = format!("preflight-test-{}-{}", std::process::id(), scene.folder.file_name()?.to_string_lossy());
    let (v1, v2) = (format!("/sys/fs/cgroup/memory/{group}"), format!("/sys/fs/cgroup/{group}"));
    // As a container of 1 GB: its limit, and nothing to swap to.
    let enter = format!(
        "if [ -d /sys/fs/cgroup/memory ]; then
           mkdir -p {v1} && echo 1000000000 > {v1}/memory.limit_in_bytes
           echo 1000000000 > {v1}/memory.memsw.limit_in_bytes 2> /dev/null || true
           echo $$ > {v1}/cgroup.procs
         else
           mkdir -p {v2} && echo 1000000000 > {v2}/memory.max && echo 0 > {v2}/memory.swap.max
           echo $$ > {v2}/cgroup.procs
         fi"
    );
    let after = format!("rmdir {v1} {v2} 2> /dev/null || true");
    let tried = format!("{enter}\ngrep -q {group} /proc/self/cgroup");
    is_allowed("limiting the memory of a group", &tried).then_some(())?;
    Some(Failing { before: enter, after, ..failing("host_ram_oom", Stage::Memory, plan)? })
}

fn disk_of_results_full(scene: &Scene<'_>) -> Option<Failing> {
    let (plan, _) = scene.training();
    let script = "mkdir -p \"$folder/output\"; mount -t tmpfs -o size=2m tmpfs \"$folder/output\"";
    let before = format!("export folder\n{}", among_other_mounts(script)?);
    Some(Failing { before, ..failing("disk_full_saving", Stage::Train, plan)? })
}

fn images_not_permitted(scene: &Scene<'_>) -> Option<Failing> {
    use std::os::unix::fs::PermissionsExt;
    let (plan, folder) = scene.training();
    for image in files(&folder.join("images")) {
        std::fs::set_permissions(&image, std::fs::Permissions::from_mode(0o000)).unwrap();
    }
    // Root reads everything, unless it gives up just that.
    let dropped = "-dac_override,-dac_read_search";
    let drop = format!("setpriv --bounding-set={dropped} --inh-caps={dropped}");
    let before = if rustix::process::geteuid().is_root() {
        is_allowed("giving up rights", &format!("{drop} true")).then(|| format!("exec {drop} \"$@\""))?
    } else {
        String::new()
    };
    Some(Failing { before, ..failing("permission_denied", Stage::Data, plan)? })
}

fn drive_unplugged(scene: &Scene<'_>) -> Option<Failing> {
    let (plan, folder) = scene.training();
    let before = among_other_mounts(&format!("mount -t tmpfs tmpfs \"{}\"", folder.display()))?;
    Some(Failing { before, ..failing("dataset_gone", Stage::Data, plan)? })
}

fn killed_by_somebody(scene: &Scene<'_>) -> Option<Failing> {
    let (mut plan, _) = scene.training();
    plan.training.epochs = 1000;
    Some(Failing { killed: true, ..failing("killed", Stage::Train, plan)? })
}
