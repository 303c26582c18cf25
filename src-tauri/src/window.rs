//! The one window.

use std::path::Path;
use std::process::ExitCode;

use preflight_engine::dirs::{Dirs, HOME_VARIABLE};
use preflight_engine::settings::{Settings, Theme};
use tauri::webview::NewWindowResponse;
use tauri::window::Color;
use tauri::{App, AppHandle, Context, Manager, Runtime, Url, WebviewUrl, WebviewWindowBuilder};

/// The window's label; `capabilities/main.json` names it.
pub(crate) const LABEL: &str = "main";

/// What is drawn before the page is: the page's own background (`--bg` of its tokens).
const LIGHT: Color = Color(244, 244, 245, 255);
const DARK: Color = Color(22, 23, 25, 255);

/// In the locale `C`, WebKitGTK names a language that its own `Intl` refuses; libraries that ask for it would leave
/// the window empty.
const VALID_LANGUAGE: &str = "try { Intl.getCanonicalLocales(navigator.language); } \
    catch { Object.defineProperty(navigator, 'language', { value: 'en' }); }";

/// Opens it.
pub(crate) fn open<R: Runtime>(app: &App<R>, settings: &Settings, home: &Path) -> tauri::Result<()> {
    let theme = theme(settings.theme);
    let server = app.config().build.dev_url.clone().filter(|_| tauri::is_dev());
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("YOLO Preflight")
        .inner_size(1180.0, 780.0)
        .min_inner_size(760.0, 560.0)
        .theme(theme)
        .background_color(background(theme))
        .initialization_script(VALID_LANGUAGE)
        .on_navigation(move |url| is_own(url, server.as_ref()))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        // What the web view keeps is under the same root as everything else.
        .data_directory(home.join("webview"))
        .build()?;
    if theme.is_none() && window.theme().is_ok_and(|theme| theme == tauri::Theme::Dark) {
        window.set_background_color(Some(DARK))?;
    }
    Ok(())
}

/// Whether an address is the app's own: it is loaded from the program, or from the server that someone develops it
/// with. The window goes nowhere else; pages open in the browser.
fn is_own(url: &Url, server: Option<&Url>) -> bool {
    let embedded = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // Windows knows no schemes of its own.
        "http" | "https" => cfg!(windows) && url.host_str() == Some("tauri.localhost"),
        _ => false,
    };
    embedded || server.is_some_and(|server| server.origin() == url.origin())
}

/// Follows a change of the settings.
pub(crate) fn follow<R: Runtime>(app: &AppHandle<R>, settings: &Settings) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // A system without themes keeps its look; the page has its own.
        let _ = window.set_theme(theme(settings.theme));
    }
}

/// Brings it to the front: someone started the app a second time.
pub(crate) fn focus<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // Whatever of this the window manager refuses, the window is there.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

fn theme(theme: Theme) -> Option<tauri::Theme> {
    match theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    }
}

fn background(theme: Option<tauri::Theme>) -> Color {
    if theme == Some(tauri::Theme::Dark) { DARK } else { LIGHT }
}

/// Whether a window can open at all. Where it cannot, GTK would end the process without a word a person could use.
#[must_use]
pub(crate) fn has_desktop() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// One instance for each root folder: a person who set `PREFLIGHT_HOME` wants another world, not the window of
/// the first.
pub(crate) fn name_instance<R: Runtime>(context: &mut Context<R>, dirs: &Dirs) {
    if std::env::var_os(HOME_VARIABLE).is_some() {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        dirs.root().hash(&mut hasher);
        let identifier = &mut context.config_mut().identifier;
        *identifier = format!("{identifier}.h{:016x}", hasher.finish());
    }
}

/// What WebKitGTK must be told on this computer, before the first library looks: where nobody decided otherwise, the program
/// starts itself anew with the variable set. Under WebDriver either of them would make screenshots hang.
#[cfg(target_os = "linux")]
pub(crate) fn restart_with_workaround() -> Option<ExitCode> {
    use std::os::unix::process::CommandExt;

    let set = |name: &str| std::env::var_os(name).is_some();
    let variable = workaround().filter(|variable| !set(variable) && !set("TAURI_WEBVIEW_AUTOMATION"))?;
    let program = std::env::current_exe().ok()?;
    // It only returns when it failed; then the window is opened as it is.
    let _ = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(variable, "1").exec();
    None
}

#[cfg(target_os = "linux")]
fn workaround() -> Option<&'static str> {
    if ["/proc/driver/nvidia/version", "/sys/module/nvidia"].iter().any(|path| Path::new(path).exists()) {
        // Sharing buffers by DMA-BUF, it draws an empty window on NVIDIA's driver.
        return Some("WEBKIT_DISABLE_DMABUF_RENDERER");
    }
    // In WSL, the card is another device.
    let has_card = Path::new("/dev/dxg").exists()
        || std::fs::read_dir("/dev/dri").is_ok_and(|found| {
            found.flatten().any(|device| device.file_name().as_encoded_bytes().starts_with(b"renderD"))
        });
    // Where no card draws, the processor would play one for every frame, which takes longer than to draw what changed.
    (!has_card).then_some("WEBKIT_DISABLE_COMPOSITING_MODE")
}

/// Nothing to work around.
#[cfg(not(target_os = "linux"))]
pub(crate) fn restart_with_workaround() -> Option<ExitCode> {
    None
}
