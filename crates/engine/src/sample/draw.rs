//! Drawing a metal plate and what can be wrong with it.
//!
//! Only operations whose results IEEE 754 fixes to the last bit (`+ - * /`, square root, comparison): the pictures are
//! the same on every platform.

use preflight_core::dataset::LabelBox;

use super::random::{Random, noise};

/// Width of a picture in pixels.
pub(super) const WIDTH: usize = 320;
/// Height of a picture in pixels.
pub(super) const HEIGHT: usize = 256;

/// What can be wrong with a plate, in the order of the class ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Defect {
    Scratch,
    Dent,
    Hole,
}

impl Defect {
    pub(super) const ALL: [Self; 3] = [Self::Scratch, Self::Dent, Self::Hole];
    pub(super) const NAMES: [&'static str; 3] = ["scratch", "dent", "hole"];
}

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy)]
struct Area {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Area {
    fn around(x: f32, y: f32, half_width: f32, half_height: f32) -> Self {
        Self { left: x - half_width, top: y - half_height, right: x + half_width, bottom: y + half_height }
    }

    fn overlaps(&self, other: &Self, gap: f32) -> bool {
        self.left < other.right + gap
            && other.left < self.right + gap
            && self.top < other.bottom + gap
            && other.top < self.bottom + gap
    }

    fn joined(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn contains(&self, other: &Self) -> bool {
        other.left >= self.left && other.right <= self.right && other.top >= self.top && other.bottom <= self.bottom
    }

    fn shrunk(&self, by: f32) -> Self {
        Self { left: self.left + by, top: self.top + by, right: self.right - by, bottom: self.bottom - by }
    }

    fn label(&self, defect: Defect) -> LabelBox {
        let (width, height) = (WIDTH as f32, HEIGHT as f32);
        LabelBox {
            class: defect as u32,
            x: (self.left + self.right) / 2.0 / width,
            y: (self.top + self.bottom) / 2.0 / height,
            w: (self.right - self.left) / width,
            h: (self.bottom - self.top) / height,
        }
    }
}

/// A picture under construction: brightness per pixel, 0 to 255, tinted at the end.
pub(super) struct Picture {
    light: Vec<f32>,
    /// Red, green and blue as shares of the brightness.
    tint: [f32; 3],
    plate: Area,
    taken: Vec<Area>,
    random: Random,
}

impl Picture {
    /// A clean plate on a dark bench.
    pub(super) fn plate(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // Steel, aluminium, and steel under a warm lamp.
        let tint = [[0.95, 0.99, 1.04], [1.0, 1.0, 1.0], [1.04, 1.0, 0.94]][random.below(3) as usize];
        let mut margin = || random.between(7.0, 15.0);
        let plate =
            Area { left: margin(), top: margin(), right: WIDTH as f32 - margin(), bottom: HEIGHT as f32 - margin() };
        let mut picture = Self { light: vec![0.0; WIDTH * HEIGHT], tint, plate, taken: Vec::new(), random };
        picture.brush();
        picture
    }

    fn each(&mut self, area: Area, mut paint: impl FnMut(f32, f32, f32) -> f32) {
        let pixel = |at: f32, end: usize| (at.max(0.0) as usize).min(end);
        for y in pixel(area.top - 2.0, HEIGHT)..pixel(area.bottom + 3.0, HEIGHT) {
            for x in pixel(area.left - 2.0, WIDTH)..pixel(area.right + 3.0, WIDTH) {
                let light = &mut self.light[y * WIDTH + x];
                *light = paint(x as f32 + 0.5, y as f32 + 0.5, *light);
            }
        }
    }

    fn brush(&mut self) {
        let seed = self.random.next();
        let base = self.random.between(158.0, 186.0);
        // Where the lamp's reflection lies, and how it leans.
        let (shine, lean) = (self.random.between(60.0, 260.0), self.random.between(-0.5, 0.5));
        let plate = self.plate;
        let (middle_x, middle_y) = ((plate.left + plate.right) / 2.0, (plate.top + plate.bottom) / 2.0);
        let (half_x, half_y) = ((plate.right - plate.left) / 2.0, (plate.bottom - plate.top) / 2.0);
        let whole = Area { left: 0.0, top: 0.0, right: 1000.0, bottom: 1000.0 };
        self.each(whole, |x, y, _| {
            let (column, row) = (x as i32, y as i32);
            // Distance to the edge of a rectangle with round corners; negative inside.
            let edge = |x: f32, y: f32| {
                const ROUND: f32 = 12.0;
                let dx = ((x - middle_x).abs() - half_x + ROUND).max(0.0);
                let dy = ((y - middle_y).abs() - half_y + ROUND).max(0.0);
                let flat = ((x - middle_x).abs() - half_x).max((y - middle_y).abs() - half_y);
                if dx > 0.0 && dy > 0.0 { (dx * dx + dy * dy).sqrt() - ROUND } else { flat }
            };
            let outside = edge(x, y);
            let mut bench = 0.0;
            if outside > -1.0 {
                let shadow = step(-3.0, 9.0, edge(x - 4.0, y - 5.0));
                bench = (40.0 + 5.0 * noise(seed ^ 1, column / 2, row / 2)) * (0.45 + 0.55 * shadow);
            }
            if outside > 1.0 {
                return bench;
            }
            let grain = 5.5 * streak(seed ^ 2, x, row, 90.0)
                + 4.5 * streak(seed ^ 3, x, row, 28.0)
                + 3.0 * streak(seed ^ 4, x, row / 2, 160.0)
                + 2.2 * noise(seed ^ 5, column, row);
            let off = (x + lean * y - shine) / 120.0;
            let reflection = 1.0 / (1.0 + off * off);
            let mut metal = (base + grain) * (0.86 + 0.24 * reflection);
            // The lamp stands at the upper left: the bevel is bright there and dark at the lower right.
            if outside > -4.5 {
                let away_from_lamp = edge(x + 1.0, y) - edge(x - 1.0, y) + edge(x, y + 1.0) - edge(x, y - 1.0);
                metal -= 22.0 * away_from_lamp * step(-4.5, -1.5, outside);
            }
            let covered = 1.0 - step(-0.7, 0.7, outside);
            bench + (metal - bench) * covered
        });
    }

    /// Draws a defect where there is room for it; `None`: there was none.
    pub(super) fn add(&mut self, defect: Defect) -> Option<LabelBox> {
        /// Places tried.
        const TRIES: u32 = 60;
        let free = self.plate.shrunk(9.0);
        for _ in 0..TRIES {
            let x = self.random.between(free.left, free.right);
            let y = self.random.between(free.top, free.bottom);
            let shape = Shape::random(defect, x, y, &mut self.random);
            let area = shape.area();
            if free.contains(&area) && !self.taken.iter().any(|taken| taken.overlaps(&area, 7.0)) {
                self.taken.push(area);
                match shape {
                    Shape::Scratch(scratch) => self.scratch(&scratch),
                    Shape::Dent(dent) => self.dent(&dent),
                    Shape::Hole(hole) => self.hole(&hole),
                }
                return Some(area.label(defect));
            }
        }
        None
    }

    fn scratch(&mut self, scratch: &Scratch) {
        for stroke in &scratch.strokes {
            let points = stroke.points();
            self.each(stroke.area(), |x, y, light| {
                let Near { distance, side, along } = nearest(&points, x, y);
                // Thin at both ends.
                let width = stroke.width * (0.35 + 0.65 * (4.0 * along * (1.0 - along)).min(1.0));
                let groove = 1.0 - step(width * 0.5, width * 0.5 + 1.1, distance);
                let burr = (1.0 - step(width * 0.5 + 0.8, width * 0.5 + 2.8, distance)) * (1.0 - groove);
                let bright = light + (248.0 - light) * 0.9 * groove;
                (if side > 0.0 { bright - 88.0 * burr } else { bright - 22.0 * burr }).max(20.0)
            });
        }
    }

    fn dent(&mut self, dent: &Ellipse) {
        self.each(dent.area(), |x, y, light| {
            let (u, v) = ((x - dent.x) / dent.rx, (y - dent.y) / dent.ry);
            let square = u * u + v * v;
            if square >= 1.0 {
                return light;
            }
            // A bowl whose slope rises from the middle and vanishes at the rim; the side away from the lamp is lit.
            let slope = 2.7 * (1.0 - square);
            let shade = slope * (u * 0.62 + v * 0.78);
            let bottom = 1.0 - 0.22 * (1.0 - square);
            (light * bottom * (1.0 + 0.6 * shade)).clamp(18.0, 252.0)
        });
    }

    fn hole(&mut self, hole: &Ellipse) {
        let seed = self.random.next();
        self.each(hole.area(), |x, y, light| {
            let (u, v) = ((x - hole.x) / hole.rx, (y - hole.y) / hole.ry);
            // A ragged edge: drilled by hand.
            let distance = (u * u + v * v).sqrt() + 0.016 * noise(seed, (u * 6.0) as i32, (v * 6.0) as i32);
            let pixel = 1.2 / hole.rx.min(hole.ry);
            let inside = 1.0 - step(0.94 - pixel, 0.94 + pixel, distance);
            let rim = (1.0 - step(1.0, 1.0 + 2.0 * pixel, distance)) * (1.0 - inside);
            // The wall shows on the far side from the lamp.
            let wall = step(0.1, 0.9, (u + v) * 0.7) * step(0.45, 0.92, distance);
            let depth = 15.0 + 74.0 * wall + 3.0 * noise(seed ^ 7, x as i32, y as i32);
            let facing = 0.5 - 0.5 * (u + v) * 0.7;
            let burr = light + (235.0 - light) * rim * (0.25 + 0.6 * facing);
            burr + (depth - burr) * inside
        });
    }

    /// The finished picture, three bytes a pixel.
    pub(super) fn rgb(&self) -> Vec<u8> {
        let byte = |value: f32| (value + 0.5).clamp(0.0, 255.0) as u8;
        self.light.iter().flat_map(|light| self.tint.map(|share| byte(light * share))).collect()
    }
}

/// Strokes side by side: whatever scraped over the plate had more than one corner.
struct Scratch {
    strokes: Vec<Stroke>,
}

impl Scratch {
    fn random(x: f32, y: f32, random: &mut Random) -> Self {
        let (dx, dy) = (random.between(24.0, 50.0), random.between(22.0, 42.0) * random.sign());
        let (bx, by) = (random.between(-10.0, 10.0), random.between(-10.0, 10.0));
        let apart = random.between(6.0, 8.5);
        // Across the direction of the strokes.
        let length = (dx * dx + dy * dy).sqrt();
        let (across_x, across_y) = (-dy / length * apart, dx / length * apart);
        let strokes = (0..2 + random.below(2))
            .map(|index| {
                let offset = index as f32 - 0.75;
                let (x, y) = (x + across_x * offset, y + across_y * offset);
                // Each begins and ends a little elsewhere.
                let (start, end) = (random.between(0.72, 1.0), random.between(0.72, 1.0));
                Stroke {
                    from: (x - dx * start, y - dy * start),
                    bend: (x + bx, y + by),
                    to: (x + dx * end, y + dy * end),
                    width: random.between(2.0, 3.2),
                }
            })
            .collect();
        Self { strokes }
    }

    fn area(&self) -> Area {
        let areas = self.strokes.iter().map(Stroke::area);
        areas.reduce(|a, b| a.joined(&b)).unwrap_or(Area::around(0.0, 0.0, 0.0, 0.0))
    }
}

/// A curve between two points, bent towards a third.
struct Stroke {
    from: (f32, f32),
    bend: (f32, f32),
    to: (f32, f32),
    width: f32,
}

impl Stroke {
    fn points(&self) -> [(f32, f32); 13] {
        std::array::from_fn(|index| {
            let t = index as f32 / 12.0;
            let mix = |a: f32, b: f32, c: f32| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
            (mix(self.from.0, self.bend.0, self.to.0), mix(self.from.1, self.bend.1, self.to.1))
        })
    }

    fn area(&self) -> Area {
        let reach = self.width * 0.5 + 1.0;
        let points = self.points().map(|(x, y)| Area::around(x, y, reach, reach));
        points.into_iter().reduce(|a, b| a.joined(&b)).unwrap_or(Area::around(0.0, 0.0, 0.0, 0.0))
    }
}

struct Ellipse {
    x: f32,
    y: f32,
    rx: f32,
    ry: f32,
}

impl Ellipse {
    fn area(&self) -> Area {
        Area::around(self.x, self.y, self.rx, self.ry)
    }
}

enum Shape {
    Scratch(Scratch),
    Dent(Ellipse),
    Hole(Ellipse),
}

impl Shape {
    fn random(defect: Defect, x: f32, y: f32, random: &mut Random) -> Self {
        match defect {
            Defect::Scratch => Self::Scratch(Scratch::random(x, y, random)),
            Defect::Dent => {
                let rx = random.between(25.0, 36.0);
                Self::Dent(Ellipse { x, y, rx, ry: rx * random.between(0.85, 1.15) })
            }
            Defect::Hole => {
                let rx = random.between(20.0, 27.0);
                Self::Hole(Ellipse { x, y, rx, ry: rx * random.between(0.9, 1.1) })
            }
        }
    }

    fn area(&self) -> Area {
        match self {
            Self::Scratch(scratch) => scratch.area(),
            Self::Dent(ellipse) | Self::Hole(ellipse) => ellipse.area(),
        }
    }
}

/// How far a point is from a curve, on which side of it, and how far along (0 to 1) the nearest place is.
struct Near {
    distance: f32,
    side: f32,
    along: f32,
}

fn nearest(points: &[(f32, f32)], x: f32, y: f32) -> Near {
    let mut best = Near { distance: f32::MAX, side: 0.0, along: 0.0 };
    for (index, pair) in points.windows(2).enumerate() {
        let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
        let (dx, dy) = (bx - ax, by - ay);
        let t = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(1e-6)).clamp(0.0, 1.0);
        let (px, py) = (x - ax - t * dx, y - ay - t * dy);
        let distance = (px * px + py * py).sqrt();
        if distance < best.distance {
            let along = (index as f32 + t) / (points.len() - 1) as f32;
            // Positive below the line: the lamp stands above.
            best = Near { distance, side: px + py, along };
        }
    }
    best
}

/// 0 below one edge, 1 above the other, smooth between.
fn step(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Noise that changes slowly along a row and not at all between rows of the same number: a brush's stroke.
fn streak(seed: u64, x: f32, row: i32, length: f32) -> f32 {
    // Strokes begin at a different place in every row.
    let at = x / length + 8.0 * (1.0 + noise(seed ^ 0xB5, 0, row));
    let whole = at as i32;
    let part = at - whole as f32;
    let (a, b) = (noise(seed, whole, row), noise(seed, whole + 1, row));
    a + (b - a) * part * part * (3.0 - 2.0 * part)
}
