//! Fetching first weights from a server that does everything a server can do wrong.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use preflight_core::problem::Problem;
use preflight_core::weights::{Contents, WeightsProgress};
use preflight_engine::dirs::Dirs;
use preflight_engine::settings::{Settings, Sources};
use preflight_engine::weights::{self, Fetch, Outcome, Patience};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

pub(crate) mod checkpoint;
pub(crate) mod server;

use server::{Answer, End, Server};

const MODEL: &str = "yolov8n";

/// A computer of its own that knows these mirrors.
struct World {
    folder: tempfile::TempDir,
    dirs: Dirs,
    settings: Settings,
    patience: Patience,
    progress: Arc<Mutex<Vec<WeightsProgress>>>,
    cancel: CancellationToken,
}

impl World {
    fn new(mirrors: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dirs = Dirs::new(folder.path().join("王 芳/app"));
        dirs.create().unwrap();
        let weights = mirrors.iter().map(ToString::to_string).collect();
        let settings = Settings { sources: Sources { weights, ..Sources::default() }, ..Settings::default() };
        let patience =
            Patience { stall: Duration::from_secs(20), least: 1, attempts: 3, pause: Duration::from_millis(1) };
        Self { folder, dirs, settings, patience, progress: Arc::default(), cancel: CancellationToken::new() }
    }

    async fn fetch(&self) -> Result<Outcome, Problem> {
        self.fetch_so(|_| {}).await
    }

    async fn fetch_so(&self, how: impl Fn(&mut Fetch)) -> Result<Outcome, Problem> {
        let progress = Arc::clone(&self.progress);
        let progress = Arc::new(move |step| progress.lock().unwrap().push(step));
        let mut fetch = Fetch { patience: self.patience, ..Fetch::of(MODEL) };
        how(&mut fetch);
        weights::fetch(&self.dirs, &self.settings, &fetch, progress, self.cancel.clone()).await
    }

    fn path(&self) -> PathBuf {
        weights::pretrained(&self.dirs, MODEL)
    }

    fn part(&self) -> u64 {
        weights::list(&self.dirs).into_iter().find(|entry| entry.model == MODEL).unwrap().part
    }

    /// What lies where weights are kept, without the lock.
    fn files(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.dirs.weights()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.retain(|name| !name.starts_with('.'));
        names.sort();
        names
    }

    fn has(&self, bytes: &[u8]) -> bool {
        std::fs::read(self.path()).unwrap() == bytes && self.files() == ["yolov8n.pt", "yolov8n.pt.json"]
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn code(result: &Result<Outcome, Problem>) -> &str {
    result.as_ref().map_or_else(|problem| problem.code.as_str(), |_| "fetched")
}

/// Some hundred kilobytes: more than fits into the buffers on the way.
fn file() -> Vec<u8> {
    checkpoint::of(MODEL, 600_000)
}

/// A file that would start a program when Python loads it.
fn foreign() -> Vec<u8> {
    checkpoint::archive(&[("data.pkl", b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.")])
}

#[tokio::test(flavor = "multi_thread")]
async fn fetched_once_and_known_from_then_on() {
    let bytes = file();
    let served = bytes.clone();
    let server = Server::start(move |request, _| Answer::file(&served, "\"1\"", request)).await;
    let world = World::new(&[&format!("{}/pt/{{name}}.pt?x=1", server.address)]);
    let outcome = world.fetch().await.unwrap();
    let expected = Outcome {
        path: world.path(),
        bytes: bytes.len() as u64,
        sha256: sha256(&bytes),
        url: Some(format!("{}/pt/yolov8n.pt?x=1", server.address)),
        before: None,
    };
    assert_eq!(outcome, expected);
    assert!(world.has(&bytes));
    let steps = world.progress.lock().unwrap().clone();
    assert!(matches!(steps[0], WeightsProgress::Asking { .. }), "{steps:?}");
    assert_eq!(
        steps[steps.len() - 2..],
        [WeightsProgress::Downloading { done: outcome.bytes, total: Some(outcome.bytes) }, WeightsProgress::Verifying,]
    );

    assert_eq!(world.fetch().await.unwrap(), Outcome { url: None, ..expected.clone() });
    assert_eq!(server.seen().len(), 1);
    let entry = weights::list(&world.dirs).into_iter().find(|entry| entry.model == MODEL).unwrap();
    assert_eq!((entry.bytes, entry.fetched.unwrap().sha256), (Some(outcome.bytes), outcome.sha256));
    assert_eq!(weights::remove(&world.dirs, MODEL).unwrap() / 1000, outcome.bytes / 1000);
    assert_eq!(world.files(), Vec::<String>::new());
    assert_eq!(weights::remove(&world.dirs, MODEL).unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_file_than_before_is_told() {
    let (old, new) = (file(), checkpoint::of(MODEL, 500_000));
    let served = [old.clone(), new.clone()];
    let server = Server::start(move |request, before| Answer::file(&served[before.min(1)], "\"1\"", request)).await;
    let world = World::new(&[&server.address]);
    assert_eq!(world.fetch().await.unwrap().before, None);
    let outcome = world.fetch_so(|fetch| fetch.again = true).await.unwrap();
    assert_eq!((outcome.before, outcome.sha256), (Some(sha256(&old)), sha256(&new)));
    assert!(world.has(&new));

    // What lies there damaged, or as something else, is fetched anew without being asked to.
    for wrong in [&b"<html>"[..], &new[..1000], &checkpoint::of("yolov8s", 4000)] {
        std::fs::write(world.path(), wrong).unwrap();
        assert_eq!(code(&world.fetch().await), "fetched");
        assert!(world.has(&new));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_breaks_off_is_gone_on_with() {
    let bytes = file();
    let served = bytes.clone();
    let server = Server::start(move |request, before| {
        let answer = Answer::file(&served, "\"1\"", request);
        if before < 2 { answer.ending(End::Breaks(150_000)) } else { answer }
    })
    .await;
    let world = World::new(&[&server.address]);
    assert_eq!(code(&world.fetch().await), "fetched");
    assert!(world.has(&bytes));
    let asked: Vec<_> = server
        .seen()
        .iter()
        .map(|request| (request.header("range").map(str::to_owned), request.header("if-range").map(str::to_owned)))
        .collect();
    let range = |from: u64| (Some(format!("bytes={from}-")), Some("\"1\"".to_owned()));
    assert_eq!(asked, [(None, None), range(150_000), range(300_000)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_down_stays_for_the_next_time() {
    let bytes = file();
    let served = bytes.clone();
    let mut server = Server::start(move |request, before| {
        let answer = Answer::file(&served, "\"1\"", request);
        if before == 0 { answer.ending(End::Stalls(200_000)) } else { answer }
    })
    .await;
    let world = Arc::new(World::new(&[&server.address]));
    let fetching = tokio::spawn({
        let world = Arc::clone(&world);
        async move { world.fetch().await }
    });
    server.stalled().await;
    while !world.progress.lock().unwrap().iter().any(|step| matches!(step, WeightsProgress::Downloading { .. })) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Whoever removes meanwhile would take away what is being written.
    assert_eq!(weights::remove(&world.dirs, MODEL).unwrap_err().code, "weights.busy");
    world.cancel.cancel();
    assert_eq!(code(&fetching.await.unwrap()), "weights.cancelled");
    let part = world.part();
    assert!(part > 0 && world.files() == ["yolov8n.pt.part", "yolov8n.pt.part.json"], "{part} {:?}", world.files());

    let again = World { cancel: CancellationToken::new(), ..Arc::into_inner(world).unwrap() };
    assert_eq!(code(&again.fetch().await), "fetched");
    assert!(again.has(&bytes));
    assert_eq!(server.seen()[1].header("range"), Some(format!("bytes={part}-").as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_go_on_wrongly_are_begun_anew_with() {
    let (old, new) = (file(), checkpoint::of(MODEL, 700_000));
    for kind in ["changed", "ignores ranges", "ignores if-range", "another range", "shorter now", "weak tag"] {
        let (first, then) = (old.clone(), new.clone());
        let server = Server::start(move |request, before| {
            let changed = if kind == "weak tag" { "W/\"2\"" } else { "\"2\"" };
            match (before, kind) {
                (0, "weak tag") => Answer::file(&first, "W/\"1\"", request).ending(End::Breaks(150_000)),
                (0, _) => Answer::file(&first, "\"1\"", request).ending(End::Breaks(150_000)),
                (1, "ignores if-range") => Answer { status: "206 Partial Content", ..Answer::body(&then[150_000..]) }
                    .with("Content-Range", "bytes 150000-700000/700001")
                    .with("ETag", changed),
                (1, "another range") => Answer { status: "206 Partial Content", ..Answer::body(&first[100_000..]) }
                    .with("Content-Range", "bytes 100000-600000/600001")
                    .with("ETag", "\"1\""),
                (1, "shorter now") => Answer::status("416 Range Not Satisfiable"),
                (_, "ignores ranges") => Answer::body(then.clone()).with("ETag", "\"1\""),
                _ => Answer::file(&then, changed, request),
            }
        })
        .await;
        let world = World::new(&[&server.address]);
        assert_eq!(code(&world.fetch().await), "fetched", "{kind}");
        assert!(world.has(&new), "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_the_file_is_refused_by_name() {
    let bytes = file();
    let mut flipped = bytes.clone();
    flipped[300_000] ^= 1;
    let wrong = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    let page = "<!DOCTYPE html><html><head><title>Grand Hotel: sign in</title></head></html>";
    let cases: [(&str, Answer); 14] = [
        ("weights.page-instead", Answer::body(page).with("Content-Type", "text/html; charset=utf-8")),
        ("weights.page-instead", Answer::body(format!("\n {page}"))),
        ("weights.page-instead", Answer::status("511 Network Authentication Required")),
        ("weights.not-weights", Answer::body("version https://git-lfs.github.com/spec/v1\noid sha256:00\n")),
        ("weights.not-weights", Answer::body("")),
        ("weights.not-weights", Answer::body(checkpoint::archive(&[("readme.txt", b"hello")]))),
        ("weights.cut-off", Answer { told: false, ..Answer::body(&bytes[..400_000]) }),
        ("weights.damaged", Answer::body(flipped)),
        ("weights.damaged", Answer::body(checkpoint::archive(&[("data.pkl", &b"\x80\x02}"[..])]))),
        ("weights.digest-mismatch", Answer::body(bytes.clone()).with("Repr-Digest", format!("sha-256=:{wrong}:"))),
        ("weights.digest-mismatch", Answer::body(bytes.clone()).with("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")),
        ("weights.other-model", Answer::body(checkpoint::of("yolo26n", 5000))),
        ("weights.other-model", Answer::body(foreign())),
        ("weights.other-model", Answer::body(checkpoint::archive(&[("data.pkl", b"\x80\x02}.")]))),
    ];
    for (expected, answer) in cases {
        let told = format!("{answer:.300?}");
        let server = Server::start(move |_, _| answer.clone()).await;
        let world = World::new(&[&server.address]);
        let problem = world.fetch().await.unwrap_err();
        assert_eq!(problem.code, expected, "{told}");
        // Nothing of it stays to be gone on with.
        assert_eq!(world.files(), Vec::<String>::new(), "{told}");
        if expected == "weights.page-instead" && told.contains("title") {
            assert_eq!(problem.causes, ["Grand Hotel: sign in"]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn why_an_address_does_not_give_it_is_told_and_the_next_one_is_asked() {
    let bytes = file();
    let served = bytes.clone();
    let good = Server::start(move |request, _| Answer::file(&served, "\"1\"", request)).await;
    let answering = async |status| Server::start(move |_, _| Answer::status(status)).await;
    let missing = answering("404 Not Found").await;
    for (status, expected) in [
        ("404 Not Found", "weights.not-found"),
        ("401 Unauthorized", "weights.refused"),
        ("403 Forbidden", "weights.refused"),
        ("429 Too Many Requests", "weights.server-failed"),
        ("503 Service Unavailable", "weights.server-failed"),
        ("206 Partial Content", "weights.server-failed"),
    ] {
        let server = answering(status).await;
        assert_eq!(code(&World::new(&[&server.address]).fetch().await), expected, "{status}");
    }
    for (mirror, expected) in [
        ("http://nowhere.invalid/", "weights.no-such-host"),
        // Nothing listens on the first port.
        ("http://127.0.0.1:1/", "weights.unreachable"),
        ("ftp://127.0.0.1/", "environment.source-invalid"),
    ] {
        assert_eq!(code(&World::new(&[mirror]).fetch().await), expected, "{mirror}");
    }

    let mut world = World::new(&[&missing.address, "http://127.0.0.1:1/", &good.address]);
    assert_eq!(world.fetch().await.unwrap().url, Some(format!("{}/yolov8n.pt", good.address)));
    let failed: Vec<_> = world
        .progress
        .lock()
        .unwrap()
        .iter()
        .filter_map(|step| match step {
            WeightsProgress::Failed { problem } => Some(problem.code.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(failed, ["weights.not-found", "weights.unreachable"]);

    world.settings.sources.weights.pop();
    let problem = world.fetch_so(|fetch| fetch.again = true).await.unwrap_err();
    assert_eq!(problem.code, "weights.no-mirror");
    assert_eq!(problem.causes[0], format!("{}/yolov8n.pt: 404 Not Found", missing.address));
    assert!(problem.causes[1].contains("127.0.0.1:1") && problem.causes[1].contains("refused"), "{problem:?}");
    // The file that works is left alone.
    assert!(world.has(&bytes));
    let unknown = world.fetch_so(|fetch| fetch.model = "../../evil".to_owned()).await;
    assert_eq!(code(&unknown), "weights.unknown-model");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_stall_are_not_waited_for_for_ever() {
    for end in [End::Stalls(0), End::Stalls(100_000), End::Trickles(100_000)] {
        let bytes = file();
        let server = Server::start(move |request, _| Answer::file(&bytes, "\"1\"", request).ending(end)).await;
        let mut world = World::new(&[&server.address]);
        world.patience =
            Patience { stall: Duration::from_millis(300), least: 10_000, attempts: 2, pause: Duration::from_millis(1) };
        // Each attempt brings something, so that it goes on, until the end of what comes quickly is near.
        let result = world.fetch().await;
        assert!(matches!(code(&result), "weights.timed-out" | "fetched"), "{end:?}: {result:?}");
        if matches!(end, End::Stalls(0)) {
            assert_eq!((code(&result), server.seen().len()), ("weights.timed-out", 1));
        } else {
            assert!(server.seen().len() > 2, "{end:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_stay_with_the_server_they_are_for() {
    let bytes = file();
    let served = bytes.clone();
    let other = Server::start(move |request, _| Answer::file(&served, "\"1\"", request)).await;
    let to = format!("{}/elsewhere?signed=1", other.address);
    let server = Server::start(move |_, _| Answer::status("302 Found").with("Location", to.clone())).await;
    let world = World::new(&[&server.address.replace("http://", "http://me:s3cret@")]);
    let outcome = world.fetch().await.unwrap();
    assert!(world.has(&bytes));
    assert_eq!(outcome.url, Some(format!("{}/yolov8n.pt", server.address)));
    assert!(server.seen()[0].header("authorization").unwrap().starts_with("Basic "));
    let [request] = other.seen().try_into().unwrap();
    assert_eq!((request.target.as_str(), request.header("authorization")), ("/elsewhere?signed=1", None));
    assert!(!format!("{request:?}").contains("s3cret"));
    for name in world.files() {
        let content = std::fs::read(world.dirs.weights().join(name)).unwrap();
        assert!(!content.windows(6).any(|window| window == b"s3cret"));
    }

    // Nor does a file come over an open line where a safe one was asked for.
    let authority = world.folder.path().join("company.pem");
    let to = other.address.clone();
    let safe =
        Server::start_tls(&authority, move |_, _| Answer::status("302 Found").with("Location", to.clone())).await;
    let mut world = World::new(&[&safe.address]);
    assert_eq!(code(&world.fetch().await), "weights.certificate-refused");
    world.settings.sources.ca_file = Some(authority);
    assert_eq!(code(&world.fetch().await), "weights.redirected-astray");
    assert_eq!(other.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_of_the_settings_is_gone_through() {
    let bytes = file();
    let served = bytes.clone();
    let proxy = Server::start(move |request, _| Answer::file(&served, "\"1\"", request)).await;
    let mut world = World::new(&["http://nowhere.invalid/pt"]);
    world.settings.sources.proxy = Some(proxy.address.clone());
    assert_eq!(code(&world.fetch().await), "fetched");
    assert_eq!(proxy.seen()[0].target, "http://nowhere.invalid/pt/yolov8n.pt");

    world.settings.sources.proxy = Some("http://me:s3cret@127.0.0.1:1".to_owned());
    let problem = world.fetch_so(|fetch| fetch.again = true).await.unwrap_err();
    assert_eq!(
        (problem.code.as_str(), &problem.args["proxy"]),
        ("weights.proxy-failed", &"http://127.0.0.1:1/".into())
    );
    assert!(!serde_json::to_string(&problem).unwrap().contains("s3cret"));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_fetch_it_once() {
    let bytes = file();
    let served = bytes.clone();
    let mut server = Server::start(move |request, before| {
        let answer = Answer::file(&served, "\"1\"", request);
        if before == 0 { answer.ending(End::Stalls(200_000)) } else { answer }
    })
    .await;
    let mut world = World::new(&[&server.address]);
    world.patience.stall = Duration::from_secs(2);
    let world = Arc::new(world);
    let fetch = || {
        let world = Arc::clone(&world);
        tokio::spawn(async move { world.fetch().await })
    };
    let first = fetch();
    server.stalled().await;
    let second = fetch();
    let outcomes = [first.await.unwrap().unwrap(), second.await.unwrap().unwrap()];
    assert!(outcomes[0].url.is_some() && outcomes[1].url.is_none(), "{outcomes:?}");
    assert_eq!(outcomes[0].sha256, outcomes[1].sha256);
    assert_eq!(server.seen().len(), 2, "the first one's two attempts");
    assert!(world.progress.lock().unwrap().contains(&WeightsProgress::Waiting));
    assert!(world.has(&bytes));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_named_and_what_came_stays() {
    let bytes = checkpoint::of(MODEL, 3_000_000);
    let served = bytes.clone();
    let server = Server::start(move |request, before| {
        let answer = Answer::file(&served, "\"1\"", request);
        // The second one does not say how much comes.
        Answer { told: before != 1, ..answer }
    })
    .await;
    let mut world = World::new(&[&server.address]);
    let at = world.folder.path().join("small");
    let Some(_volume) = crate::environment::Volume::mount(at.clone(), "2m") else { return };
    world.dirs = Dirs::new(at.join("app"));
    world.dirs.create().unwrap();

    let problem = world.fetch().await.unwrap_err();
    assert_eq!((problem.code.as_str(), &problem.args["need"]), ("weights.disk-full", &(bytes.len() as u64).into()));
    assert_eq!(world.part(), 0);

    let problem = world.fetch().await.unwrap_err();
    assert_eq!(problem.code, "weights.disk-full");
    assert!(problem.causes.iter().any(|cause| cause.contains("No space left")), "{problem:?}");
    assert!(world.part() > 1_000_000, "{}", world.part());
    assert!(weights::remove(&world.dirs, MODEL).unwrap() > 1_000_000);
}

#[tokio::test]
async fn what_the_trainer_itself_saves_is_read() {
    let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON").map(PathBuf::from) else {
        eprintln!("skipped: PREFLIGHT_TEST_PYTHON names no environment");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let dirs = Dirs::new(folder.path().join("app"));
    std::fs::create_dir_all(dirs.trainer()).unwrap();
    let names = ["yolov8n", "yolo11n", "yolo26n", "yolov8n-seg", "yolo11n-pose", "yolo11n-obb", "yolo11n-cls"];
    let script = format!(
        "import sys, torch\nfrom ultralytics import YOLO\nfor name in {names:?}:\n    \
             model = YOLO(name + '.yaml')\n    \
             model.save(sys.argv[1] + '/' + name + '.pt')\n    \
             print(sum(p.numel() for p in model.model.parameters()))\n\
         torch.save(model.model.state_dict(), sys.argv[1] + '/state.pt')\n\
         torch.save(torch.zeros(3), sys.argv[1] + '/tensor.pt')\n"
    );
    let run = tokio::process::Command::new(&python)
        .args(["-c", &script])
        .arg(folder.path())
        .envs(preflight_engine::environment::python::variables(&dirs, &python))
        .current_dir(dirs.trainer())
        .output()
        .await
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8(run.stdout).unwrap();
    let counts: Vec<u64> = said.lines().filter_map(|line| line.parse().ok()).collect();
    let read = |name: &str| weights::examine(&folder.path().join(format!("{name}.pt"))).unwrap().unwrap().contents;
    for (name, count) in names.iter().zip(counts) {
        let Contents::Model { checkpoint } = read(name) else { panic!("{name}: {:?}", read(name)) };
        assert_eq!(checkpoint.parameters, count, "{name}");
        let (model, task) = name.split_once('-').unwrap_or((name, "detect"));
        let task_name = format!("{:?}", checkpoint.task.unwrap()).to_lowercase();
        assert_eq!(
            task_name,
            match task {
                "seg" => "segment",
                "cls" => "classify",
                task => task,
            }
        );
        let has_name = checkpoint.model.as_deref() == Some(model);
        assert_eq!((has_name, checkpoint.unfinished), (task == "detect", false), "{name} {checkpoint:?}");
        assert!(checkpoint.classes >= 1);
    }
    assert_eq!(read("state"), Contents::NoModel);
    assert_eq!(read("tensor"), Contents::NoModel);
    assert!(Path::new(&python).exists());
}
