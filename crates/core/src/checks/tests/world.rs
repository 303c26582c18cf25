//! A world in which all is well, and what goes wrong in it.

use std::path::PathBuf;

use crate::dataset::{Dataset, Split, SplitKind, Task};
use crate::environment::{Environment, EnvironmentState};
use crate::experience::Experience;
use crate::facts::{BUSY_ABOVE, Fact, Facts, WeightsState};
use crate::forecast::{Seen, forecast};
use crate::machine::{
    Adapter, Computer, DeviceFile, Gpu, GpuDetails, GpuLibrary, GpuMemory, GpuProcess, GpuSource, Gpus, KernelModule,
    Surroundings, Swap, Vendor, Volume,
};
use crate::memory::Interval;
use crate::plan::{Device, Plan, Scalar, Target, Weights};
use crate::problem::Problem;
use crate::text::Message;
use crate::weights::{Checkpoint, Contents};

const GIB: u64 = 1 << 30;

/// Two cards with an environment made for them, a small dataset, a disk with room.
pub(super) fn facts() -> Facts {
    Facts {
        account: None,
        dataset: Fact::Known(dataset(128)),
        gpus: Fact::Known(gpus(vec![card(0, 12, 0), card(1, 24, 0)])),
        computer: Fact::Known(Computer {
            os: "linux".to_owned(),
            os_name: "Debian 12".to_owned(),
            cpu: "AMD Ryzen 7 5800X".to_owned(),
            cores: 16,
            memory_total: 32 * GIB,
            memory_available: 24 * GIB,
            apple_gpu: false,
        }),
        volume: Fact::Known(Volume {
            path: PathBuf::from("/home/ann/.local/share/yolo-preflight"),
            free: 100 * GIB,
            total: 500 * GIB,
            write_error: None,
        }),
        environment: Fact::Known(EnvironmentState::Ready { environment: environment() }),
        weights: Fact::Known(weights("/weights/yolov8n.pt", checkpoint())),
        own_model: Fact::Known(None),
        experience: Experience::default(),
        surroundings: Fact::Known(surroundings()),
        busy_above: BUSY_ABOVE,
    }
}

/// A desktop with both cards on the bus, enough of everything.
pub(super) fn surroundings() -> Surroundings {
    let adapter =
        |pci: &str| Adapter { vendor: Vendor::Nvidia, pci: pci.to_owned(), driver: Some("nvidia".to_owned()) };
    let file = |path: &str| DeviceFile { path: path.to_owned(), usable: true };
    let files = ["/dev/nvidia-uvm", "/dev/nvidia0", "/dev/nvidia1", "/dev/nvidiactl"];
    Surroundings {
        visible_devices: None,
        device_order: None,
        kernel_module: Fact::Known(KernelModule::Loaded { version: "580.95.05".to_owned(), open: true }),
        secure_boot: Fact::Known(false),
        device_files: Fact::Known(files.map(file).to_vec()),
        xids: Fact::Known(Vec::new()),
        wsl: false,
        container: false,
        adapters: Fact::Known(vec![adapter("0000:01:00.0"), adapter("0000:02:00.0")]),
        swap: Fact::Known(Swap { total: 2 * GIB, free: 2 * GIB }),
        shared_memory: Fact::Known(Volume {
            path: PathBuf::from("/dev/shm"),
            free: 16 * GIB,
            total: 16 * GIB,
            write_error: None,
        }),
        volumes: Vec::new(),
        open_files: Fact::Known(1_024),
        watches: Fact::Known(65_536),
        load: Fact::Known(0.4),
        clock_ms: 1_796_000_000_000,
    }
}

fn weights(path: &str, checkpoint: Checkpoint) -> WeightsState {
    WeightsState::Present {
        path: PathBuf::from(path),
        bytes: 6_549_796,
        holds: Contents::Model { checkpoint },
        changed: false,
    }
}

/// As Ultralytics publishes it.
fn checkpoint() -> Checkpoint {
    Checkpoint {
        task: Some(Task::Detect),
        classes: 80,
        model: Some("yolov8n".to_owned()),
        parameters: 3_157_200,
        unfinished: false,
    }
}

/// Another model, with its weights.
fn model(facts: &mut Facts, plan: &mut Plan, name: &str) {
    plan.model.name = name.to_owned();
    if let Fact::Known(WeightsState::Present { holds: Contents::Model { checkpoint }, .. }) = &mut facts.weights {
        checkpoint.model = Some(name.to_owned());
    }
}

fn dataset(images: u32) -> Dataset {
    let split = |kind, images| Split {
        kind,
        sources: Vec::new(),
        images,
        labelled: images,
        background: 0,
        corrupt: 0,
        instances: images * 4,
        class_instances: vec![images * 4],
        sides: Some((640, 640)),
    };
    Dataset {
        root: PathBuf::from("/data/plates"),
        yaml: Some(PathBuf::from("/data/plates/data.yaml")),
        task: Task::Detect,
        names: vec!["scratch".to_owned(), "dent".to_owned()],
        keypoints: None,
        channels: 3,
        splits: vec![split(SplitKind::Train, images), split(SplitKind::Val, images / 4)],
        most_boxes: 12,
        findings: Vec::new(),
        took_ms: 12,
    }
}

pub(super) fn gpus(cards: Vec<Gpu>) -> Gpus {
    Gpus {
        library: GpuLibrary::Answers,
        source: GpuSource::Nvml,
        driver: Fact::Known("580.95.05".to_owned()),
        cuda: Fact::Known((13, 0)),
        cards,
    }
}

fn broken_driver(library: GpuLibrary) -> Fact<Gpus> {
    Fact::Known(Gpus {
        library,
        source: GpuSource::Nvml,
        driver: Fact::unknown("reason-gpu-not-supported"),
        cuda: Fact::unknown("reason-gpu-not-supported"),
        cards: Vec::new(),
    })
}

pub(super) fn not_installed() -> Fact<Gpus> {
    broken_driver(GpuLibrary::NotInstalled)
}

pub(super) fn failed(why: &str, message: &str) -> Fact<Gpus> {
    broken_driver(GpuLibrary::Failed { why: why.to_owned(), message: message.to_owned() })
}

pub(super) fn card(index: u32, gib: u64, used_gib: u64) -> Gpu {
    Gpu {
        index,
        uuid: Fact::Known(format!("GPU-{index}")),
        name: Fact::Known(format!("NVIDIA GeForce RTX {}", if gib > 12 { 4090 } else { 3060 })),
        memory: Fact::Known(GpuMemory { total: gib * GIB, used: used_gib * GIB, free: (gib - used_gib) * GIB }),
        compute_capability: Fact::Known((8, 6)),
        utilization: Fact::Known(0),
        temperature: Fact::Known(40),
        processes: Fact::Known(Vec::new()),
        details: Box::new(GpuDetails::not_asked()),
    }
}

pub(super) fn process(pid: u32, name: &str, gib: u64) -> GpuProcess {
    GpuProcess { pid, name: Fact::Known(name.to_owned()), memory: Fact::Known(gib * GIB), own: false, run: None }
}

fn environment() -> Environment {
    Environment {
        python: PathBuf::from("/home/ann/.local/share/yolo-preflight/environment/bin/python"),
        managed: true,
        python_version: "3.12.8".to_owned(),
        ultralytics: "8.4.190".to_owned(),
        torch: "2.15.0+cu130".to_owned(),
        torchvision: "0.29.2+cu130".to_owned(),
        torch_cuda: Some("13.0".to_owned()),
        architectures: ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120", "compute_120"]
            .map(str::to_owned)
            .to_vec(),
        cuda_available: true,
    }
}

pub(super) fn plan() -> Plan {
    Plan { dataset: PathBuf::from("/data/plates/data.yaml"), ..Plan::default() }
}

pub(super) fn on(device: &str) -> impl Fn(&mut Facts, &mut Plan) {
    let device: Device = device.parse().unwrap();
    move |_, plan| {
        let Target::ThisComputer { device: chosen, .. } = &mut plan.target else { panic!("a plan for this computer") };
        *chosen = device.clone();
    }
}

pub(super) type Change<'a> = Box<dyn Fn(&mut Facts, &mut Plan) + 'a>;

/// Two cards of one kind, and both are to train.
pub(super) fn two_alike(facts: &mut Facts, plan: &mut Plan) {
    on("gpu:0,1")(facts, plan);
    facts.gpus = Fact::Known(gpus(vec![card(0, 24, 0), card(1, 24, 0)]));
}

/// What goes wrong, one thing at a time.
pub(super) fn cases() -> Vec<(&'static str, Change<'static>)> {
    fn with_card(change: impl Fn(&mut Gpu) + 'static) -> Change<'static> {
        Box::new(move |facts, plan| {
            on("gpu:0")(facts, plan);
            if let Fact::Known(gpus) = &mut facts.gpus {
                change(&mut gpus.cards[0]);
            }
        })
    }
    fn with_environment(change: impl Fn(&mut Environment) + 'static) -> Change<'static> {
        Box::new(move |facts, _| {
            let mut environment = environment();
            change(&mut environment);
            facts.environment = Fact::Known(EnvironmentState::Ready { environment });
        })
    }
    fn with_dataset(change: impl Fn(&mut Dataset) + 'static) -> Change<'static> {
        with_facts(move |facts| {
            if let Fact::Known(dataset) = &mut facts.dataset {
                change(dataset);
            }
        })
    }
    fn with_weights(change: impl Fn(&mut Contents, &mut bool) + 'static) -> Change<'static> {
        with_facts(move |facts| {
            if let Fact::Known(WeightsState::Present { holds, changed, .. }) = &mut facts.weights {
                change(holds, changed);
            }
        })
    }
    fn with_checkpoint(change: impl Fn(&mut Checkpoint) + 'static) -> Change<'static> {
        with_weights(move |holds, _| {
            if let Contents::Model { checkpoint } = holds {
                change(checkpoint);
            }
        })
    }
    fn own_file(other: Change<'static>) -> Change<'static> {
        Box::new(move |facts, plan| {
            plan.model.weights = Weights::File;
            other(facts, plan);
        })
    }
    fn with_plan(change: impl Fn(&mut Plan) + 'static) -> Change<'static> {
        Box::new(move |_, plan| change(plan))
    }
    fn with_facts(change: impl Fn(&mut Facts) + 'static) -> Change<'static> {
        Box::new(move |facts, _| change(facts))
    }
    fn on_processor(change: impl Fn(&mut Facts, &mut Plan) + 'static) -> Change<'static> {
        Box::new(move |facts, plan| {
            on("cpu")(facts, plan);
            change(facts, plan);
        })
    }
    /// Memory on the processor, set by what the training needs.
    fn with_memory(free: impl Fn(Interval) -> u64 + 'static) -> Change<'static> {
        on_processor(move |facts, plan| {
            let need = forecast(plan, Seen::of(facts)).unwrap().estimate.need;
            if let Fact::Known(computer) = &mut facts.computer {
                computer.memory_available = free(need);
            }
        })
    }
    /// A card's memory in all and in use, set by what the training needs.
    fn with_card_of(memory: impl Fn(Interval) -> (u64, u64) + 'static) -> Change<'static> {
        Box::new(move |facts, plan| {
            on("gpu:0")(facts, plan);
            let need = forecast(plan, Seen::of(facts)).unwrap().estimate.need;
            let (total, used) = memory(need);
            if let Fact::Known(gpus) = &mut facts.gpus {
                gpus.cards[0].memory = Fact::Known(GpuMemory { total, used, free: total - used });
            }
        })
    }
    vec![
        ("all is well", with_plan(|_| ())),
        ("all is well, on two cards", Box::new(two_alike)),
        // gpu_pool
        ("cards cannot be looked at", with_facts(|facts| facts.gpus = Fact::unknown("reason-still-looking"))),
        ("a card that does not exist", Box::new(on("gpu:7"))),
        (
            "a card that does not tell its memory",
            with_card(|card| card.memory = Fact::unknown("reason-gpu-not-supported")),
        ),
        (
            "a busy card, with another one free",
            with_card(|first| {
                *first = card(0, 12, 11);
                first.processes = Fact::Known(vec![process(71, "Xorg", 1), process(70, "python3", 10)]);
            }),
        ),
        ("a card on which another program computes", with_card(|card| card.utilization = Fact::Known(98))),
        (
            "a card partly in use, by a process without a name",
            with_card(|first| {
                *first = card(0, 12, 2);
                first.processes = Fact::Known(vec![GpuProcess {
                    pid: 72,
                    name: Fact::unknown("reason-process-hidden"),
                    memory: Fact::unknown("reason-gpu-memory-not-told"),
                    own: false,
                    run: None,
                }]);
            }),
        ),
        (
            "the processor, without a dataset",
            on_processor(|facts, _| facts.dataset = Fact::unknown("reason-still-looking")),
        ),
        ("the processor, a small dataset", on_processor(|_, plan| plan.training.epochs = 3)),
        (
            "the processor, a large dataset, with cards at hand",
            on_processor(|facts, _| facts.dataset = Fact::Known(dataset(4_000))),
        ),
        (
            "no card, and a dataset that takes the processor days",
            Box::new(|facts, plan| {
                facts.gpus = broken_driver(GpuLibrary::NotInstalled);
                facts.dataset = Fact::Known(dataset(50_000));
                model(facts, plan, "yolov8x");
            }),
        ),
        // driver
        (
            "a card is chosen without a driver",
            Box::new(|facts, plan| {
                on("gpu:0")(facts, plan);
                facts.gpus = broken_driver(GpuLibrary::NotInstalled);
            }),
        ),
        (
            "the driver is not loaded, a card is chosen",
            Box::new(|facts, plan| {
                on("gpu:0")(facts, plan);
                facts.gpus = failed("driver-not-loaded", "NVIDIA driver is not loaded");
            }),
        ),
        (
            "the driver is not loaded, the processor may train",
            with_facts(|facts| {
                facts.gpus = failed("driver-not-loaded", "NVIDIA driver is not loaded");
            }),
        ),
        (
            "driver and library differ",
            Box::new(|facts, plan| {
                on("gpu:0")(facts, plan);
                facts.gpus = failed("version-mismatch", "RM detects a driver/library version mismatch");
            }),
        ),
        (
            "no right to use the card",
            Box::new(|facts, plan| {
                on("gpu:0")(facts, plan);
                facts.gpus = failed("no-permission", "the current user does not have permission");
            }),
        ),
        (
            "the driver fails otherwise",
            Box::new(|facts, plan| {
                on("gpu:0")(facts, plan);
                facts.gpus = failed("other", "an internal driver error occurred");
            }),
        ),
        (
            "torch for the processor only",
            with_environment(|environment| {
                environment.torch = "2.15.0+cpu".to_owned();
                environment.torch_cuda = None;
                environment.cuda_available = false;
                environment.architectures.clear();
            }),
        ),
        (
            "a driver older than torch's CUDA",
            with_facts(|facts| {
                if let Fact::Known(gpus) = &mut facts.gpus {
                    gpus.driver = Fact::Known("535.183.01".to_owned());
                    gpus.cuda = Fact::Known((12, 2));
                }
                if let Fact::Known(EnvironmentState::Ready { environment }) = &mut facts.environment {
                    environment.cuda_available = false;
                }
            }),
        ),
        (
            "a driver of the same major version",
            Box::new(|facts, plan| {
                with_environment(|environment| environment.torch_cuda = Some("12.8".to_owned()))(facts, plan);
                if let Fact::Known(gpus) = &mut facts.gpus {
                    gpus.cuda = Fact::Known((12, 2));
                }
            }),
        ),
        ("a card too old for torch", with_card(|card| card.compute_capability = Fact::Known((6, 1)))),
        (
            "a card too new for torch",
            Box::new(|facts, plan| {
                with_environment(|environment| {
                    environment.architectures = vec!["sm_80".to_owned(), "sm_90".to_owned()];
                })(facts, plan);
                with_card(|card| card.compute_capability = Fact::Known((12, 0)))(facts, plan);
            }),
        ),
        (
            "torch finds no card",
            with_environment(|environment| {
                environment.cuda_available = false;
                environment.managed = false;
            }),
        ),
        // image
        (
            "the environment cannot be looked at",
            with_facts(|facts| facts.environment = Fact::unknown("reason-still-looking")),
        ),
        ("no environment", with_facts(|facts| facts.environment = Fact::Known(EnvironmentState::Missing))),
        (
            "no Python where the plan says",
            Box::new(|facts, plan| {
                facts.environment = Fact::Known(EnvironmentState::Missing);
                let Target::ThisComputer { python, .. } = &mut plan.target else { panic!("a plan for this computer") };
                *python = Some(PathBuf::from("/opt/torch/bin/python"));
            }),
        ),
        (
            "a broken environment of a person's own",
            with_facts(|facts| {
                facts.environment = Fact::Known(EnvironmentState::Broken {
                    python: PathBuf::from("/opt/torch/bin/python"),
                    managed: false,
                    problem: Problem::new("environment.no-answer").because_text("ImportError: libcudart.so.13"),
                });
            }),
        ),
        (
            "a Python that nobody here knows",
            with_facts(|facts| {
                facts.environment = Fact::Known(EnvironmentState::Broken {
                    python: PathBuf::from("/mnt/usb/python"),
                    managed: false,
                    problem: Problem::new(crate::environment::NOT_ACCEPTED).with("path", "/mnt/usb/python"),
                });
            }),
        ),
        (
            "Ultralytics is older than the model",
            Box::new(|facts, plan| {
                with_environment(|environment| environment.ultralytics = "8.3.40".to_owned())(facts, plan);
                model(facts, plan, "yolo26s");
            }),
        ),
        ("an unknown model", Box::new(|facts, plan| model(facts, plan, "yolov99n"))),
        (
            "an own file of an unknown model",
            Box::new(|facts, plan| {
                model(facts, plan, "yolov99n");
                plan.model.weights = Weights::File;
            }),
        ),
        ("weights cannot be looked at", with_facts(|facts| facts.weights = Fact::unknown("reason-no-answer"))),
        (
            "from scratch",
            Box::new(|facts, plan| {
                facts.weights = Fact::Known(WeightsState::NotNeeded);
                plan.model.weights = Weights::Scratch;
            }),
        ),
        (
            "pretrained weights that are not here",
            with_facts(|facts| {
                facts.weights = Fact::Known(WeightsState::Missing { path: PathBuf::from("/weights/yolov8n.pt") });
            }),
        ),
        (
            "an own file that was not chosen",
            Box::new(|facts, plan| {
                facts.weights = Fact::Known(WeightsState::Missing { path: PathBuf::new() });
                plan.model.weights = Weights::File;
            }),
        ),
        (
            "an own file that is gone",
            Box::new(|facts, plan| {
                facts.weights = Fact::Known(WeightsState::Missing { path: PathBuf::from("/data/mine.pt") });
                plan.model.weights = Weights::File;
            }),
        ),
        (
            "damaged weights",
            with_facts(|facts| {
                let why = Message::new("reason-system-error").with("error", "unexpected end of file");
                facts.weights =
                    Fact::Known(WeightsState::Unreadable { path: PathBuf::from("/weights/yolov8n.pt"), why });
            }),
        ),
        (
            "a damaged own file",
            Box::new(|facts, plan| {
                let why = Message::new("reason-system-error").with("error", "unexpected end of file");
                facts.weights = Fact::Known(WeightsState::Unreadable { path: PathBuf::from("/data/mine.pt"), why });
                plan.model.weights = Weights::File;
            }),
        ),
        ("weights that are no longer what came down", with_weights(|_, changed| *changed = true)),
        (
            "another model under the right name",
            with_checkpoint(|checkpoint| checkpoint.model = Some("yolov8s".to_owned())),
        ),
        (
            "another size under the right name, in a file that does not say what it is",
            with_checkpoint(|checkpoint| (checkpoint.model, checkpoint.parameters) = (None, 11_166_560)),
        ),
        (
            "weights with foreign parts",
            with_weights(|holds, _| *holds = Contents::Foreign { names: vec!["os.system".to_owned()] }),
        ),
        ("weights without a model", with_weights(|holds, _| *holds = Contents::NoModel)),
        ("an own file with outlines", own_file(with_checkpoint(|checkpoint| checkpoint.task = Some(Task::Segment)))),
        (
            "an own file with outlines, as the dataset has them",
            own_file(Box::new(|facts, plan| {
                with_checkpoint(|checkpoint| checkpoint.task = Some(Task::Segment))(facts, plan);
                with_dataset(|dataset| dataset.task = Task::Segment)(facts, plan);
            })),
        ),
        ("an own file of something else", own_file(with_checkpoint(|checkpoint| checkpoint.task = None))),
        (
            "an own file of another size, from a training that was not finished",
            own_file(with_checkpoint(|checkpoint| {
                checkpoint.model = Some("yolo11m".to_owned());
                checkpoint.unfinished = true;
            })),
        ),
        // data
        ("no dataset", with_plan(|plan| plan.dataset = PathBuf::new())),
        ("a dataset that is being read", with_facts(|facts| facts.dataset = Fact::unknown("reason-still-looking"))),
        (
            "a dataset that cannot be read",
            with_facts(|facts| {
                let reason = Problem::new("dataset.not-found").with("path", "/data/plates/data.yaml").message();
                facts.dataset = Fact::Unknown(reason);
            }),
        ),
        ("more batch than images", with_facts(|facts| facts.dataset = Fact::Known(dataset(8)))),
        ("outlines", with_facts(|facts| facts.dataset = Fact::Known(Dataset { task: Task::Segment, ..dataset(128) }))),
        ("rotated boxes", with_facts(|facts| facts.dataset = Fact::Known(Dataset { task: Task::Obb, ..dataset(128) }))),
        ("key points", with_facts(|facts| facts.dataset = Fact::Known(Dataset { task: Task::Pose, ..dataset(128) }))),
        (
            "whole images",
            with_facts(|facts| facts.dataset = Fact::Known(Dataset { task: Task::Classify, ..dataset(128) })),
        ),
        // memory
        (
            "memory that is not told",
            Box::new(|facts, plan| {
                on("cpu")(facts, plan);
                facts.computer = Fact::unknown("reason-memory-not-told");
            }),
        ),
        (
            "an own model that nobody looked at",
            Box::new(|facts, _| facts.own_model = Fact::unknown("reason-model-needs-environment")),
        ),
        ("tight memory", with_memory(|need| need.high - 1)),
        ("memory that is probably too small", with_memory(|need| need.expected - 1)),
        ("memory that is too small", with_memory(|need| need.low - 1)),
        ("a card that is probably too small", with_card_of(|need| (need.expected - 1, 0))),
        ("a card that is too small", with_card_of(|need| (need.low - 1, 0))),
        ("a card whose memory others hold", with_card_of(|need| (need.high + need.low, need.high + 1))),
        // start
        ("a disk that cannot be looked at", with_facts(|facts| facts.volume = Fact::unknown("reason-no-answer"))),
        (
            "a read-only disk",
            with_facts(|facts| {
                if let Fact::Known(volume) = &mut facts.volume {
                    volume.write_error = Some("Read-only file system (os error 30)".to_owned());
                }
            }),
        ),
        (
            "a full disk",
            with_facts(|facts| {
                if let Fact::Known(volume) = &mut facts.volume {
                    volume.free = 100 << 20;
                }
            }),
        ),
        (
            "a nearly full disk",
            with_facts(|facts| {
                if let Fact::Known(volume) = &mut facts.volume {
                    volume.free = GIB;
                }
            }),
        ),
        ("no epochs", with_plan(|plan| plan.training.epochs = 0)),
        ("no batch", with_plan(|plan| plan.training.batch = 0)),
        ("tiny images", with_plan(|plan| plan.training.imgsz = 16)),
        ("an odd image size", with_plan(|plan| plan.training.imgsz = 600)),
        (
            "a batch smaller than the number of cards",
            Box::new(|facts, plan| {
                on("gpu:0,1")(facts, plan);
                plan.training.batch = 1;
            }),
        ),
        (
            "a batch that two cards cannot share",
            Box::new(|facts, plan| {
                on("gpu:0,1")(facts, plan);
                plan.training.batch = 15;
            }),
        ),
        (
            "an argument that is the app's",
            with_plan(|plan| {
                plan.training.extra.insert("project".to_owned(), Scalar::Text("/tmp".to_owned()));
            }),
        ),
        (
            "an argument with a typing mistake",
            with_plan(|plan| {
                plan.training.extra.insert("lro".to_owned(), Scalar::Float(0.01));
            }),
        ),
    ]
}
