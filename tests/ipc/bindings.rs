use std::path::Path;

/// `UPDATE_BINDINGS=1 cargo test -p yolo-preflight --test bindings` rewrites the file.
#[test]
fn the_committed_bindings_are_what_the_commands_are() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/backend/bindings.ts");
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("bindings.ts");
    yolo_preflight::ipc::<tauri::Wry>().export(specta_typescript::Typescript::default(), &fresh).unwrap();
    let fresh = complete(&std::fs::read_to_string(fresh).unwrap());
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        std::fs::create_dir_all(committed.parent().unwrap()).unwrap();
        std::fs::write(&committed, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(committed).unwrap_or_default();
    assert!(committed == fresh, "run UPDATE_BINDINGS=1 cargo test -p yolo-preflight --test bindings");
}

/// Every answer has all of its fields, also those that a file may leave out; specta cannot tell the two apart.
fn complete(bindings: &str) -> String {
    let field = |line: &str| {
        let name = line.trim_start_matches('\t').split(':').next().unwrap_or_default();
        name.ends_with('?') && name.trim_end_matches('?').chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let line = |line: &str| if field(line) { line.replacen("?:", ":", 1) } else { line.to_owned() };
    bindings.split('\n').map(line).collect::<Vec<_>>().join("\n")
}
