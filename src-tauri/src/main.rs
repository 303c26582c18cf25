//! x
fn main() {
    yolo_preflight::run();
}
