//! Numbers that look random and are the same everywhere.

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// Between two numbers.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * unit(self.next())
    }

    /// Below a number.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// 1 or -1.
    pub(super) fn sign(&mut self) -> f32 {
        if self.next() & 1 == 0 { 1.0 } else { -1.0 }
    }
}

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// 0 to 1, exact in 32 bits on every platform.
#[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
fn unit(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1u32 << 24) as f32
}

/// A number between -1 and 1 for a place, the same whenever it is asked for.
pub(super) fn noise(seed: u64, x: i32, y: i32) -> f32 {
    let place = (u64::from(x.cast_unsigned()) << 32) | u64::from(y.cast_unsigned());
    2.0 * unit(mix(seed ^ mix(place))) - 1.0
}
