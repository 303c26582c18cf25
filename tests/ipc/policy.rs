use std::path::Path;

use serde_json::{Value, json};

fn read(file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()).unwrap()
}

/// What `default-src` does not cover, or would allow too much, is said.
#[test]
fn the_page_loads_its_own_parts_and_sends_nothing_anywhere() {
    let configuration = read("tauri.conf.json");
    let policy = configuration["app"]["security"]["csp"].as_str().unwrap();
    let directives: Vec<&str> = policy.split("; ").collect();
    for closed in ["object-src", "base-uri", "form-action", "frame-src", "frame-ancestors"] {
        assert!(directives.contains(&format!("{closed} 'none'").as_str()), "{closed}");
    }
    assert!(directives.contains(&"default-src 'self'"));
    assert!(!directives.iter().any(|directive| directive.starts_with("script-src")));
    for loose in ["*", "https:", "unsafe-eval", "asset:", "file:", "blob:"] {
        assert!(!policy.contains(loose), "{loose}");
    }
}

#[test]
fn the_page_may_call_our_commands_and_hear_events() {
    let capability = read("src-tauri/capabilities/main.json");
    assert_eq!(capability["permissions"], json!(["core:event:allow-listen", "core:event:allow-unlisten"]));
    assert_eq!(capability["windows"], json!(["main"]));
    assert!(capability.get("remote").is_none());
}
