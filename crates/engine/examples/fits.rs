//! Times the memory estimate and the table of all models against batches: seconds of one, the middle of many. For measuring.

use std::hint::black_box;
use std::time::Instant;

use preflight_core::memory::{self, Setup};
use preflight_core::models;

const TRIES: usize = 101;
const BATCHES: [u32; 8] = [2, 4, 8, 16, 32, 48, 64, 128];

#[expect(clippy::print_stdout, reason = "what it is for")]
fn main() {
    let setup = Setup { classes: Some(80), ..Setup::new("yolov8s", 640, 16) };
    let estimate = middle(|| drop(black_box(memory::need(black_box(&setup)))));
    let table = middle(|| {
        for card in models::ALL.iter() {
            for batch in BATCHES {
                let setup = Setup { batch, ..Setup::new(&card.name, 640, batch) };
                drop(black_box(memory::need(black_box(&setup))));
            }
        }
    });
    println!("estimate {estimate}");
    println!("table {table}");
}

fn middle(what: impl Fn()) -> f64 {
    // The table of graphs is read once.
    what();
    let mut took: Vec<f64> = (0..TRIES)
        .map(|_| {
            let began = Instant::now();
            what();
            began.elapsed().as_secs_f64()
        })
        .collect();
    took.sort_by(f64::total_cmp);
    took[TRIES / 2]
}
