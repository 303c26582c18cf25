#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| preflight_engine::dataset::parsers::read("voc", bytes));
