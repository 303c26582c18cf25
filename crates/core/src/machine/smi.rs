//! What `nvidia-smi` prints, for computers on which NVML cannot be asked directly.

use super::{ComputeMode, Gpu, GpuDetails, GpuLibrary, GpuMemory, GpuProcess, GpuSource, Gpus, Mig, PcieLink};
use crate::facts::Fact;
use crate::text::Message;

/// What it is asked for each card: `--query-gpu=` with these, `--format=csv,noheader,nounits`.
pub const CARD_FIELDS: &str = "index,uuid,name,driver_version,memory.total,memory.used,memory.free,utilization.gpu,\
temperature.gpu,compute_cap,pci.bus_id,power.draw,enforced.power.limit,clocks.gr,clocks.max.gr,compute_mode,\
persistence_mode,ecc.mode.current,pcie.link.gen.current,pcie.link.width.current,pcie.link.gen.max,pcie.link.width.max,\
mig.mode.current";

/// The same, of an old `nvidia-smi` that refuses fields it does not know.
pub const FEW_CARD_FIELDS: &str =
    "index,uuid,name,driver_version,memory.total,memory.used,memory.free,utilization.gpu,temperature.gpu";

/// What it is asked for each process: `--query-compute-apps=` with these.
pub const PROCESS_FIELDS: &str = "gpu_uuid,pid,process_name,used_memory";

const MIB: f64 = 1024.0 * 1024.0;

/// What it printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Printed<'a> {
    /// For [`CARD_FIELDS`] or [`FEW_CARD_FIELDS`].
    pub cards: &'a str,
    /// For [`PROCESS_FIELDS`]; `None`: it did not answer.
    pub processes: Option<&'a str>,
    /// Without arguments: its first lines say the CUDA version.
    pub banner: &'a str,
}

/// Reads what was printed; `None`: it holds no cards.
#[must_use]
pub fn parse(printed: Printed<'_>) -> Option<Gpus> {
    let rows: Vec<Vec<&str>> = printed.cards.lines().map(fields).filter(|row| row.len() >= 9).collect();
    let driver = rows.first().map(|row| text(row[3]))?;
    let processes: Vec<Vec<&str>> =
        printed.processes.unwrap_or_default().lines().map(fields).filter(|row| row.len() == 4).collect();
    let cards: Vec<Gpu> =
        rows.iter().filter_map(|row| card(row, printed.processes.is_some().then_some(&processes))).collect();
    Some(Gpus { library: GpuLibrary::Answers, source: GpuSource::NvidiaSmi, driver, cuda: cuda(printed.banner), cards })
}

fn fields(line: &str) -> Vec<&str> {
    line.split(", ").map(str::trim).collect()
}

fn card(row: &[&str], processes: Option<&Vec<Vec<&str>>>) -> Option<Gpu> {
    let index = row[0].parse().ok()?;
    let at = |place: usize| row.get(place).copied().unwrap_or("[Not Asked]");
    let memory = match (mib(row[4]), mib(row[6])) {
        (Fact::Known(total), Fact::Known(free)) => {
            Fact::Known(GpuMemory { total, used: total.saturating_sub(free), free })
        }
        (Fact::Unknown(reason), _) | (_, Fact::Unknown(reason)) => Fact::Unknown(reason),
    };
    let of_card = |rows: &Vec<Vec<&str>>| {
        let rows = rows.iter().filter(|process| process[0] == row[1]);
        rows.filter_map(|process| {
            Some(GpuProcess {
                pid: process[1].parse().ok()?,
                // It prints whole paths.
                name: text(process[2].rsplit(['/', '\\']).next().unwrap_or(process[2])),
                memory: mib(process[3]),
                own: false,
                run: None,
            })
        })
        .collect()
    };
    Some(Gpu {
        index,
        uuid: text(row[1]),
        name: text(row[2]),
        memory,
        compute_capability: pair(at(9)),
        utilization: number(row[7]),
        temperature: number(row[8]),
        processes: processes
            .map_or_else(|| Fact::unknown("reason-gpu-not-supported"), |rows| Fact::Known(of_card(rows))),
        details: Box::new(details(&at)),
    })
}

fn details<'a>(at: &impl Fn(usize) -> &'a str) -> GpuDetails {
    let milli = |place| watts(at(place));
    let switch = |place| match at(place) {
        "Enabled" => Fact::Known(true),
        "Disabled" => Fact::Known(false),
        other => refused(other),
    };
    let link = |generation, width| match (number(at(generation)), number(at(width))) {
        (Fact::Known(generation), Fact::Known(width)) => Fact::Known(PcieLink { generation, width }),
        (Fact::Unknown(reason), _) | (_, Fact::Unknown(reason)) => Fact::Unknown(reason),
    };
    GpuDetails {
        pci: text(at(10)),
        power: milli(11),
        power_limit: milli(12),
        clock: number(at(13)),
        clock_max: number(at(14)),
        compute_mode: match at(15) {
            "Default" => Fact::Known(ComputeMode::Default),
            "Exclusive_Process" | "Exclusive_Thread" => Fact::Known(ComputeMode::Exclusive),
            "Prohibited" => Fact::Known(ComputeMode::Prohibited),
            other => refused(other),
        },
        persistence: switch(16),
        ecc: switch(17),
        link: link(18, 19),
        link_max: link(20, 21),
        mig: match switch(22) {
            // Its slices would take another question; without them there is nothing to choose from.
            Fact::Known(false) => Fact::Known(Mig { enabled: false, slices: Vec::new() }),
            Fact::Known(true) => Fact::unknown("reason-smi-does-not-ask"),
            Fact::Unknown(reason) => Fact::Unknown(reason),
        },
        ..GpuDetails::unknown(&Message::new("reason-smi-does-not-ask"))
    }
}

/// Why there is no value: it prints `[N/A]`, `[Not Supported]`, `[Insufficient Permissions]`, `[GPU is lost]` and others.
fn refused<T>(printed: &str) -> Fact<T> {
    let lower = printed.to_ascii_lowercase();
    Fact::unknown(if lower.contains("permission") {
        "reason-gpu-no-permission"
    } else if lower.contains("lost") {
        "reason-gpu-lost"
    } else if lower.contains("not asked") {
        "reason-smi-does-not-ask"
    } else {
        "reason-gpu-not-supported"
    })
}

fn text(printed: &str) -> Fact<String> {
    if printed.is_empty() || printed.starts_with('[') || printed == "N/A" {
        return refused(printed);
    }
    Fact::Known(printed.to_owned())
}

fn number(printed: &str) -> Fact<u32> {
    printed.parse().map_or_else(|_| refused(printed), Fact::Known)
}

fn decimal(printed: &str) -> Option<f64> {
    printed.parse::<f64>().ok().filter(|number| number.is_finite() && (0.0..1e12).contains(number))
}

fn mib(printed: &str) -> Fact<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10^18")]
    decimal(printed).map_or_else(|| refused(printed), |mib| Fact::Known((mib * MIB) as u64))
}

fn watts(printed: &str) -> Fact<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float becomes the nearest that fits"
    )]
    decimal(printed).map_or_else(|| refused(printed), |watts| Fact::Known((watts * 1_000.0).round() as u32))
}

fn pair(printed: &str) -> Fact<(u32, u32)> {
    let pair = printed.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    pair.map_or_else(|| refused(printed), Fact::Known)
}

fn cuda(banner: &str) -> Fact<(u32, u32)> {
    let found = banner.split("CUDA Version:").nth(1).or_else(|| banner.split("CUDA UMD Version:").nth(1));
    let version = found.and_then(|rest| rest.split_whitespace().next());
    version.map_or_else(|| Fact::unknown("reason-gpu-not-supported"), pair)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CARDS: &str = "0, GPU-3060aaaa, NVIDIA GeForce RTX 3060, 550.54.14, 12288, 6384, 5904, 34, 61, 8.6, 00000000:01:00.0, 112.53, 170.00, 1807, 2130, Default, Disabled, [N/A], 4, 8, 4, 16, [N/A]
1, GPU-a100, NVIDIA A100-SXM4-80GB, 550.54.14, 81920, 0, 81251, [N/A], [GPU is lost], 8.0, 00000000:41:00.0, [Not Supported], 400.00, 210, 1410, Exclusive_Process, Enabled, Enabled, 4, 16, 4, 16, Enabled
";
    const BANNER: &str = "| NVIDIA-SMI 550.54.14   Driver Version: 550.54.14   CUDA Version: 12.4     |";

    #[test]
    fn cards_as_they_are_printed() {
        let processes = "GPU-3060aaaa, 4711, /opt/venv/bin/python3, 5850\nGPU-3060aaaa, 4712, [Not Found], [N/A]\n";
        let gpus = parse(Printed { cards: CARDS, processes: Some(processes), banner: BANNER }).unwrap();
        assert_eq!(gpus.source, GpuSource::NvidiaSmi);
        assert_eq!(gpus.cuda, Fact::Known((12, 4)));
        assert_eq!(gpus.driver, Fact::Known("550.54.14".to_owned()));
        let [first, second] = gpus.cards.as_slice() else { panic!("two cards") };
        assert_eq!(first.free(), 5904 << 20);
        assert_eq!(first.compute_capability, Fact::Known((8, 6)));
        assert_eq!(first.details.power, Fact::Known(112_530));
        assert_eq!(first.details.link, Fact::Known(PcieLink { generation: 4, width: 8 }));
        let held = first.processes.known().unwrap();
        assert_eq!(held[0].name, Fact::Known("python3".to_owned()));
        assert_eq!(held[0].memory, Fact::Known(5850 << 20));
        assert!(held[1].name.known().is_none() && held[1].memory.known().is_none());
        assert_eq!(second.utilization, Fact::unknown("reason-gpu-not-supported"));
        assert_eq!(second.temperature, Fact::unknown("reason-gpu-lost"));
        assert_eq!(second.details.compute_mode, Fact::Known(ComputeMode::Exclusive));
        assert!(second.details.mig.known().is_none(), "divided, and how is not known");
    }

    #[test]
    fn an_old_one_says_less() {
        let cards = "0, GPU-k80, Tesla K80, 390.30, 11441, 0, 11441, 0, 31\n";
        let gpus = parse(Printed { cards, processes: None, banner: "" }).unwrap();
        assert!(gpus.cuda.known().is_none() && gpus.cards[0].processes.known().is_none());
        assert_eq!(gpus.cards[0].details.pci, Fact::unknown("reason-smi-does-not-ask"));
        assert_eq!(parse(Printed { cards: "No devices were found", ..Printed::default() }), None);
    }

    proptest! {
        #[test]
        fn anything_can_be_printed(rows in proptest::collection::vec("[0-9A-Za-z.\\[\\], /-]{0,120}", 0..6), banner in ".{0,80}") {
            let cards = rows.join("\n");
            let _ = parse(Printed { cards: &cards, processes: Some(&cards), banner: &banner });
        }
    }
}
