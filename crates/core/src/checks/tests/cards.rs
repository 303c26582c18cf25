//! What goes wrong with cards, driver and what lies around them.

use std::path::PathBuf;

use super::world::{Change, card, failed, gpus, on, surroundings};
use crate::environment::{Environment, EnvironmentState};
use crate::facts::{Fact, Facts};
use crate::machine::{
    Adapter, ComputeMode, Gpu, GpuDetails, GpuMemory, GpuProcess, GpuSource, Gpus, KernelModule, Mig, MigSlice,
    NamedVolume, PcieLink, Purpose, Remapped, Retired, Surroundings, Swap, Throttle, Vendor, Volume, Xid,
};

const GIB: u64 = 1 << 30;

/// A card that tells everything, and is well.
pub(super) fn well() -> GpuDetails {
    GpuDetails {
        pci: Fact::Known("00000000:01:00.0".to_owned()),
        power: Fact::Known(21_000),
        power_limit: Fact::Known(170_000),
        power_default: Fact::Known(170_000),
        clock: Fact::Known(210),
        clock_max: Fact::Known(2_100),
        throttled: Fact::Known(vec![Throttle::Idle]),
        temperature_slowdown: Fact::Known(93),
        ecc: Fact::Known(true),
        ecc_uncorrected: Fact::Known(0),
        retired_pages: Fact::Known(Retired { pages: 0, pending: false }),
        remapped_rows: Fact::Known(Remapped { correctable: 0, uncorrectable: 0, pending: false, failed: false }),
        compute_mode: Fact::Known(ComputeMode::Default),
        persistence: Fact::Known(true),
        mig: Fact::Known(Mig { enabled: false, slices: Vec::new() }),
        link: Fact::Known(PcieLink { generation: 1, width: 16 }),
        link_max: Fact::Known(PcieLink { generation: 4, width: 16 }),
    }
}

fn with_card(change: impl Fn(&mut Gpu) + 'static) -> Change<'static> {
    Box::new(move |facts, plan| {
        on("gpu:0")(facts, plan);
        if let Fact::Known(gpus) = &mut facts.gpus {
            *gpus.cards[0].details = well();
            change(&mut gpus.cards[0]);
        }
    })
}

fn with_details(change: impl Fn(&mut GpuDetails) + 'static) -> Change<'static> {
    with_card(move |card| change(&mut card.details))
}

fn with_environment(change: impl Fn(&mut Environment, &mut Gpus) + 'static) -> Change<'static> {
    Box::new(move |facts, plan| {
        on("gpu:0")(facts, plan);
        let Facts { environment, gpus, .. } = facts;
        if let (Fact::Known(EnvironmentState::Ready { environment }), Fact::Known(gpus)) = (environment, gpus) {
            change(environment, gpus);
        }
    })
}

fn around(change: impl Fn(&mut Surroundings) + 'static) -> Change<'static> {
    Box::new(move |facts, _| {
        let mut around = surroundings();
        change(&mut around);
        facts.surroundings = Fact::Known(around);
    })
}

fn after(first: Change<'static>, second: Change<'static>) -> Change<'static> {
    Box::new(move |facts, plan| {
        first(facts, plan);
        second(facts, plan);
    })
}

fn xid(code: u32, text: &str) -> Xid {
    Xid { code, pci: "0000:01:00".to_owned(), line: format!("NVRM: Xid (PCI:0000:01:00): {code}, {text}") }
}

fn shm(total: u64, free: u64) -> Fact<Volume> {
    Fact::Known(Volume { path: PathBuf::from("/dev/shm"), free, total, write_error: None })
}

/// A slice of 20 GiB, so many of them in use.
fn slice(uuid: &str, used: u64) -> MigSlice {
    MigSlice {
        uuid: uuid.to_owned(),
        name: Some("NVIDIA A100-SXM4-80GB MIG 2g.20gb".to_owned()),
        memory: Some(GpuMemory { total: 20 * GIB, used: used * GIB, free: (20 - used) * GIB }),
        processes: Fact::Known(Vec::new()),
    }
}

fn apple(facts: &mut Facts) {
    if let Fact::Known(computer) = &mut facts.computer {
        computer.os = "macos".to_owned();
        computer.cpu = "Apple M2 Pro".to_owned();
        computer.apple_gpu = true;
    }
}

fn lost() -> Gpu {
    let reason = crate::text::Message::new("reason-gpu-lost");
    let mut card = card(0, 12, 0);
    card.memory = Fact::Unknown(reason.clone());
    card.name = Fact::Unknown(reason.clone());
    card.details = Box::new(GpuDetails::unknown(&reason));
    card
}

/// What goes wrong, one thing at a time.
pub(super) fn cases() -> Vec<(&'static str, Change<'static>)> {
    vec![
        // the card
        (
            "a lost card, and what the kernel says",
            after(
                with_card(|card| *card = lost()),
                around(|around| {
                    around.xids = Fact::Known(vec![xid(79, "pid='<unknown>', GPU has fallen off the bus.")]);
                }),
            ),
        ),
        ("no program may compute", with_details(|details| details.compute_mode = Fact::Known(ComputeMode::Prohibited))),
        (
            "one program at a time, and it is there",
            with_card(|card| {
                card.details.compute_mode = Fact::Known(ComputeMode::Exclusive);
                card.processes = Fact::Known(vec![super::world::process(70, "python3", 1)]);
            }),
        ),
        (
            "one program at a time, and none is there",
            with_details(|details| details.compute_mode = Fact::Known(ComputeMode::Exclusive)),
        ),
        (
            "a divided card",
            with_details(|details| {
                let unclear = MigSlice { memory: None, name: None, ..slice("MIG-cc", 0) };
                let slices = vec![slice("MIG-aa", 18), slice("MIG-bb", 0), unclear];
                details.mig = Fact::Known(Mig { enabled: true, slices });
            }),
        ),
        (
            "a full slice of a divided card",
            after(
                with_details(|details| {
                    let slices = vec![slice("MIG-aa", 19), slice("MIG-bb", 0)];
                    details.mig = Fact::Known(Mig { enabled: true, slices });
                }),
                Box::new(on("MIG-aa")),
            ),
        ),
        (
            "a slice that is not there",
            after(
                with_details(|details| {
                    details.mig = Fact::Known(Mig { enabled: true, slices: vec![slice("MIG-aa", 0)] });
                }),
                Box::new(on("MIG-zz")),
            ),
        ),
        (
            "a divided card among several",
            after(
                with_details(|details| {
                    details.mig = Fact::Known(Mig { enabled: true, slices: vec![slice("MIG-aa", 0)] });
                }),
                Box::new(on("gpu:0,1")),
            ),
        ),
        (
            "a card divided into nothing",
            with_details(|details| details.mig = Fact::Known(Mig { enabled: true, slices: Vec::new() })),
        ),
        (
            "memory that fails for good",
            with_details(|details| {
                let rows = Remapped { correctable: 0, uncorrectable: 8, pending: false, failed: true };
                details.remapped_rows = Fact::Known(rows);
            }),
        ),
        (
            "memory that a restart mends",
            with_details(|details| details.retired_pages = Fact::Known(Retired { pages: 1, pending: true })),
        ),
        (
            "memory that was mended",
            with_details(|details| {
                details.ecc_uncorrected = Fact::Known(3);
                let rows = Remapped { correctable: 0, uncorrectable: 2, pending: false, failed: false };
                details.remapped_rows = Fact::Known(rows);
                details.retired_pages = Fact::Known(Retired { pages: 4, pending: false });
            }),
        ),
        (
            "heat",
            with_card(|card| {
                card.temperature = Fact::Known(94);
                card.details.throttled = Fact::Known(vec![Throttle::HwSlowdown, Throttle::HwThermal]);
            }),
        ),
        (
            "a weak power supply",
            with_details(|details| details.throttled = Fact::Known(vec![Throttle::HwSlowdown, Throttle::PowerBrake])),
        ),
        ("a set power limit", with_details(|details| details.power_limit = Fact::Known(100_000))),
        ("half the lanes", with_details(|details| details.link = Fact::Known(PcieLink { generation: 4, width: 4 }))),
        (
            "faults of the card",
            after(
                with_details(|_| {}),
                around(|around| {
                    around.xids = Fact::Known(vec![xid(13, "Graphics Exception"), xid(48, "DBE (double bit error)")]);
                }),
            ),
        ),
        (
            "faults of a program",
            after(
                with_details(|_| {}),
                around(|around| {
                    around.xids = Fact::Known(vec![xid(31, "MMU Fault")]);
                }),
            ),
        ),
        (
            "a busy card, by a program of one's own",
            with_card(|first| {
                *first = card(0, 12, 11);
                let mut process = super::world::process(70, "python3", 10);
                process.own = true;
                first.processes = Fact::Known(vec![process]);
            }),
        ),
        (
            "a busy card, by a run of this app on two of its processes",
            with_card(|first| {
                *first = card(0, 12, 11);
                let of_run = |pid| GpuProcess {
                    own: true,
                    run: Some("20261130-142233-plates-yolov8n-4f2a".to_owned()),
                    ..super::world::process(pid, "python3.12", 5)
                };
                first.processes = Fact::Known(vec![of_run(70), of_run(71)]);
            }),
        ),
        // Apple's own
        ("a plan for Apple's GPU elsewhere", Box::new(on("mps"))),
        (
            "Apple's GPU",
            after(
                Box::new(on("mps")),
                Box::new(|facts, _| {
                    facts.gpus = super::world::not_installed();
                    apple(facts);
                }),
            ),
        ),
        (
            "the processor beside Apple's GPU",
            after(
                Box::new(on("cpu")),
                Box::new(|facts, _| {
                    facts.gpus = super::world::not_installed();
                    apple(facts);
                }),
            ),
        ),
        // several cards
        (
            "two cards on Windows",
            Box::new(|facts, plan| {
                on("gpu:0,1")(facts, plan);
                if let Fact::Known(gpus) = &mut facts.gpus {
                    gpus.cards[0] = card(0, 24, 0);
                }
                if let Fact::Known(computer) = &mut facts.computer {
                    computer.os = "windows".to_owned();
                }
            }),
        ),
        ("two different cards", Box::new(on("gpu:0,1"))),
        // the driver
        (
            "told by nvidia-smi",
            Box::new(|facts, plan| {
                on("gpu:0")(facts, plan);
                if let Fact::Known(gpus) = &mut facts.gpus {
                    gpus.source = GpuSource::NvidiaSmi;
                }
            }),
        ),
        ("a card of tomorrow", with_card(|card| card.compute_capability = Fact::Known((13, 0)))),
        (
            "a driver of tomorrow",
            with_environment(|_, gpus| {
                gpus.driver = Fact::Known("720.10".to_owned());
                gpus.cuda = Fact::Known((15, 1));
            }),
        ),
        (
            "CUDA 11.8 on a host with 11.6",
            with_environment(|environment, gpus| {
                environment.torch = "2.7.1+cu118".to_owned();
                environment.torch_cuda = Some("11.8".to_owned());
                environment.architectures =
                    ["sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"].map(str::to_owned).to_vec();
                gpus.driver = Fact::Known("510.85.02".to_owned());
                gpus.cuda = Fact::Known((11, 6));
            }),
        ),
        (
            "CUDA 11.8 on a driver from before the promise",
            with_environment(|environment, gpus| {
                environment.torch = "2.7.1+cu118".to_owned();
                environment.torch_cuda = Some("11.8".to_owned());
                environment.cuda_available = false;
                gpus.driver = Fact::Known("450.36.06".to_owned());
                gpus.cuda = Fact::Known((11, 0));
            }),
        ),
        (
            "a data centre card with an old driver",
            with_environment(|environment, gpus| {
                environment.cuda_available = false;
                gpus.cards[0].name = Fact::Known("Tesla T4".to_owned());
                gpus.cards[0].compute_capability = Fact::Known((7, 5));
                gpus.driver = Fact::Known("470.256.02".to_owned());
                gpus.cuda = Fact::Known((11, 4));
            }),
        ),
        (
            "a data centre card with NVIDIA's package between",
            with_environment(|_, gpus| {
                gpus.cards[0].name = Fact::Known("Tesla T4".to_owned());
                gpus.driver = Fact::Known("535.183.01".to_owned());
                gpus.cuda = Fact::Known((12, 2));
            }),
        ),
        (
            "code that the driver must translate and cannot",
            with_environment(|environment, gpus| {
                environment.torch_cuda = Some("12.8".to_owned());
                environment.architectures = ["sm_80", "sm_86", "sm_90", "compute_90"].map(str::to_owned).to_vec();
                gpus.cards[0].compute_capability = Fact::Known((12, 0));
                gpus.driver = Fact::Known("560.35.03".to_owned());
                gpus.cuda = Fact::Known((12, 6));
            }),
        ),
        (
            "a new card, whose torch needs another driver first",
            with_environment(|environment, gpus| {
                environment.torch_cuda = Some("12.6".to_owned());
                environment.architectures = ["sm_80", "sm_86", "sm_90"].map(str::to_owned).to_vec();
                gpus.cards[0].compute_capability = Fact::Known((12, 0));
                gpus.cuda = Fact::Known((12, 6));
            }),
        ),
        (
            "a new card, whose torch can be installed",
            with_environment(|environment, gpus| {
                environment.torch_cuda = Some("12.6".to_owned());
                environment.architectures = ["sm_80", "sm_86", "sm_90"].map(str::to_owned).to_vec();
                gpus.cards[0].compute_capability = Fact::Known((12, 0));
                gpus.cuda = Fact::Known((12, 8));
            }),
        ),
        (
            "a card that nothing serves any more",
            with_environment(|_, gpus| gpus.cards[0].compute_capability = Fact::Known((3, 7))),
        ),
        (
            "a device file that is shut",
            after(
                with_environment(|environment, _| environment.cuda_available = false),
                around(|around| {
                    if let Fact::Known(files) = &mut around.device_files {
                        files[1].usable = false;
                    }
                }),
            ),
        ),
        (
            "a container without nvidia-uvm",
            after(
                with_environment(|environment, _| environment.cuda_available = false),
                around(|around| {
                    if let Fact::Known(files) = &mut around.device_files {
                        files.remove(0);
                    }
                }),
            ),
        ),
        (
            "no driver, and a card on the bus",
            after(
                Box::new(|facts, _| facts.gpus = super::world::not_installed()),
                around(|around| around.kernel_module = Fact::Known(KernelModule::Missing)),
            ),
        ),
        (
            "no driver in WSL",
            after(
                Box::new(|facts, plan| {
                    on("gpu:0")(facts, plan);
                    facts.gpus = super::world::not_installed();
                }),
                around(|around| around.wsl = true),
            ),
        ),
        (
            "nouveau",
            after(
                Box::new(|facts, _| facts.gpus = super::world::not_installed()),
                around(|around| around.kernel_module = Fact::Known(KernelModule::Nouveau)),
            ),
        ),
        (
            "a module that was not built",
            after(
                Box::new(|facts, plan| {
                    on("gpu:0")(facts, plan);
                    facts.gpus = failed("driver-not-loaded", "NVIDIA driver is not loaded");
                }),
                around(|around| around.kernel_module = Fact::Known(KernelModule::Missing)),
            ),
        ),
        (
            "a module that Secure Boot refuses",
            after(
                Box::new(|facts, plan| {
                    on("gpu:0")(facts, plan);
                    facts.gpus = failed("driver-not-loaded", "NVIDIA driver is not loaded");
                }),
                around(|around| {
                    around.kernel_module = Fact::Known(KernelModule::NotLoaded);
                    around.secure_boot = Fact::Known(true);
                }),
            ),
        ),
        // around
        (
            "Docker's shared memory",
            around(|around| {
                around.shared_memory = shm(64 << 20, 64 << 20);
                around.container = true;
            }),
        ),
        ("little shared memory", around(|around| around.shared_memory = shm(GIB, 100 << 20))),
        (
            "a small paging file",
            Box::new(|facts, _| {
                let mut around = surroundings();
                around.swap = Fact::Known(Swap { total: GIB, free: GIB });
                facts.surroundings = Fact::Known(around);
                if let Fact::Known(computer) = &mut facts.computer {
                    computer.os = "windows".to_owned();
                    computer.memory_available = 8 * GIB;
                }
            }),
        ),
        ("few open files", around(|around| around.open_files = Fact::Known(256))),
        ("a clock of 2020", around(|around| around.clock_ms = 1_577_836_800_000)),
        (
            "a full temporary folder",
            around(|around| {
                let volume = Volume {
                    path: PathBuf::from("/tmp"),
                    free: 20 << 20,
                    total: 2 * GIB,
                    write_error: Some("No space left on device (os error 28)".to_owned()),
                };
                around.volumes = vec![NamedVolume { purposes: vec![Purpose::Temporary], volume }];
            }),
        ),
    ]
}

/// What is only worth knowing of a computer.
pub(super) fn of_computer() -> Vec<(&'static str, Change<'static>)> {
    let visible = |value: &'static str, order: Option<&'static str>| -> Change<'static> {
        around(move |around| {
            around.visible_devices = Some(value.to_owned());
            around.device_order = order.map(str::to_owned);
        })
    };
    vec![
        ("cards hidden from programs", visible("-1", None)),
        ("other numbers for programs", visible("1", Some("PCI_BUS_ID"))),
        ("numbers that mean nothing certain", visible("1", None)),
        (
            "an AMD card",
            Box::new(|facts, _| {
                let mut around = surroundings();
                around.adapters = Fact::Known(vec![Adapter {
                    vendor: Vendor::Amd,
                    pci: "0000:03:00.0".to_owned(),
                    driver: Some("amdgpu".to_owned()),
                }]);
                facts.surroundings = Fact::Known(around);
                facts.gpus = super::world::not_installed();
            }),
        ),
        (
            "Apple's GPU, and no other",
            Box::new(|facts, _| {
                facts.gpus = super::world::not_installed();
                apple(facts);
                facts.surroundings = Fact::Known(surroundings());
            }),
        ),
        ("few watches", around(|around| around.watches = Fact::Known(1_024))),
        ("a busy processor", around(|around| around.load = Fact::Known(31.0))),
        (
            "another card that nobody may use",
            Box::new(|facts, _| {
                let mut closed = card(0, 12, 0);
                closed.details.compute_mode = Fact::Known(ComputeMode::Prohibited);
                facts.gpus = Fact::Known(gpus(vec![closed, card(1, 24, 0)]));
            }),
        ),
    ]
}
