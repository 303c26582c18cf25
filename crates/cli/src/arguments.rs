//! What can be typed. Every `about` and `help` here is the id of a sentence: [`crate::help`] puts the words in.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use preflight_core::plan::{Device, Scalar};
use preflight_core::run::RunState;
use preflight_core::text::Language;

use crate::values;

#[derive(Debug, Parser)]
#[command(name = "preflight", version, about = "cli-about", after_help = "cli-exit-codes")]
pub(crate) struct Arguments {
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT", help = "cli-arg-format")]
    pub(crate) format: Format,
    #[arg(long, global = true, value_name = "TAG", value_parser = values::language(), help = "cli-arg-lang")]
    pub(crate) lang: Option<Language>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
    /// A page to keep; only of datasets and diagnoses.
    Html,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(about = "cli-sample")]
    Sample(Sample),
    #[command(about = "cli-dataset")]
    Dataset(Dataset),
    #[command(about = "cli-plan")]
    Plan(Plan),
    #[command(about = "cli-check")]
    Check(Check),
    #[command(about = "cli-trial")]
    Trial(Trial),
    #[command(about = "cli-run")]
    Run(Run),
    #[command(about = "cli-runs", subcommand)]
    Runs(Runs),
    #[command(about = "cli-env", subcommand)]
    Env(Env),
    #[command(about = "cli-weights", subcommand)]
    Weights(Weights),
    #[command(about = "cli-login")]
    Login(Login),
    #[command(about = "cli-logout")]
    Logout(Logout),
    #[command(about = "cli-token", subcommand)]
    Token(Token),
    #[command(about = "cli-quota")]
    Quota(Quota),
    #[command(about = "cli-gpu")]
    Gpu(Gpu),
    #[command(about = "cli-doctor")]
    Doctor(Doctor),
    #[command(about = "cli-vram")]
    Vram(Vram),
    #[command(about = "cli-diagnose")]
    Diagnose(Diagnose),
}

#[derive(Debug, Args)]
pub(crate) struct Sample {
    #[arg(value_name = "DIR", help = "cli-arg-sample-dir")]
    pub(crate) dir: PathBuf,
    #[arg(long, value_name = "FILE", help = "cli-arg-sample-plan")]
    pub(crate) plan: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Dataset {
    #[arg(value_name = "PATH", help = "cli-arg-dataset")]
    pub(crate) path: PathBuf,
    #[arg(long, value_enum, value_name = "TASK", help = "cli-arg-task")]
    pub(crate) task: Option<Task>,
    #[arg(long, value_enum, value_name = "FORM", requires = "to", help = "cli-arg-convert")]
    pub(crate) convert: Option<Form>,
    #[arg(long, value_name = "DIR", help = "cli-arg-to")]
    pub(crate) to: Option<PathBuf>,
    #[arg(long, help = "cli-arg-deep")]
    pub(crate) deep: bool,
    #[arg(long, value_name = "PIXELS", value_parser = values::positive, allow_negative_numbers = true, default_value = "640", help = "cli-arg-deep-imgsz")]
    pub(crate) imgsz: u32,
    #[arg(long, value_name = "FILE", help = "cli-arg-manifest")]
    pub(crate) manifest: Option<PathBuf>,
    #[arg(long, value_name = "DIR", help = "cli-arg-fix-to")]
    pub(crate) fix_to: Option<PathBuf>,
    #[arg(long, value_name = "PERCENT", value_parser = values::whole, allow_negative_numbers = true, default_value = "20", help = "cli-arg-val")]
    pub(crate) val: u32,
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true, default_value = "0", help = "cli-arg-val-seed")]
    pub(crate) seed: u32,
    #[arg(long, value_name = "PIXELS", value_parser = values::positive, allow_negative_numbers = true, requires = "fix_to", help = "cli-arg-tile")]
    pub(crate) tile: Option<u32>,
    #[arg(long, short, help = "cli-arg-yes-fix")]
    pub(crate) yes: bool,
    #[arg(long, help = "cli-arg-strict")]
    pub(crate) strict: bool,
}

/// What a model learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Task {
    Detect,
    Segment,
    Pose,
    Obb,
    Classify,
}

impl From<Task> for preflight_core::dataset::Task {
    fn from(task: Task) -> Self {
        match task {
            Task::Detect => Self::Detect,
            Task::Segment => Self::Segment,
            Task::Pose => Self::Pose,
            Task::Obb => Self::Obb,
            Task::Classify => Self::Classify,
        }
    }
}

/// What a dataset can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Yolo,
}

#[derive(Debug, Args)]
pub(crate) struct Plan {
    #[arg(long, value_name = "PATH", help = "cli-arg-dataset")]
    pub(crate) dataset: PathBuf,
    #[arg(long, value_name = "NAME", value_parser = values::model, default_value = "yolov8n", help = "cli-arg-model")]
    pub(crate) model: String,
    #[arg(long, value_name = "WEIGHTS", default_value = "pretrained", help = "cli-arg-weights")]
    pub(crate) weights: PathBuf,
    #[arg(long, value_name = "PIXELS", value_parser = values::positive, allow_negative_numbers = true, default_value = "640", help = "cli-arg-imgsz")]
    pub(crate) imgsz: u32,
    #[arg(long, value_name = "IMAGES", value_parser = values::positive, allow_negative_numbers = true, default_value = "16", help = "cli-arg-batch")]
    pub(crate) batch: u32,
    #[arg(long, value_name = "N", value_parser = values::positive, allow_negative_numbers = true, default_value = "100", help = "cli-arg-epochs")]
    pub(crate) epochs: u32,
    #[arg(long, value_name = "DEVICE", value_parser = values::device, default_value = "auto", help = "cli-arg-device")]
    pub(crate) device: Device,
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true, help = "cli-arg-workers")]
    pub(crate) workers: Option<u32>,
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true, default_value = "0", help = "cli-arg-seed")]
    pub(crate) seed: u32,
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::setting, help = "cli-arg-set")]
    pub(crate) extra: Vec<(String, Scalar)>,
    #[arg(long, value_name = "PATH", help = "cli-arg-python")]
    pub(crate) python: Option<PathBuf>,
    #[arg(long, short, value_name = "FILE", help = "cli-arg-output")]
    pub(crate) output: Option<PathBuf>,
}

/// What decides whether a plan may start.
#[derive(Debug, Args)]
pub(crate) struct Judgement {
    #[arg(long, help = "cli-arg-strict")]
    pub(crate) strict: bool,
    #[arg(long, value_name = "CODE", help = "cli-arg-start-anyway")]
    pub(crate) start_anyway: Vec<String>,
    #[arg(long, help = "cli-arg-trust-python")]
    pub(crate) trust_python: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[arg(value_name = "PLAN", help = "cli-arg-plan")]
    pub(crate) plan: PathBuf,
    #[arg(long, value_name = "BASE_URL", help = "cli-arg-check-url")]
    pub(crate) url: Option<String>,
    #[arg(long, value_name = "NAME|FILE.toml", requires = "url", help = "cli-arg-connector")]
    pub(crate) connector: Option<String>,
    #[command(flatten)]
    pub(crate) judgement: Judgement,
}

#[derive(Debug, Args)]
pub(crate) struct Trial {
    #[arg(value_name = "PLAN", help = "cli-arg-plan")]
    pub(crate) plan: PathBuf,
    #[arg(long, help = "cli-arg-trust-python")]
    pub(crate) trust_python: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[arg(value_name = "PLAN", help = "cli-arg-plan")]
    pub(crate) plan: PathBuf,
    #[arg(long, short, help = "cli-arg-follow-run")]
    pub(crate) follow: bool,
    #[arg(long, help = "cli-arg-when-free")]
    pub(crate) when_free: bool,
    #[command(flatten)]
    pub(crate) judgement: Judgement,
    #[arg(long, short, help = "cli-arg-yes-run")]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Runs {
    #[command(about = "cli-runs-list")]
    List {
        #[arg(long, value_name = "TEXT", help = "cli-arg-search")]
        search: Option<String>,
        #[arg(long = "state", value_name = "STATE", value_parser = values::state(), help = "cli-arg-state")]
        states: Vec<RunState>,
    },
    #[command(about = "cli-runs-show")]
    Show {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
    },
    #[command(about = "cli-runs-logs")]
    Logs {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
        #[arg(long, short, help = "cli-arg-follow-logs")]
        follow: bool,
    },
    #[command(about = "cli-runs-pause")]
    Pause {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
        #[arg(long, help = "cli-arg-pause-now")]
        now: bool,
    },
    #[command(about = "cli-runs-resume")]
    Resume(Resume),
    #[command(about = "cli-runs-cancel")]
    Cancel {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
    },
    #[command(about = "cli-runs-try")]
    Try {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
        #[arg(value_name = "IMAGE", required = true, help = "cli-arg-images")]
        images: Vec<PathBuf>,
        #[arg(long, value_name = "SHARE", value_parser = values::share, default_value = "0.25", help = "cli-arg-conf")]
        conf: f64,
    },
    #[command(about = "cli-runs-export")]
    Export {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
        #[arg(long, value_name = "FILE", help = "cli-arg-export-to")]
        to: Option<PathBuf>,
        #[arg(long, short, help = "cli-arg-yes-export")]
        yes: bool,
    },
    #[command(about = "cli-runs-bundle")]
    Bundle {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
        #[arg(long, value_name = "FILE", help = "cli-arg-bundle-to")]
        to: Option<PathBuf>,
    },
    #[command(about = "cli-runs-note")]
    Note {
        #[arg(value_name = "ID", help = "cli-arg-run")]
        id: String,
        #[arg(value_name = "TEXT", help = "cli-arg-note")]
        text: Option<String>,
    },
    #[command(about = "cli-runs-delete")]
    Delete {
        #[arg(value_name = "ID", required = true, help = "cli-arg-runs")]
        ids: Vec<String>,
        #[arg(long, short, help = "cli-arg-yes")]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Resume {
    #[arg(value_name = "ID", help = "cli-arg-run")]
    pub(crate) id: String,
    #[arg(long, value_name = "IMAGES", value_parser = values::positive, allow_negative_numbers = true, help = "cli-arg-resume-batch")]
    pub(crate) batch: Option<u32>,
    #[arg(long, value_name = "PIXELS", value_parser = values::positive, allow_negative_numbers = true, help = "cli-arg-resume-imgsz")]
    pub(crate) imgsz: Option<u32>,
    #[arg(long, value_name = "DEVICE", value_parser = values::device, help = "cli-arg-resume-device")]
    pub(crate) device: Option<Device>,
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true, help = "cli-arg-resume-workers")]
    pub(crate) workers: Option<u32>,
    #[arg(long, value_name = "PATH", help = "cli-arg-resume-dataset")]
    pub(crate) dataset: Option<PathBuf>,
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::setting, help = "cli-arg-resume-set")]
    pub(crate) extra: Vec<(String, Scalar)>,
    /// There to be refused with the reason.
    #[arg(long, hide = true)]
    pub(crate) epochs: Option<u32>,
    #[arg(long, short, help = "cli-arg-follow-run")]
    pub(crate) follow: bool,
}

/// A way into a platform.
#[derive(Debug, Args)]
pub(crate) struct Login {
    #[arg(value_name = "PROFILE", help = "cli-arg-profile")]
    pub(crate) profile: String,
    #[arg(long, value_name = "BASE_URL", help = "cli-arg-login-url")]
    pub(crate) url: Option<String>,
    #[arg(long, value_name = "NAME|FILE.toml", requires = "url", help = "cli-arg-connector")]
    pub(crate) connector: Option<String>,
    #[arg(long, value_enum, value_name = "PLACE", help = "cli-arg-keep")]
    pub(crate) keep: Option<Keep>,
    #[arg(long, value_name = "URL", requires = "url", help = "cli-arg-issuer")]
    pub(crate) issuer: Option<String>,
    #[arg(long, value_name = "ID", requires = "url", help = "cli-arg-client-id")]
    pub(crate) client_id: Option<String>,
    #[arg(long, help = "cli-arg-login-device")]
    pub(crate) device: bool,
    #[arg(long, conflicts_with = "device", help = "cli-arg-paste")]
    pub(crate) paste: bool,
}

/// Where a token can be kept from one command to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    Keychain,
    File,
}

impl From<Keep> for preflight_engine::account::Keep {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::Keychain => Self::Keychain,
            Keep::File => Self::File,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Logout {
    #[arg(value_name = "PROFILE", help = "cli-arg-profile")]
    pub(crate) profile: String,
    #[arg(long, help = "cli-arg-forget")]
    pub(crate) forget: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    #[command(about = "cli-token-status")]
    Status {
        #[arg(value_name = "PROFILE", help = "cli-arg-profile")]
        profile: Option<String>,
    },
}

/// An account whose budget is asked for.
#[derive(Debug, Args)]
pub(crate) struct Quota {
    #[arg(value_name = "PROFILE", required_unless_present = "url", conflicts_with = "url", help = "cli-arg-profile")]
    pub(crate) profile: Option<String>,
    #[arg(long, value_name = "BASE_URL", help = "cli-arg-platform-url")]
    pub(crate) url: Option<String>,
    #[arg(long, value_name = "NAME|FILE.toml", requires = "url", help = "cli-arg-connector")]
    pub(crate) connector: Option<String>,
    #[arg(long, help = "cli-arg-strict")]
    pub(crate) strict: bool,
}

/// A training, as far as its memory depends on it.
#[derive(Debug, Args)]
pub(crate) struct Vram {
    #[arg(long, value_name = "NAME", default_value = "yolov8n", help = "cli-arg-vram-model")]
    pub(crate) model: String,
    #[arg(long, value_enum, value_name = "TASK", help = "cli-arg-vram-task")]
    pub(crate) task: Option<Task>,
    #[arg(long, value_name = "PIXELS", value_parser = values::positive, allow_negative_numbers = true, default_value = "640", help = "cli-arg-imgsz")]
    pub(crate) imgsz: u32,
    #[arg(long, value_name = "IMAGES", value_parser = values::positive, allow_negative_numbers = true, default_value = "16", help = "cli-arg-batch")]
    pub(crate) batch: u32,
    #[arg(long, action = ArgAction::Set, value_name = "on|off", value_parser = values::switch, default_value = "on", help = "cli-arg-amp")]
    pub(crate) amp: bool,
    #[arg(long, value_name = "NAME", default_value = "auto", help = "cli-arg-optimizer")]
    pub(crate) optimizer: String,
    #[arg(long, value_name = "N", value_parser = values::positive, allow_negative_numbers = true, help = "cli-arg-classes")]
    pub(crate) nc: Option<u32>,
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true, help = "cli-arg-max-boxes")]
    pub(crate) max_boxes: Option<u32>,
    #[arg(long, value_name = "N", value_parser = values::amount, allow_negative_numbers = true, help = "cli-arg-boxes-per-image")]
    pub(crate) boxes_per_image: Option<f64>,
    #[arg(long, value_name = "SHARE", value_parser = values::amount, allow_negative_numbers = true, default_value = "0", help = "cli-arg-multi-scale")]
    pub(crate) multi_scale: f64,
    #[arg(long, value_name = "VERSION", help = "cli-arg-ultralytics")]
    pub(crate) ultralytics: Option<String>,
    #[arg(long, value_name = "NAME", help = "cli-arg-gpu-name")]
    pub(crate) gpu: Option<String>,
    #[arg(long, value_name = "GIB", value_parser = values::amount, allow_negative_numbers = true, help = "cli-arg-gpu-memory")]
    pub(crate) memory: Option<f64>,
    #[arg(long, value_name = "N", value_parser = values::positive, allow_negative_numbers = true, default_value = "1", help = "cli-arg-gpus")]
    pub(crate) gpus: u32,
    #[arg(long, help = "cli-arg-no-calibration")]
    pub(crate) no_calibration: bool,
    #[arg(long, value_enum, help = "cli-arg-solve")]
    pub(crate) solve: Option<Solve>,
    #[arg(long, value_name = "FILE.csv", conflicts_with = "solve", help = "cli-arg-rows")]
    pub(crate) rows: Option<PathBuf>,
    /// For fitting the constants: what they are multiplied with, instead of estimates.
    #[arg(long, requires = "rows", hide = true, help = "cli-arg-rows")]
    pub(crate) terms: bool,
    #[arg(long, value_name = "PATH", help = "cli-arg-vram-python")]
    pub(crate) python: Option<PathBuf>,
}

/// A training that has ended, or goes strangely.
#[derive(Debug, Args)]
pub(crate) struct Diagnose {
    #[arg(value_name = "LOG", required_unless_present = "rows", help = "cli-arg-log")]
    pub(crate) log: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = "cli-arg-facts")]
    pub(crate) facts: Option<PathBuf>,
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["log", "facts"], help = "cli-arg-diagnose-rows")]
    pub(crate) rows: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Gpu {
    #[arg(long, short, help = "cli-arg-watch")]
    pub(crate) watch: bool,
    #[arg(long, value_name = "N", value_parser = values::positive, allow_negative_numbers = true, requires = "watch", help = "cli-arg-times")]
    pub(crate) times: Option<u32>,
}

/// A look at the computer alone.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[arg(long, help = "cli-arg-without-computing")]
    pub(crate) without_computing: bool,
    #[arg(long, help = "cli-arg-strict")]
    pub(crate) strict: bool,
}

/// What is asked for, instead of what is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Solve {
    Batch,
    Imgsz,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Env {
    #[command(about = "cli-env-list")]
    List,
    #[command(about = "cli-env-create")]
    Create(Make),
    #[command(about = "cli-env-repair")]
    Repair(Make),
    #[command(about = "cli-env-export")]
    Export {
        #[arg(value_name = "KIT", help = "cli-arg-kit-to")]
        kit: PathBuf,
        #[arg(long = "weights", value_name = "MODEL", value_parser = values::model, help = "cli-arg-kit-weights")]
        weights: Vec<String>,
    },
    #[command(about = "cli-env-import")]
    Import {
        #[arg(value_name = "KIT", help = "cli-arg-kit")]
        kit: PathBuf,
    },
    #[command(about = "cli-env-remove")]
    Remove {
        #[arg(long, short, help = "cli-arg-yes")]
        yes: bool,
    },
}

/// How the training environment is made.
#[derive(Debug, Args)]
pub(crate) struct Make {
    #[arg(long, value_name = "VERSION", value_parser = values::cuda, help = "cli-arg-cuda")]
    pub(crate) cuda: Option<String>,
    #[arg(long, conflicts_with = "cuda", help = "cli-arg-cpu")]
    pub(crate) cpu: bool,
    #[arg(long, short, help = "cli-arg-yes")]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Weights {
    #[command(about = "cli-weights-list")]
    List,
    #[command(about = "cli-weights-fetch")]
    Fetch {
        #[arg(value_name = "MODEL", value_parser = values::model, help = "cli-arg-weights-model")]
        model: String,
        #[arg(long, help = "cli-arg-again")]
        again: bool,
    },
    #[command(about = "cli-weights-verify")]
    Verify {
        #[arg(value_name = "MODEL|FILE", help = "cli-arg-weights-file")]
        files: Vec<PathBuf>,
    },
    #[command(about = "cli-weights-remove")]
    Remove {
        #[arg(value_name = "MODEL", value_parser = values::model, help = "cli-arg-weights-model")]
        model: String,
    },
}
