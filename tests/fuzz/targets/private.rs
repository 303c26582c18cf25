#![no_main]

use preflight_core::redact::{Private, redact};

// What was taken out once stays so.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let private = Private { users: vec!["linwei".to_owned()], hosts: vec!["forge-07".to_owned()] };
    let once = redact(&String::from_utf8_lossy(bytes), &private).text;
    assert_eq!(redact(&once, &private).text, once);
});
