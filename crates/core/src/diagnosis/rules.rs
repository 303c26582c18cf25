//! All rules, read once: every text they look for by a number, and the words that a log is searched for.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::pattern::Pattern;
use super::rule::{Healthy, Kind, Links, Numbers, Rule, Sure};
use crate::finding::Stage;

/// Embeds `crates/core/diagnosis/<cause>.toml`.
macro_rules! files {
    ($($cause:literal),* $(,)?) => {
        &[$(($cause, include_str!(concat!("../../diagnosis/", $cause, ".toml")))),*]
    };
}

/// A file's name and text.
pub(super) const FILES: &[(&str, &str)] = files![
    "all-gpus-busy",
    "amp-nan-gpu",
    "argument-invalid",
    "balance-too-low",
    "best-pt-missing",
    "budget-locked",
    "cgroup-gpu-lost",
    "clock-skew",
    "cloud-disk-quota",
    "cloud-gpu-quota-zero",
    "container-toolkit-missing",
    "credit-expired",
    "cuda-oom",
    "cuda-oom-other-process",
    "cudnn-oom-disguised",
    "dataset-path-datasets-dir",
    "dataset-wrong-type-for-task",
    "dataset-yaml-invalid",
    "dataset-yaml-missing",
    "ddp-child-error-masked",
    "device-plugin-desync",
    "disk-full-saving",
    "dns-failure",
    "driver-not-loaded",
    "driver-too-old",
    "driver-too-old-forward-compat",
    "evicted-ephemeral-storage",
    "fabricmanager-missing",
    "gpu-exclusive-mode",
    "gpu-fell-off-bus",
    "gpu-not-advertised",
    "gpu-not-passed-to-container",
    "host-ram-oom",
    "host-ram-or-pinned-oom",
    "image-disk-full",
    "image-layer-corrupt",
    "image-name-wrong",
    "image-pull-auth",
    "image-requires-newer-driver",
    "image-tag-not-found",
    "images-corrupt",
    "invalid-device-id",
    "jwt-expired",
    "k8s-resource-quota",
    "key-budget-limit",
    "killed",
    "kueue-queue-missing",
    "kueue-quota",
    "label-class-out-of-range",
    "label-not-normalized",
    "labels-path-layout",
    "mig-device-not-selected",
    "mount-path-wrong",
    "nas-stale-handle",
    "nccl-comm-hang",
    "nccl-duplicate-gpu",
    "nccl-shm",
    "nccl-timeout-slow-rank0",
    "nfs-mount-denied",
    "no-kernel-image",
    "numpy-abi-mismatch",
    "nvidia-uvm-state",
    "nvml-version-mismatch",
    "open-files-limit",
    "package-missing",
    "permission-denied",
    "platform-billing-incident",
    "proxy-auth-required",
    "proxy-misconfigured",
    "pvc-unbound",
    "read-only-fs",
    "registry-http-https",
    "registry-rate-limit",
    "registry-unreachable",
    "reservation-exceeds-balance",
    "runtime-not-registered",
    "server-side-cert-expired",
    "shm-too-small",
    "thread-limit",
    "tls-untrusted-ca",
    "token-invalid",
    "token-malformed",
    "token-missing",
    "token-wrong-audience",
    "torch-cpu-build",
    "torch-weights-only",
    "torchvision-mismatch",
    "ultralytics-too-old",
    "unschedulable-affinity",
    "unschedulable-cpu-mem",
    "untolerated-taint",
    "upload-access-denied",
    "upload-server-error",
    "upload-too-slow-signature",
    "weights-corrupt",
    "weights-download-failed",
    "weights-of-another-trainer",
    "windows-dll-missing",
    "windows-paging-file",
    "windows-spawn-main-guard",
    "wrong-api-endpoint",
    "wrong-docker-daemon",
    "wrong-platform",
];

const HEALTHY: &str = include_str!("../../diagnosis/_healthy.toml");
const LINKS: &str = include_str!("../../diagnosis/_links.toml");

/// Tells these rules from those of another build: what was concluded by others may no longer hold.
#[must_use]
pub fn edition() -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    static EDITION: LazyLock<u64> = LazyLock::new(|| {
        let mut hasher = DefaultHasher::new();
        (FILES, HEALTHY, LINKS, env!("CARGO_PKG_VERSION")).hash(&mut hasher);
        hasher.finish()
    });
    *EDITION
}

/// The number of a text that is looked for.
pub(super) type Id = usize;

/// A rule's `when`, with numbers for texts.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) any: Vec<Id>,
    pub(super) and: Vec<Vec<Id>>,
    pub(super) after: Vec<Id>,
    pub(super) not: Vec<Id>,
    pub(super) until: Vec<Id>,
    pub(super) numbers: Option<Numbers>,
    pub(super) kind: Kind,
    pub(super) sure: Sure,
    pub(super) stage: Stage,
}

/// What a training that goes well writes, and one that does not.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) completed: Vec<Id>,
    pub(super) progress: Vec<Id>,
    pub(super) harmless: Vec<Id>,
    pub(super) failed: Vec<Id>,
    pub(super) telling: Vec<Id>,
}

/// A link of the chain, and what points to it.
#[derive(Debug)]
pub(super) struct Pointer {
    pub(super) stage: Stage,
    /// Searched in telling lines only: such words are in what every training writes.
    pub(super) says: Vec<Pattern>,
    /// Searched in the whole log.
    pub(super) passes: Vec<Id>,
    #[cfg(test)]
    pub(super) example: String,
}

/// All rules.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) rules: Vec<(Rule, Vec<Way>)>,
    pub(super) marks: Marks,
    pub(super) pointers: Vec<Pointer>,
    pub(super) patterns: Vec<Pattern>,
    /// Finds every word of every text.
    pub(super) words: Option<AhoCorasick>,
    /// The texts that have a word, by the word's number.
    pub(super) by_word: Vec<Vec<Id>>,
    /// What is wrong with them. A test keeps it empty.
    #[cfg_attr(not(test), expect(dead_code, reason = "there is nobody to tell at run time"))]
    pub(super) faults: Vec<String>,
}

/// The rules that the program is built with.
pub(super) static RULES: LazyLock<Rules> = LazyLock::new(Rules::read);

/// The quickest to search with; in a debug build the quickest to make, for every test process makes one.
const AUTOMATON: AhoCorasickKind =
    if cfg!(debug_assertions) { AhoCorasickKind::NoncontiguousNFA } else { AhoCorasickKind::DFA };

/// Gives texts numbers.
#[derive(Default)]
struct Texts {
    by_source: HashMap<String, Id>,
    patterns: Vec<Pattern>,
    faults: Vec<String>,
}

impl Texts {
    fn id(&mut self, source: &str) -> Option<Id> {
        if let Some(id) = self.by_source.get(source) {
            return Some(*id);
        }
        match Pattern::new(source) {
            Ok(pattern) => {
                self.by_source.insert(source.to_owned(), self.patterns.len());
                self.patterns.push(pattern);
                Some(self.patterns.len() - 1)
            }
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    /// Texts that are not looked for in every log.
    fn patterns(&mut self, sources: &[String]) -> Vec<Pattern> {
        let patterns = sources.iter().map(|source| Pattern::new(source));
        patterns.filter_map(|pattern| pattern.map_err(|fault| self.faults.push(fault)).ok()).collect()
    }

    fn ids(&mut self, sources: &[String]) -> Vec<Id> {
        sources.iter().filter_map(|source| self.id(source)).collect()
    }
}

impl Rules {
    fn read() -> Self {
        let mut texts = Texts::default();
        let mut rules = Vec::new();
        for (name, file) in FILES {
            let rule: Rule = match toml::from_str(file) {
                Ok(rule) => rule,
                Err(error) => {
                    texts.faults.push(format!("{name}.toml: {error}"));
                    continue;
                }
            };
            if rule.cause != *name {
                texts.faults.push(format!("{name}.toml is about {}", rule.cause));
            }
            let ways = rule.when.iter().map(|when| Way {
                any: texts.ids(&when.any),
                and: when.and.iter().map(|one_of| texts.ids(one_of.texts())).collect(),
                after: texts.ids(&when.after),
                not: texts.ids(&when.not),
                until: texts.ids(&when.until),
                numbers: when.numbers,
                kind: when.kind,
                sure: when.sure,
                stage: when.stage.unwrap_or(rule.stage),
            });
            let ways = ways.collect();
            rules.push((rule, ways));
        }
        let marks = match toml::from_str::<Healthy>(HEALTHY) {
            Ok(healthy) => Marks {
                completed: texts.ids(&healthy.completed),
                progress: texts.ids(&healthy.progress),
                harmless: texts.ids(&healthy.harmless),
                failed: texts.ids(&healthy.failed),
                telling: texts.ids(&healthy.telling),
            },
            Err(error) => {
                texts.faults.push(format!("_healthy.toml: {error}"));
                Marks::default()
            }
        };
        let links = toml::from_str::<Links>(LINKS).map(|links| links.link).unwrap_or_else(|error| {
            texts.faults.push(format!("_links.toml: {error}"));
            Vec::new()
        });
        let pointers = links.iter().map(|link| Pointer {
            stage: link.stage,
            says: texts.patterns(&link.says),
            passes: texts.ids(&link.passes),
            #[cfg(test)]
            example: link.example.clone(),
        });
        let pointers = pointers.collect();
        let Texts { patterns, mut faults, .. } = texts;
        let mut by_word: BTreeMap<Vec<u8>, Vec<Id>> = BTreeMap::new();
        for (id, pattern) in patterns.iter().enumerate() {
            for word in pattern.words() {
                let texts = by_word.entry(word.to_ascii_lowercase()).or_default();
                if texts.last() != Some(&id) {
                    texts.push(id);
                }
            }
        }
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AUTOMATON))
            .build(by_word.keys());
        let words = words.map_err(|error| faults.push(error.to_string())).ok();
        Self { rules, marks, pointers, patterns, words, by_word: by_word.into_values().collect(), faults }
    }
}
