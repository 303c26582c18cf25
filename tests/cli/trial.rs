//! `preflight trial`: with the real trainer on the processor.

use serde_json::Value;

use crate::world::World;

#[test]
fn a_plan_is_tried_out_and_the_check_knows() {
    let Ok(python) = std::env::var("PREFLIGHT_TEST_PYTHON") else {
        println!("skipped: a trial run: PREFLIGHT_TEST_PYTHON is not set");
        return;
    };
    let world = World::new();
    assert_eq!(world.typed("sample plates").code, Some(0));
    let training = "--imgsz 64 --batch 4 --epochs 2 --weights scratch --device cpu --workers 0";
    let typed = format!("plan --dataset plates/data.yaml --python {python} --output plan.toml {training}");
    assert_eq!(world.typed(&typed).code, Some(0));

    let said = world.typed("trial plan.toml --format json");
    assert_eq!(said.code, Some(0), "{said}");
    let told: Value = said.json();
    let figure = |pointer: &str| told.pointer(pointer).unwrap_or_else(|| panic!("{pointer}: {told}")).clone();
    assert_eq!(figure("/trial/figures/steps"), 4);
    assert_eq!(figure("/trial/figures/reserved"), Value::Null, "the processor says nothing of a card");
    assert_eq!(figure("/forecast/source/by"), "trial");
    assert_eq!(figure("/forecast/time/basis/by"), "trial");
    assert_eq!(figure("/forecast/time/gpu_hours"), Value::Null);

    let check = world.typed("check plan.toml --format json").json();
    assert_eq!(check.pointer("/forecast/source/by"), Some(&Value::from("trial")), "{check}");
    let text = world.typed("trial plan.toml");
    assert_eq!(text.code, Some(0), "{text}");
    assert!(text.stdout.contains("Time per step"), "{text}");
    assert_eq!(world.typed("runs list --format json").json(), Value::Array(Vec::new()), "it is no run");
}
