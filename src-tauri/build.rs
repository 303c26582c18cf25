//! Prepares what Tauri embeds.

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    // Without this a rebuilt UI is not picked up by cargo.
    if std::path::Path::new("ui/dist").exists() {
        println!("cargo:rerun-if-changed=ui/dist");
    }
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*");
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo:warning={error:#}");
        std::process::exit(1);
    }
}
