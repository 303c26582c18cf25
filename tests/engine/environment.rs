//! Making, trying and removing training environments, with the real uv, a local index and small packages.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState, TorchBuild};
use preflight_core::problem::Problem;
use preflight_engine::dirs::Dirs;
use preflight_engine::environment::{self, Recipe};
use preflight_engine::settings::{Settings, Sources};
use tokio_util::sync::CancellationToken;

pub(crate) mod index;
mod kit;
mod wheels;

use index::{Behaviour, Index};

/// A computer of its own: the app's folder, settings, a package cache, and the installer at hand.
struct World {
    folder: tempfile::TempDir,
    dirs: Dirs,
    settings: Settings,
    progress: Arc<Mutex<Vec<EnvironmentProgress>>>,
    cancel: CancellationToken,
}

impl World {
    /// `None`, and a line that says so, where no uv is at hand.
    fn new() -> Option<Self> {
        let uv = uv()?;
        let world = Self::without_installer();
        world.dirs.create().unwrap();
        std::fs::create_dir(world.dirs.tools()).unwrap();
        std::os::unix::fs::symlink(uv, world.dirs.tools().join("uv")).unwrap();
        Some(world)
    }

    fn without_installer() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // A person's name and a space are part of many paths.
        let dirs = Dirs::new(folder.path().join("王 芳/app"));
        let sources = Sources { package_cache: Some(folder.path().join("cache")), ..Sources::default() };
        let settings = Settings { sources, ..Settings::default() };
        Self { folder, dirs, settings, progress: Arc::default(), cancel: CancellationToken::new() }
    }

    fn with_index(mut self, url: &str) -> Self {
        self.settings.sources.index = Some(url.to_owned());
        self
    }

    async fn create(&self) -> Result<Environment, Problem> {
        self.create_by(recipe()).await
    }

    async fn create_by(&self, recipe: Recipe) -> Result<Environment, Problem> {
        let progress = Arc::clone(&self.progress);
        let progress = Arc::new(move |step| progress.lock().unwrap().push(step));
        environment::create_from(&self.dirs, &self.settings, recipe, progress, self.cancel.clone()).await
    }

    fn steps(&self) -> Vec<&'static str> {
        let mut steps = Vec::new();
        for step in self.progress.lock().unwrap().iter() {
            let step = match step {
                EnvironmentProgress::FetchingInstaller => "installer",
                EnvironmentProgress::Python { .. } => "python",
                EnvironmentProgress::Resolving => "resolving",
                EnvironmentProgress::Installing { .. } => "installing",
                EnvironmentProgress::Verifying => "verifying",
                EnvironmentProgress::Note { .. } => "note",
            };
            if steps.last() != Some(&step) {
                steps.push(step);
            }
        }
        steps
    }

    /// The names in the app's folder that have to do with environments.
    fn environments(&self) -> Vec<String> {
        let names =
            std::fs::read_dir(self.dirs.root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> =
            names.filter(|name| name.starts_with("environment") && name != "environment.lock").collect();
        names.sort();
        names
    }
}

/// A small one, from a file as the variable names it.
fn recipe() -> Recipe {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let packages = "['ultralytics-opencv-headless==8.4.190', 'torch==2.15.0', 'torchvision==0.29.2']";
    write!(file, "packages = {packages}\ndownload = 1000\ndisk = 1000").unwrap();
    Recipe::read(file.path()).unwrap()
}

/// The app's own choice, for packages that are small.
fn app_recipe(build: &str, os: &str, torch_index_is_set: bool) -> Recipe {
    let build = if build == "cpu" { TorchBuild::Cpu } else { TorchBuild::Cuda(build.to_owned()) };
    let mut recipe = Recipe::of(&build, os, "x86_64", torch_index_is_set).unwrap();
    recipe.disk = 1000;
    recipe
}

/// The real installer: on the path, or where the tests' environment was made with it.
fn uv() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("uv"));
    let python = std::env::var_os("PREFLIGHT_TEST_PYTHON").map(PathBuf::from);
    let beside = python.and_then(|python| Some(python.ancestors().nth(3)?.join("tools/uv")));
    let found = on_path.chain(beside).find(|uv| uv.is_file());
    if found.is_none() {
        eprintln!("skipped: no uv on the path, nor beside the environment of PREFLIGHT_TEST_PYTHON");
    }
    found
}

fn code(result: Result<Environment, Problem>) -> String {
    result.map_or_else(|problem| problem.code, |environment| format!("made {}", environment.torch))
}

/// Processes that have a text among their arguments.
fn processes(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let arguments = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments).replace('\0', " ");
        if arguments.contains(text) {
            found.push(arguments);
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn made_with_a_fetched_installer_then_mended_then_removed() {
    let Some(uv) = uv() else { return };
    let mut offered = wheels::all();
    offered.push(wheels::uv(&uv));
    let index = Index::start(Behaviour { wheels: offered, ..Behaviour::default() }).await;
    let world = World::without_installer().with_index(&index.url());
    assert_eq!(environment::own(&world.dirs).await, EnvironmentState::Missing);

    world.dirs.create().unwrap();
    // The machine of who runs the tests may have its own.
    let at_hand = environment::installer::find(&world.dirs).await.is_some();
    let made = world.create().await.unwrap();
    let first = if at_hand { "python" } else { "installer" };
    let steps = world.steps();
    assert_eq!((steps[0], steps.last().copied()), (first, Some("verifying")), "{steps:?}");
    assert_eq!(
        (made.torch.as_str(), made.ultralytics.as_str(), made.torch_cuda.as_deref()),
        ("2.15.0", "8.4.190", None)
    );
    assert!(made.managed && made.python == world.dirs.environment().join("bin/python"));
    assert_eq!(environment::own(&world.dirs).await, EnvironmentState::Ready { environment: made.clone() });
    assert_eq!(world.environments(), ["environment"]);

    // Compiled when it was tried, so that it loads quickly from then on.
    let compiled = walkdir::WalkDir::new(world.dirs.environment()).into_iter().flatten();
    assert!(
        compiled.map(walkdir::DirEntry::into_path).any(|path| path.to_string_lossy().contains("torch/__pycache__/"))
    );

    // What was made elsewhere and renamed still knows nothing of that.
    let script = std::fs::read_to_string(world.dirs.environment().join("bin/activate")).unwrap();
    assert!(!script.contains("environment.partial"));

    // Somebody deletes a package by hand.
    let package = made.python.parent().unwrap().join("../lib");
    let package =
        walkdir::WalkDir::new(package).into_iter().flatten().find(|entry| entry.file_name() == "torchvision").unwrap();
    std::fs::remove_dir_all(package.path()).unwrap();
    let EnvironmentState::Broken { problem, managed: true, .. } = environment::own(&world.dirs).await else {
        panic!("works")
    };
    assert_eq!((problem.code.as_str(), &problem.args["module"]), ("environment.module-missing", &"torchvision".into()));
    assert_eq!(world.create().await.unwrap(), made);
    assert_eq!(world.environments(), ["environment"]);

    assert!(environment::remove(&world.dirs).await.unwrap() > 0);
    assert_eq!(world.environments(), Vec::<String>::new());
    assert_eq!(environment::own(&world.dirs).await, EnvironmentState::Missing);
    assert_eq!(environment::remove(&world.dirs).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn torch_comes_from_its_own_index_and_passwords_stay_where_they_are() {
    let Some(world) = World::new() else { return };
    let torch = vec![
        wheels::torch("2.15.0+cpu"),
        wheels::torchvision("0.29.2+cpu"),
        wheels::Wheel::new("cloudpickle", "9.9", &[]),
    ];
    let behaviour =
        Behaviour { wheels: wheels::all(), torch, password: Some("me:s3cret"), html: true, ..Behaviour::default() };
    let index = Index::start(behaviour).await;
    let with_password = index.address.replace("http://", "http://me:s3cret@");
    let mut world = world.with_index(&format!("{with_password}/simple"));
    world.settings.sources.torch_index = Some(format!("{with_password}/torch"));
    let recipe = app_recipe("cpu", "linux", true);
    let made = world.create_by(recipe.clone()).await.unwrap();
    assert_eq!((made.torch.as_str(), made.torchvision.as_str()), ("2.15.0+cpu", "0.29.2+cpu"));
    // Everything else does not come from there, although it is there as well.
    let requests = index.seen();
    assert!(!requests.iter().any(|path| path.contains("/torch/cpu/cloudpickle")), "{requests:?}");

    for entry in walkdir::WalkDir::new(world.dirs.root()).follow_links(false).into_iter().flatten() {
        if entry.file_type().is_file() {
            let content = std::fs::read(entry.path()).unwrap();
            assert!(!content.windows(6).any(|window| window == b"s3cret"), "{}", entry.path().display());
        }
    }

    let world = world.with_index(&format!("{}/simple", index.address.replace("http://", "http://me:wr0ng@")));
    let problem = world.create_by(recipe).await.unwrap_err();
    assert_eq!(
        (problem.code.as_str(), &problem.args["status"]),
        ("environment.index-refuses", &"401 Unauthorized".into())
    );
    assert!(!serde_json::to_string(&problem).unwrap().contains("wr0ng"));
    assert_eq!(world.environments(), ["environment"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_source_of_torch_is_never_silent() {
    let Some(world) = World::new() else { return };
    let index = Index::start(Behaviour { wheels: wheels::all(), ..Behaviour::default() }).await;
    let mut world = world.with_index(&index.url());
    world.settings.sources.torch_index = Some("http://127.0.0.1:1/whl".to_owned());

    // A person said where torch comes from: then nothing else will do.
    let problem = world.create_by(app_recipe("cpu", "linux", true)).await.unwrap_err();
    assert_eq!(problem.code, "environment.index-unreachable");
    assert_eq!(problem.args["url"], "http://127.0.0.1:1/whl/cpu/torch/".into());

    assert_eq!(code(world.create_by(app_recipe("cpu", "linux", false)).await), "made 2.15.0");
    assert!(world.steps().contains(&"note"), "{:?}", world.steps());

    // On Windows PyPI has no CUDA build.
    assert_eq!(code(world.create_by(app_recipe("cu130", "windows", false)).await), "environment.index-unreachable");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_environment_that_does_not_work_replaces_nothing() {
    let Some(world) = World::new() else { return };
    let index = Index::start(Behaviour { wheels: wheels::all(), ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    let made = world.create().await.unwrap();

    let mut broken = wheels::all();
    broken[1] = wheels::Wheel::new(
        "torch",
        "2.15.0",
        &[("torch/__init__.py", b"raise ImportError('libcudart.so.13: cannot open')")],
    );
    let index = Index::start(Behaviour { wheels: broken, ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    let problem = world.create().await.unwrap_err();
    assert_eq!((problem.code.as_str(), &problem.args["module"]), ("environment.does-not-work", &"torch".into()));
    assert_eq!(problem.causes, ["ImportError: libcudart.so.13: cannot open"]);
    assert_eq!(environment::own(&world.dirs).await, EnvironmentState::Ready { environment: made });
    assert_eq!(world.environments(), ["environment"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_in_the_middle_nothing_is_left() {
    let Some(world) = World::new() else { return };
    let mut offered = wheels::all();
    let large = vec![7; 3_000_000];
    offered[1] = wheels::Wheel::new("torch", "2.15.0", &[("torch/large.bin", &large)]);
    let stalls_at = Some("torch-2.15.0-py3-none-any.whl");
    let mut index = Index::start(Behaviour { wheels: offered, stalls_at, ..Behaviour::default() }).await;
    let world = Arc::new(world.with_index(&index.url()));
    let making = tokio::spawn({
        let world = Arc::clone(&world);
        async move { world.create().await }
    });
    index.stalled().await;

    // A second one does not fight the first.
    assert_eq!(code(world.create().await), "environment.busy");
    assert_eq!(environment::remove(&world.dirs).await.unwrap_err().code, "environment.busy");
    let own = world.folder.path().to_str().unwrap();
    assert!(!processes(own).is_empty());

    world.cancel.cancel();
    assert_eq!(code(making.await.unwrap()), "environment.cancelled");
    assert_eq!(processes(own), Vec::<String>::new());
    assert_eq!(world.environments(), Vec::<String>::new());
    let cache = std::fs::read_dir(world.folder.path().join("cache")).unwrap();
    let half = cache.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(".tmp"));
    assert_eq!(half.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_no_longer_leaves_nothing_either() {
    let Some(world) = World::new() else { return };
    let stalls_at = Some("torch-2.15.0-py3-none-any.whl");
    let mut index = Index::start(Behaviour { wheels: wheels::all(), stalls_at, ..Behaviour::default() }).await;
    let world = Arc::new(world.with_index(&index.url()));
    let making = tokio::spawn({
        let world = Arc::clone(&world);
        async move { world.create().await }
    });
    index.stalled().await;
    making.abort();
    assert!(making.await.unwrap_err().is_cancelled());
    assert_eq!(world.environments(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn leftovers_of_a_killed_attempt_are_cleared_away() {
    let Some(world) = World::new() else { return };
    let index = Index::start(Behaviour { wheels: wheels::all(), ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    world.create().await.unwrap();
    let root = world.dirs.root();
    for name in ["environment.partial-1", "environment.old-1"] {
        std::fs::create_dir(root.join(name)).unwrap();
        std::fs::write(root.join(name).join("half"), "made").unwrap();
    }
    // Killed between the two renames: the old environment has no name, and gets it back even though no new one can be made.
    std::fs::rename(world.dirs.environment(), root.join("environment.old-2")).unwrap();
    std::fs::remove_dir_all(root.join("environment.old-1")).unwrap();
    let world = world.with_index("http://127.0.0.1:1/simple");
    assert_eq!(code(world.create().await), "environment.index-unreachable");
    assert_eq!(world.environments(), ["environment"]);
    assert!(matches!(environment::own(&world.dirs).await, EnvironmentState::Ready { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn networks_that_cannot_work_are_named() {
    let Some(world) = World::new() else { return };
    let world = world.with_index("http://127.0.0.1:1/simple");
    let problem = world.create().await.unwrap_err();
    assert_eq!(problem.code, "environment.index-unreachable");
    assert!(problem.causes.iter().any(|cause| cause.contains("refused")), "{:?}", problem.causes);

    let world = world.with_index("http://no-such-host.invalid/simple");
    assert_eq!(code(world.create().await), "environment.index-unreachable");

    let portal = Some("<html><title>Hotel\n Wi-Fi</title><a href=/login>Sign in</a></html>");
    let index = Index::start(Behaviour { portal, ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    let problem = world.create().await.unwrap_err();
    assert_eq!((problem.code.as_str(), problem.causes), ("environment.not-an-index", vec!["Hotel Wi-Fi".to_owned()]));

    let index = Index::start(Behaviour { wheels: vec![wheels::torch("2.15.0")], ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    assert_eq!(code(world.create().await), "environment.package-not-found");

    let index = Index::start(Behaviour { wheels: vec![wheels::ultralytics()], ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    assert_eq!(code(world.create().await), "environment.no-solution");
    assert_eq!(world.environments(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_what_the_index_says_are_not_used() {
    let Some(world) = World::new() else { return };
    let mut offered = wheels::all();
    offered[1].sha256 = "00".repeat(32);
    let index = Index::start(Behaviour { wheels: offered, ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    assert_eq!(code(world.create().await), "environment.checksum-mismatch");
    assert_eq!(world.environments(), Vec::<String>::new());

    // The same for the installer itself.
    let program = world.folder.path().join("uv");
    std::fs::write(&program, "#!/bin/sh\necho uv 0.13.9\n").unwrap();
    let mut offered = vec![wheels::uv(&program)];
    let fetch = async |offered: &[wheels::Wheel]| {
        let index = Index::start(Behaviour { wheels: offered.to_vec(), ..Behaviour::default() }).await;
        let world = World::without_installer().with_index(&index.url());
        environment::fetch_installer(&world.dirs, &world.settings).await.map(|uv| (world, uv))
    };
    let (world, uv) = fetch(&offered).await.unwrap();
    assert_eq!(std::fs::read(&uv).unwrap(), std::fs::read(&program).unwrap());
    assert!(uv.starts_with(world.dirs.tools()));
    offered[0].sha256 = "00".repeat(32);
    assert_eq!(fetch(&offered).await.map(drop).unwrap_err().code, "environment.checksum-mismatch");
    offered[0].file = "uv-0.13.9-py3-none-win32.whl".to_owned();
    assert_eq!(fetch(&offered).await.map(drop).unwrap_err().code, "environment.no-installer");
    std::fs::write(&program, "#!/bin/sh\nexit 3\n").unwrap();
    assert_eq!(fetch(&[wheels::uv(&program)]).await.map(drop).unwrap_err().code, "environment.installer-unusable");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_is_used_for_everything() {
    let Some(world) = World::new() else { return };
    let proxy = Index::start(Behaviour { wheels: wheels::all(), ..Behaviour::default() }).await;
    let mut world = world.with_index("http://packages.invalid/simple");
    world.settings.sources.proxy = Some(proxy.address.clone());
    assert_eq!(code(world.create().await), "made 2.15.0");
    let requests = proxy.seen();
    assert!(requests.iter().all(|target| target.starts_with("http://packages.invalid/")), "{requests:?}");
    assert!(requests.iter().any(|target| target.ends_with("torch-2.15.0-py3-none-any.whl")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_companys_certificate_is_trusted_when_it_is_set() {
    let Some(world) = World::new() else { return };
    let authority = world.folder.path().join("company.pem");
    let index = Index::start_tls(Behaviour { wheels: wheels::all(), ..Behaviour::default() }, &authority).await;
    let mut world = world.with_index(&index.url());
    assert_eq!(code(world.create().await), "environment.certificate-refused");
    world.settings.sources.ca_file = Some(authority.clone());
    assert_eq!(code(world.create().await), "made 2.15.0");
    std::fs::write(&authority, "no certificate").unwrap();
    assert_eq!(code(world.create().await), "environment.certificates-unreadable");
}

/// A small volume, gone at the end of the test.
pub(crate) struct Volume(PathBuf);

impl Volume {
    pub(crate) fn mount(at: PathBuf, size: &str) -> Option<Self> {
        std::fs::create_dir_all(&at).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(&at).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(at));
        }
        eprintln!("skipped: mounting a small volume is not allowed here");
        None
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("-l").arg(&self.0).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_named_with_numbers() {
    let Some(world) = World::new() else { return };
    let Some(volume) = Volume::mount(world.folder.path().join("small"), "6m") else { return };
    let mut offered = wheels::all();
    let large: Vec<u8> = vec![7; 20_000_000];
    offered[1] = wheels::Wheel::new("torch", "2.15.0", &[("torch/large.bin", &large)]);
    let index = Index::start(Behaviour { wheels: offered, ..Behaviour::default() }).await;
    let mut world = world.with_index(&index.url());
    let tools = world.dirs.tools();
    world.dirs = Dirs::new(volume.0.join("app"));
    world.dirs.create().unwrap();
    std::os::unix::fs::symlink(tools, world.dirs.tools()).unwrap();

    // Seen before anything is done.
    let mut large = recipe();
    large.disk = 1_000_000_000;
    let problem = world.create_by(large).await.unwrap_err();
    assert_eq!((problem.code.as_str(), &problem.args["need"]), ("environment.disk-full", &1_000_000_000_u64.into()));
    assert!(index.seen().is_empty());

    // Seen in the middle.
    let problem = world.create().await.unwrap_err();
    assert_eq!(problem.code, "environment.disk-full");
    assert!(problem.causes.iter().any(|cause| cause.contains("No space left on device")), "{:?}", problem.causes);
    assert_eq!(world.environments(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_environment_that_trains_is_left_alone() {
    let Some(world) = World::new() else { return };
    let index = Index::start(Behaviour { wheels: wheels::all(), ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    let made = world.create().await.unwrap();
    // Not a child of this process, as a training is not; it ends when its input does.
    let training =
        "exec 3<&0; \"$0\" -c 'import sys; print(1, flush=True); sys.stdin.read()' <&3 & exec 0<&- 3<&-; wait";
    let mut shell = Command::new("sh")
        .args(["-c", training, made.python.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::BufReader::new(shell.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    let problem = environment::remove(&world.dirs).await.unwrap_err();
    assert_eq!(problem.code, "environment.in-use");
    assert_eq!(code(world.create().await), "environment.in-use");
    assert_eq!(environment::own(&world.dirs).await, EnvironmentState::Ready { environment: made });
    drop(shell.stdin.take());
    shell.wait().unwrap();
    environment::remove(&world.dirs).await.unwrap();
}

#[tokio::test]
async fn what_is_no_environment_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let dirs = Dirs::new(folder.path().join("app"));
    let state = async |script: &str| {
        use std::os::unix::fs::PermissionsExt;
        let python = folder.path().join("python");
        std::fs::write(&python, script).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        match environment::inspect(&dirs, &python).await {
            EnvironmentState::Broken { problem, managed: false, .. } => (problem.code, problem.causes.join(" | ")),
            other => panic!("{other:?}"),
        }
    };
    let says = |code: &str, causes: &str| (code.to_owned(), causes.to_owned());
    assert_eq!(
        state("#!/bin/sh\necho no module >&2; exit 3\n").await,
        says("environment.does-not-start", "exit status: 3 | no module")
    );
    assert_eq!(state("#!/bin/sh\nkill -SEGV $$\n").await.0, "environment.does-not-start");
    assert_eq!(state("not a program").await.0, "environment.does-not-start");
    assert_eq!(environment::inspect(&dirs, &folder.path().join("none")).await, EnvironmentState::Missing);

    // The Python it was made from is gone.
    std::fs::create_dir_all(dirs.environment().join("bin")).unwrap();
    std::os::unix::fs::symlink("/no/such/python", dirs.environment().join("bin/python")).unwrap();
    let EnvironmentState::Broken { problem, managed: true, .. } = environment::own(&dirs).await else {
        panic!("works")
    };
    assert_eq!(problem.code, "environment.python-gone");
}

#[tokio::test]
async fn the_real_environment_works() {
    let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON").map(PathBuf::from) else {
        eprintln!("skipped: PREFLIGHT_TEST_PYTHON names no environment");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let dirs = Dirs::new(folder.path().join("app"));
    let EnvironmentState::Ready { environment } = environment::inspect(&dirs, &python).await else { panic!("broken") };
    assert_eq!(environment.ultralytics, "8.4.190");
    assert!(environment.torch.starts_with("2."));
    assert!(!environment.managed);
    fonts(&dirs, &python);
}

/// Fonts are where Ultralytics looks for them, under the names it looks for.
fn fonts(dirs: &Dirs, python: &Path) {
    for _ in 0..2 {
        environment::fonts::provide(dirs, python).unwrap();
    }
    let script = "from ultralytics.utils.checks import check_font\n\
                  from PIL import ImageFont\n\
                  for name in ('Arial.ttf', 'Arial.Unicode.ttf'):\n    \
                      font = check_font(name)\n    \
                      assert str(font).endswith(name), font\n    \
                      assert ImageFont.truetype(str(font), 12).getbbox('scratch 划痕')[2] > 20\n";
    let run = Command::new(python)
        .args(["-c", script])
        .envs(environment::python::variables(dirs, python))
        .current_dir(dirs.trainer())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// The packages in an environment, with versions.
fn installed(world: &World) -> Vec<String> {
    let entries = walkdir::WalkDir::new(world.dirs.environment()).into_iter().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".dist-info")).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn what_exporting_needs_is_added_and_nothing_else_changes() {
    let Some(world) = World::new() else { return };
    let mut offered = wheels::all();
    for (name, version) in [("onnx", "1.20.0"), ("onnxslim", "0.1.90"), ("onnxruntime", "1.20.0")] {
        let module = format!("{name}/__init__.py");
        offered.push(wheels::Wheel::new(name, version, &[(module.as_str(), b"")]));
    }
    // Newer than what was tested, and newer than what is there.
    offered.push(wheels::Wheel::new("onnx", "9.0.0", &[("onnx/__init__.py", b"")]));
    offered.push(wheels::torch("2.15.1"));
    let index = Index::start(Behaviour { wheels: offered, ..Behaviour::default() }).await;
    let world = world.with_index(&index.url());
    let add = async |world: &World| {
        let progress = Arc::new(|_| {});
        let added = environment::add_onnx(&world.dirs, &world.settings, progress, world.cancel.clone()).await;
        added.map_or_else(|problem| problem.code, |()| "added".to_owned())
    };
    assert_eq!(add(&world).await, "environment.python-gone");

    let made = world.create().await.unwrap();
    let before = installed(&world);
    let missing =
        async |world: &World| environment::missing(&world.dirs, &made.python, &environment::ONNX).await.unwrap();
    assert_eq!(missing(&world).await, environment::ONNX);
    let world = world.with_index("http://127.0.0.1:9/simple");
    assert_eq!(add(&world).await, "environment.index-unreachable");
    assert_eq!(installed(&world), before);
    let world = world.with_index(&index.url());
    assert_eq!(add(&world).await, "added");
    assert_eq!(missing(&world).await, Vec::<String>::new());
    let mut expected = before;
    expected.extend(["onnx-1.20.0", "onnxruntime-1.20.0", "onnxslim-0.1.90"].map(|name| format!("{name}.dist-info")));
    expected.sort();
    assert_eq!(installed(&world), expected);
}
