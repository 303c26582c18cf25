use std::path::Path;

use preflight_core::plan::Plan;
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder, mock_context, noop_assets};
use tauri::webview::InvokeRequest;

/// The app over a folder, without a window on a screen.
struct App {
    _app: tauri::App<MockRuntime>,
    window: tauri::WebviewWindow<MockRuntime>,
}

impl App {
    fn at(home: &Path) -> Self {
        let engine = Engine::open(Dirs::new(home)).unwrap();
        let app = yolo_preflight::build(mock_builder(), mock_context(noop_assets()), engine).unwrap();
        let window = tauri::WebviewWindowBuilder::new(&app, "main", tauri::WebviewUrl::default()).build().unwrap();
        Self { _app: app, window }
    }

    /// What the command answers, or the problem it has.
    fn call(&self, command: &str, arguments: Value) -> Result<Value, Value> {
        let request = InvokeRequest {
            cmd: command.to_owned(),
            callback: CallbackFn(0),
            error: CallbackFn(1),
            url: "tauri://localhost".parse().unwrap(),
            body: InvokeBody::Json(arguments),
            headers: tauri::http::HeaderMap::default(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        get_ipc_response(&self.window, request).map(|body| body.deserialize().unwrap())
    }

    fn refusal(&self, command: &str, arguments: Value) -> String {
        self.call(command, arguments).unwrap_err()["code"].as_str().unwrap().to_owned()
    }
}

fn draft(model: &str) -> Value {
    let mut plan = Plan::default();
    plan.model.name = model.to_owned();
    json!({ "step": "model", "furthest": "target", "plan": plan })
}

#[test]
fn an_unfinished_wizard_survives_a_restart() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(App::at(home.path()).call("draft", json!({})), Ok(Value::Null));
    App::at(home.path()).call("save_draft", json!({ "draft": draft("yolo11m") })).unwrap();
    assert_eq!(App::at(home.path()).call("draft", json!({})), Ok(draft("yolo11m")));
    App::at(home.path()).call("save_draft", json!({ "draft": null })).unwrap();
    assert_eq!(App::at(home.path()).call("draft", json!({})), Ok(Value::Null));
}

#[test]
fn the_sample_is_drawn_looked_at_and_remembered() {
    let home = tempfile::tempdir().unwrap();
    let app = App::at(home.path());
    let yaml = app.call("create_sample", json!({})).unwrap();
    let view = app.call("inspect_dataset", json!({ "path": yaml, "onProgress": "__CHANNEL__:1" })).unwrap();
    assert_eq!(view["health"], Value::Null);
    assert_eq!(app.call("settings", json!({})).unwrap()["recent_datasets"], json!([yaml]));

    let filter = json!({ "split": "val", "class": null, "finding": null, "name": "" });
    let matches = app.call("matching_images", json!({ "path": yaml, "filter": filter })).unwrap();
    assert!(matches["total"].as_u64().unwrap() < matches["all"].as_u64().unwrap());
    let next = json!({ "path": yaml, "filter": filter, "offset": 2, "count": 3 });
    let images = app.call("dataset_images", next).unwrap();
    let images = images.as_array().unwrap();
    assert_eq!(images.len(), 3);
    assert!(images.iter().all(|image| image["split"] == "val" && !image["image"].as_str().unwrap().contains('/')));
    let one = json!({ "path": yaml, "file": images[0]["file"] });
    assert_eq!(app.call("dataset_picture", one).unwrap()["name"], images[0]["name"]);
    assert_eq!(app.call("dataset_picture", json!({ "path": yaml, "file": "/etc/passwd" })), Ok(Value::Null));
    assert_eq!(
        app.refusal("convert_dataset", json!({ "folder": "/nowhere", "onProgress": "__CHANNEL__:2" })),
        "dataset.nothing-proposed"
    );
}

#[test]
fn settings_are_kept_and_recent_datasets_are_not_the_windows_to_change() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("settings.toml"), "recent_datasets = [\"/data/plates\"]\n").unwrap();
    let app = App::at(home.path());
    let mut settings = app.call("settings", json!({})).unwrap();
    settings["theme"] = json!("dark");
    settings["language"] = json!("zh-CN");
    settings["recent_datasets"] = json!([]);
    app.call("change_settings", json!({ "settings": settings })).unwrap();
    settings["recent_datasets"] = json!(["/data/plates"]);
    assert_eq!(App::at(home.path()).call("settings", json!({})), Ok(settings));
    assert_eq!(app.call("app_info", json!({})).unwrap()["language"], "zh-CN");
}

#[test]
fn nothing_is_opened_that_the_backend_did_not_name() {
    let home = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let secret = elsewhere.path().join("secret.txt");
    std::fs::write(&secret, "secret").unwrap();
    let app = App::at(home.path());
    let climbing = home.path().join("..").join(elsewhere.path().file_name().unwrap()).join("secret.txt");
    for path in [secret.as_path(), &climbing, Path::new("/etc/passwd"), Path::new("--help"), Path::new("")] {
        assert_eq!(app.refusal("open_file", json!({ "path": path })), "open.refused");
    }
    for url in ["https://example.com/", "file:///etc/passwd", "javascript:alert(1)", "", "--help"] {
        assert_eq!(app.refusal("open_url", json!({ "url": url })), "open.refused");
    }
    for id in ["none", "../..", "$(touch x)", "--help", "a\nb", ""] {
        assert_eq!(app.refusal("open_folder", json!({ "id": id })), "run.not-found");
        assert_eq!(app.refusal("run", json!({ "id": id })), "run.not-found");
        assert_eq!(app.refusal("run_log", json!({ "id": id, "first": 0, "count": 10 })), "run.not-found");
    }
}

#[test]
fn a_plan_that_cannot_start_is_not_started() {
    let home = tempfile::tempdir().unwrap();
    let app = App::at(home.path());
    let arguments = json!({ "plan": Plan::default(), "accepted": [], "anew": true });
    assert_eq!(app.call("preflight", arguments.clone()).unwrap()["verdict"], "blocked");
    assert_eq!(app.refusal("start_run", arguments), "run.blocked");
    assert_eq!(app.call("runs", json!({})), Ok(json!([])));
}
