use proptest::prelude::*;

use super::rules::{FILES, RULES};
use super::*;
use crate::text::{Language, Texts};

/// `none` and `unknown` included.
fn label(cause: &Cause) -> String {
    cause.label().replace('_', "-")
}

/// One after the other: every process that asks makes all rules anew, which takes longer than asking.
#[test]
fn every_rule_holds_however_a_log_is_written() {
    every_rule_can_be_read_and_has_its_words();
    every_rule_knows_its_examples_and_its_counter_examples();
    evidence_is_what_stands_at_its_place();
    the_same_log_in_pieces_says_the_same();
    a_log_may_be_written_in_many_ways();
    a_terminal_may_have_broken_its_lines();
    what_a_training_says_of_itself_is_no_cause();
}

fn every_rule_can_be_read_and_has_its_words() {
    assert!(RULES.faults.is_empty(), "{:#?}", RULES.faults);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnosis");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .filter(|name| !name.starts_with('_'))
        .collect();
    files.sort();
    let listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, listed, "the list in rules.rs is not that of crates/core/diagnosis");
    let both = Language::ALL.map(Texts::new);
    for (rule, ways) in &RULES.rules {
        for id in ways.iter().flat_map(|way| {
            way.any.iter().chain(way.and.iter().flatten()).chain(&way.after).chain(&way.not).chain(&way.until)
        }) {
            assert!(RULES.patterns[*id].regex().is_some(), "{}: {:?}", rule.cause, RULES.patterns[*id]);
        }
        for named in rule.explains.iter().chain(&rule.or_else) {
            assert!(listed.contains(&named.as_str()), "{} names {named}, which is no rule", rule.cause);
        }
        assert!(!rule.remedies.is_empty(), "{} has no remedy", rule.cause);
        for changed in &rule.changed {
            let is_told = both[0].render(&format!("changed-{changed}"), &crate::text::Args::new()).is_some();
            let is_argument = crate::run::arguments::KNOWN.iter().any(|(name, _)| name == changed);
            assert!(is_told || is_argument, "{}: nobody tells whether {changed} changed", rule.cause);
        }
        for texts in &both {
            for stage in ways.iter().map(|way| way.stage) {
                let finding = Finding::blocker(stage, rule.code(), rule.verb);
                for sentence in [finding.title(), finding.detail()] {
                    assert!(texts.render(&sentence.id, &sentence.args).is_some(), "no {}", sentence.id);
                }
            }
            for remedy in rule.remedies.iter().map(rule::Mend::remedy) {
                let id = remedy.message().id;
                assert!(texts.render(&id, &remedy.args).is_some(), "no {id}");
            }
        }
    }
}

fn every_rule_knows_its_examples_and_its_counter_examples() {
    let mut wrong = Vec::new();
    for (rule, _) in &RULES.rules {
        assert!(!rule.example.is_empty() && !rule.counter_example.is_empty(), "{} lacks examples", rule.cause);
        for example in rule.example.iter().chain(&rule.counter_example) {
            let expected = if example.cause.is_empty() { &rule.cause } else { &example.cause };
            let diagnosis = Diagnosis::of(example.log.as_bytes(), &example.context);
            let said = label(&diagnosis.cause);
            if said != *expected {
                wrong.push(format!("{}: {said} instead of {expected}: {}", rule.cause, example.log));
            }
            if matches!(diagnosis.cause, Cause::Found(_)) {
                assert!(!diagnosis.quotes.is_empty() && !diagnosis.finding.evidence.is_empty(), "{said}: no evidence");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All examples that are understood by their log alone.
fn examples() -> Vec<(&'static str, &'static str)> {
    let rules = RULES.rules.iter();
    rules
        .flat_map(|(rule, _)| rule.example.iter().map(|example| (rule.cause.as_str(), example)))
        .filter(|(_, example)| example.context.is_empty())
        .map(|(cause, example)| (cause, example.log.as_str()))
        .collect()
}

/// Examples that are not understood once a log is written another way.
fn misread(written: impl Fn(&str) -> Vec<u8>) -> Vec<String> {
    let said = |log: &[u8]| label(&Diagnosis::of(log, "").cause);
    let wrong = examples().into_iter().filter_map(|(cause, log)| {
        let said = said(&written(log));
        (said != cause).then(|| format!("{cause}: {said} from {log}"))
    });
    wrong.collect()
}

fn a_log_may_be_written_in_many_ways() {
    let none: Vec<String> = Vec::new();
    let lines = |log: &str, line: &dyn Fn(&str) -> String| log.lines().map(line).collect::<Vec<_>>().join("\n");
    assert_eq!(misread(|log| log.replace('\n', "\r\n").into_bytes()), none, "Windows line ends");
    let wrong = misread(|log| log.to_lowercase().into_bytes());
    assert!(wrong.len() <= 2, "small letters: {wrong:#?}");
    let utf16 = |log: &str| log.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    assert_eq!(misread(|log| [&[0xff, 0xfe][..], &utf16(log)].concat()), none, "UTF-16 with a mark");
    assert_eq!(misread(utf16), none, "UTF-16");
    let gbk = |log: &str| match encoding_rs::GBK.encode(log) {
        (bytes, _, false) => bytes.into_owned(),
        // It has signs that GBK does not have.
        _ => log.as_bytes().to_vec(),
    };
    assert_eq!(misread(gbk), none, "GBK");
    let colours = |line: &str| format!("\u{1b}[31m\u{1b}[1m{line}\u{1b}[0m\u{1b}[K");
    assert_eq!(misread(|log| lines(log, &colours).into_bytes()), none, "colours");
    let stamped = |line: &str| format!("2024-05-01T10:00:00.123456789Z [rank1]: {line}");
    let wrong = misread(|log| lines(log, &stamped).into_bytes());
    assert!(wrong.len() <= 2, "time and rank in front: {wrong:#?}");
    let bar = "\r 45%|####5     | 9/20 [00:04<00:05,  2.01it/s]";
    assert_eq!(misread(|log| format!("{bar}{bar}\r{log}\n").into_bytes()), none, "behind a progress bar");
}

fn a_terminal_may_have_broken_its_lines() {
    for width in [72, 80, 100, 120] {
        let broken = |log: &str| {
            let line = |line: &str| {
                let signs: Vec<char> = line.chars().collect();
                signs.chunks(width).map(String::from_iter).collect::<Vec<_>>().join("\n")
            };
            log.lines().map(line).collect::<Vec<_>>().join("\n").into_bytes()
        };
        let wrong = misread(broken);
        assert!(wrong.len() <= 2, "at {width}: {wrong:#?}");
    }
}

/// What trainings write before anything happens, by who writes it.
const BEGINNINGS: [(&str, &str); 9] = [
    ("yolov5", include_str!("beginnings/yolov5.log")),
    ("ultralytics", include_str!("beginnings/ultralytics.log")),
    ("without amp", include_str!("beginnings/without-amp.log")),
    ("container", include_str!("beginnings/container.log")),
    ("several cards", include_str!("beginnings/several-cards.log")),
    ("docker", include_str!("beginnings/docker.log")),
    ("windows", include_str!("beginnings/windows.log")),
    ("kubernetes", include_str!("beginnings/kubernetes.log")),
    ("those who keep records", include_str!("beginnings/loggers.log")),
];

fn what_a_training_says_of_itself_is_no_cause() {
    let epoch = "      1/100      4.1G      1.204      2.881      1.402         30        640: 100%|█████| 80/80 [00:09<00:00,  8.5it/s]\n";
    for (who, beginning) in BEGINNINGS {
        let said = Diagnosis::of(beginning.as_bytes(), "");
        assert!(!matches!(said.cause, Cause::Found(_)), "{who}: {said:#?}");
        let said = Diagnosis::of(format!("{beginning}{epoch}").as_bytes(), "");
        assert_eq!(said.cause, Cause::None, "{who}: {said:#?}");
        let wrong = misread(|log| format!("{beginning}{log}\n").into_bytes());
        assert_eq!(wrong, Vec::<String>::new(), "behind the beginning of {who}");
    }
}

fn evidence_is_what_stands_at_its_place() {
    for (_, log) in examples() {
        for quote in Diagnosis::of(log.as_bytes(), "").quotes {
            let (start, end) = (usize::try_from(quote.start).unwrap(), usize::try_from(quote.end).unwrap());
            assert_eq!(&log[start..end], quote.text);
            let line = log[..start].matches('\n').count() as u64 + 1;
            assert_eq!(line, quote.line);
        }
    }
}

fn the_same_log_in_pieces_says_the_same() {
    let healthy =
        "      1/100      2.1G      1.204      2.881      1.402         30        640: 100% 8/8\n".repeat(2000);
    for (cause, log) in examples().into_iter().step_by(4) {
        let log = format!("{healthy}{log}\n");
        let mut scan = Scan::new();
        for piece in log.as_bytes().chunks(70_001) {
            scan.feed(piece);
            // A live log is looked at in between.
            scan.settle();
        }
        let said = scan.diagnose();
        assert_eq!(label(&said.cause), cause, "{log}", log = &log[healthy.len()..]);
        let line = log.matches('\n').count() as u64;
        assert!(said.quotes.iter().all(|quote| quote.line <= line && quote.line > 2000), "{:#?}", said.quotes);
    }
}

#[test]
fn the_first_cause_wins_over_its_consequences() {
    let log = "[rank1]: Traceback (most recent call last):\n\
               [rank1]: RuntimeError: operator torchvision::nms does not exist\n\
               [rank0]: RuntimeError: DataLoader worker (pid 7) exited unexpectedly\n\
               torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n";
    let said = Diagnosis::of(log.as_bytes(), "exit-code: 1");
    assert_eq!(said.cause.label(), "torchvision_mismatch");
    assert!(said.others.iter().any(|other| other.cause == "host-ram-oom"), "{:?}", said.others);
}

#[test]
fn what_a_training_got_over_is_not_what_ended_it() {
    let epoch = |n| {
        format!(
            "      {n}/9      2.1G      1.204      2.881      1.402         30        640: 100% 8/8 [00:01<00:00,  7.1it/s]\n"
        )
    };
    let warned =
        "train: WARNING a.jpg: ignoring corrupt image/label: non-normalized or out of bounds coordinates [1.07]\n";
    let went_on = format!("{warned}{}{}", epoch(1), epoch(2));
    assert_eq!(Diagnosis::of(went_on.as_bytes(), "").cause, Cause::None);
    let ended = format!("{went_on}RuntimeError: DataLoader worker (pid 7) is killed by signal: Killed.\n");
    assert_eq!(Diagnosis::of(ended.as_bytes(), "").cause.label(), "host_ram_oom");
    // The line of progress that was on its way.
    let late = format!("{}torch.OutOfMemoryError: CUDA out of memory.\n{}", epoch(1), epoch(2));
    assert_eq!(Diagnosis::of(late.as_bytes(), "").cause.label(), "cuda_oom");
}

/// Two lines each of how other trainers say that they go on.
const OTHERS: [[&str; 2]; 8] = [
    [
        "2024/03/15 16:27:12 - mmengine - INFO - Epoch(train)  [2][300/925]  lr: 8.7e-05  eta: 9:53:17  time: 0.47  loss: 4.8  loss_cls: 1.4",
        "2024/03/15 16:27:36 - mmengine - INFO - Epoch(train)  [3][350/925]  lr: 9.0e-05  eta: 9:51:37  time: 0.46  loss: 4.1  loss_cls: 1.2",
    ],
    [
        "[08/14 10:48:18 d2.utils.events]:  eta: 0:22:36  iter: 9079  total_loss: 0.4138  loss_cls: 0.07042",
        "[08/14 10:48:27 d2.utils.events]:  eta: 0:22:30  iter: 9099  total_loss: 0.4573  loss_cls: 0.0693",
    ],
    [
        "Epoch 0: 100%|█| 7/7 [00:07<00:00,  1.04s/it, loss=0.693, v_num=0, train/loss=0.691]",
        "Epoch 1: 100%|█| 7/7 [00:04<00:00,  1.74it/s, loss=0.612, v_num=0, train/loss=0.604]",
    ],
    [
        "{'loss': 1.0923, 'grad_norm': 2.38, 'learning_rate': 9.6e-05, 'epoch': 0.38}",
        "{'loss': 0.8981, 'grad_norm': 2.01, 'learning_rate': 9.5e-05, 'epoch': 1.4}",
    ],
    [
        "Epoch: [0][  1/500]     Time 112.567 (124.016)  Loss 3.0156 (6.4026)",
        "Epoch: [1][  1/500]     Time 110.201 (120.884)  Loss 2.7713 (5.9871)",
    ],
    [
        "1688/1688 [==============================] - 5s 3ms/step - loss: 0.4661 - accuracy: 0.8339",
        "1690/1690 [==============================] - 4s 2ms/step - loss: 0.3157 - accuracy: 0.8861",
    ],
    [
        "INFO:tensorflow:loss = 0.0530, step = 62400 (82.396 sec)",
        "INFO:tensorflow:loss = 1.0511, step = 62500 (82.4 sec)",
    ],
    [
        "6: 5899.664551, 5898.643555 avg loss, 0.000000 rate, 5.732894 seconds, 384 images",
        "7: 5210.112305, 5829.790527 avg loss, 0.000000 rate, 5.641220 seconds, 448 images",
    ],
];

#[test]
fn other_trainers_go_on_too() {
    for [one, other] in OTHERS {
        let warned = format!("UserWarning: something is odd\n{one}\nPossibly corrupt EXIF data.\n{other}\n");
        assert_eq!(Diagnosis::of(warned.as_bytes(), "").cause, Cause::None, "{one}");
        let ended = format!("{one}\n{other}\ntorch.OutOfMemoryError: CUDA out of memory.\n");
        assert_eq!(Diagnosis::of(ended.as_bytes(), "").cause.label(), "cuda_oom", "{one}");
        let unknown = format!("{one}\n{other}\nTraceback (most recent call last):\nFrobError: no\n");
        assert_eq!(Diagnosis::of(unknown.as_bytes(), "").cause, Cause::Unknown, "{one}");
    }
}

#[test]
fn says_unknown_with_the_telling_lines() {
    let log = "step 1\nTraceback (most recent call last):\n  File \"x.py\", line 3\nzlib.FrobError: the frob is out of tune\n";
    let said = Diagnosis::of(log.as_bytes(), "");
    assert_eq!(said.cause, Cause::Unknown);
    assert!(said.quotes.iter().any(|quote| quote.text.contains("the frob is out of tune")), "{:?}", said.quotes);
    assert_eq!(Diagnosis::of(b"", "").cause, Cause::Unknown);
    // Where no line tells more than others, the last ones are shown.
    let said = Diagnosis::of(b"one line\nanother line\n\nand the last line\n", "");
    let shown: Vec<&str> = said.quotes.iter().map(|quote| quote.text.as_str()).collect();
    assert_eq!((said.cause, shown), (Cause::Unknown, vec!["one line", "another line", "and the last line"]));
}

#[test]
fn says_what_link_an_unknown_cause_has_to_do_with() {
    let both = Language::ALL.map(Texts::new);
    for pointer in &RULES.pointers {
        let said = Diagnosis::of(pointer.example.as_bytes(), "");
        assert_eq!((said.cause, said.finding.stage), (Cause::Unknown, pointer.stage), "{}", pointer.example);
        for texts in &both {
            for sentence in [said.finding.title(), said.finding.detail()] {
                assert!(texts.render(&sentence.id, &sentence.args).is_some(), "no {}", sentence.id);
            }
        }
        // Behind what trainers write of their labels, images and drivers it is still that.
        for (who, beginning) in BEGINNINGS {
            let said = Diagnosis::of(format!("{beginning}{}\n", pointer.example).as_bytes(), "");
            assert_eq!((said.cause, said.finding.stage), (Cause::Unknown, pointer.stage), "behind that of {who}");
        }
    }
    assert_eq!(Diagnosis::of(b"zlib.FrobError: the frob is out of tune\n", "").finding.stage, Stage::Train);
}

#[test]
fn what_is_known_besides_is_evidence_too() {
    let said = Diagnosis::of(b"starting\n", "container.state.reason: OOMKilled\nexit-code: 137");
    assert_eq!(said.cause.label(), "host_ram_oom");
    assert_eq!(said.quotes[0].source, Source::Context);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_give_an_answer(log in prop::collection::vec(any::<u8>(), 0..4000), cut in 1usize..4000, context in ".{0,200}") {
        let mut scan = Scan::new();
        for piece in log.chunks(cut) {
            scan.feed(piece);
            scan.settle();
        }
        scan.know(&context);
        for quote in scan.diagnose().quotes {
            prop_assert!(quote.start <= quote.end);
            prop_assert!(quote.source == Source::Context || quote.end <= log.len() as u64);
        }
    }

    #[test]
    fn messages_between_any_bytes_keep_their_places(
        picked in prop::collection::vec((any::<prop::sample::Index>(), "[ -~\\r\\n\u{1b}]{0,300}"), 1..12),
    ) {
        let all = examples();
        let log: String = picked.iter().map(|(index, noise)| format!("{noise}\n{}\n", index.get(&all).1)).collect();
        let said = Diagnosis::of(log.as_bytes(), "");
        for quote in &said.quotes {
            let range = usize::try_from(quote.start).unwrap()..usize::try_from(quote.end).unwrap();
            prop_assert_eq!(String::from_utf8_lossy(&log.as_bytes()[range]), quote.text.as_str());
        }
    }
}
