//! What must be on the machine before anything can be built or tested: looked for by trying, installed with the
//! system's package manager.

use std::process::{Command, Stdio};

use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::steps::Steps;
use crate::surroundings::Surroundings;

/// How something is found out to be there.
#[derive(Debug, Clone, Copy)]
enum Probe {
    /// A program that answers.
    Program(&'static str, &'static [&'static str]),
    /// A library with its headers.
    Library(&'static str),
    /// A font for a language.
    Font(&'static str),
}

/// What for; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// The command line.
    Terminal,
    /// The app.
    Window,
    /// All tests.
    Test,
}

/// Something the machine must have, and the packages that bring it.
struct Need {
    what: &'static str,
    probe: Probe,
    used: Use,
    apt: &'static str,
    dnf: &'static str,
    pacman: &'static str,
}

/// Linux only: macOS and Windows bring a web view, and their compilers have installers of their own. Only the column
/// for apt was run. Not `dbus-x11`: with it GTK starts session buses that outlive the tests.
const NEEDS: [Need; 13] = [
    Need {
        what: "a C compiler",
        probe: Probe::Program("cc", &["--version"]),
        used: Use::Terminal,
        apt: "build-essential",
        dnf: "gcc",
        pacman: "base-devel",
    },
    Need {
        what: "pkg-config",
        probe: Probe::Program("pkg-config", &["--version"]),
        used: Use::Window,
        apt: "pkg-config",
        dnf: "pkgconf-pkg-config",
        pacman: "pkgconf",
    },
    Need {
        what: "WebKitGTK 4.1",
        probe: Probe::Library("webkit2gtk-4.1"),
        used: Use::Window,
        apt: "libwebkit2gtk-4.1-dev",
        dnf: "webkit2gtk4.1-devel",
        pacman: "webkit2gtk-4.1",
    },
    Need {
        what: "Python 3",
        probe: Probe::Program("python3", &["--version"]),
        used: Use::Terminal,
        apt: "python3",
        dnf: "python3",
        pacman: "python",
    },
    Need {
        what: "a virtual display",
        probe: Probe::Program("xvfb-run", &["--help"]),
        used: Use::Test,
        apt: "xvfb",
        dnf: "xorg-x11-server-Xvfb",
        pacman: "xorg-server-xvfb",
    },
    Need {
        what: "xauth",
        probe: Probe::Program("xauth", &["-V"]),
        used: Use::Test,
        apt: "xauth",
        dnf: "xorg-x11-xauth",
        pacman: "xorg-xauth",
    },
    Need {
        what: "WebKit's driver",
        probe: Probe::Program("WebKitWebDriver", &["--help"]),
        used: Use::Test,
        apt: "webkit2gtk-driver",
        dnf: "/usr/bin/WebKitWebDriver",
        pacman: "webkit2gtk-4.1",
    },
    Need {
        what: "keys and pointer for the virtual display",
        probe: Probe::Program("xdotool", &["--version"]),
        used: Use::Test,
        apt: "xdotool",
        dnf: "xdotool",
        pacman: "xdotool",
    },
    Need {
        what: "a session bus",
        probe: Probe::Program("dbus-run-session", &["--version"]),
        used: Use::Test,
        apt: "dbus",
        dnf: "dbus-daemon",
        pacman: "dbus",
    },
    Need {
        what: "a keychain",
        probe: Probe::Program("gnome-keyring-daemon", &["--version"]),
        used: Use::Test,
        apt: "gnome-keyring",
        dnf: "gnome-keyring",
        pacman: "gnome-keyring",
    },
    Need {
        what: "git",
        probe: Probe::Program("git", &["--version"]),
        used: Use::Test,
        apt: "git",
        dnf: "git",
        pacman: "git",
    },
    Need {
        what: "a Latin font",
        probe: Probe::Font("en"),
        used: Use::Test,
        apt: "fonts-dejavu-core",
        dnf: "dejavu-sans-fonts",
        pacman: "ttf-dejavu",
    },
    Need {
        what: "a Chinese font",
        probe: Probe::Font("zh-cn"),
        used: Use::Test,
        apt: "fonts-wqy-microhei",
        dnf: "wqy-microhei-fonts",
        pacman: "wqy-microhei",
    },
];

/// A package manager.
#[derive(Debug, Clone, Copy)]
struct Manager {
    program: &'static str,
    refresh: Option<&'static [&'static str]>,
    install: &'static [&'static str],
    package: fn(&Need) -> &'static str,
}

const MANAGERS: [Manager; 3] = [
    Manager {
        program: "apt-get",
        refresh: Some(&["update"]),
        install: &["install", "--yes", "--no-install-recommends"],
        package: |need| need.apt,
    },
    Manager {
        program: "dnf",
        refresh: None,
        install: &["install", "--assumeyes", "--setopt=install_weak_deps=False"],
        package: |need| need.dnf,
    },
    Manager {
        program: "pacman",
        refresh: None,
        install: &["-Sy", "--noconfirm", "--needed"],
        package: |need| need.pacman,
    },
];

/// Installs what is missing for a use.
pub(crate) fn packages(project: &Project, steps: &Steps, used: Use) -> Outcome {
    let missing = missing(used);
    if missing.is_empty() {
        steps.note("System packages", "all there");
        return Ok(());
    }
    let what = missing.iter().map(|need| need.what).collect::<Vec<_>>().join(", ");
    let Some(manager) = MANAGERS.iter().find(|manager| answers(manager.program, &["--version"])) else {
        return Err(Failure::new(format!("Missing on this machine: {what}."))
            .remedy("install them with this system's package manager, then run this again"));
    };
    let packages: Vec<_> = missing.iter().map(|need| (manager.package)(need)).collect();
    let by_hand = format!("sudo {} {} {}", manager.program, manager.install.join(" "), packages.join(" "));
    let Some(prefix) = privilege() else {
        return Err(Failure::new(format!("Missing on this machine: {what}. Installing it needs an administrator."))
            .remedy(by_hand));
    };
    let with = |arguments: &[&str]| {
        let words: Vec<_> = prefix.iter().copied().chain([manager.program]).chain(arguments.iter().copied()).collect();
        let mut command = Surroundings::own().command(project, words[0]);
        command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    if let Some(refresh) = manager.refresh {
        // A list that can't be renewed may still be good enough.
        let _ = steps.command("System package lists", &mut with(refresh));
    }
    let mut install = with(manager.install);
    install.args(&packages);
    steps.command("System packages", &mut install).map_err(|failure| failure.remedy(by_hand))?;
    let missing = self::missing(used);
    if let Some(need) = missing.first() {
        return Err(Failure::new(format!("{} is still missing after installing {}.", need.what, packages.join(" "))));
    }
    Ok(())
}

fn missing(used: Use) -> Vec<&'static Need> {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    NEEDS.iter().filter(|need| need.used <= used && !is_there(need.probe)).collect()
}

fn is_there(probe: Probe) -> bool {
    match probe {
        Probe::Program(program, arguments) => answers(program, arguments),
        Probe::Library(name) => answers("pkg-config", &["--exists", name]),
        Probe::Font(language) => Command::new("fc-list")
            .arg(format!(":lang={language}"))
            .output()
            .is_ok_and(|output| output.status.success() && !output.stdout.is_empty()),
    }
}

/// Whether a program starts and is content.
pub(crate) fn answers(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// What a command must begin with to have an administrator's rights; `None`: a password would be asked for.
fn privilege() -> Option<&'static [&'static str]> {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if root {
        return Some(&[]);
    }
    answers("sudo", &["-n", "true"]).then_some(&["sudo", "-n"])
}
