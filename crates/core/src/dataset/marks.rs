//! What a label file draws on its image, read as generously as can be: what is wrong with it has to be seen as well.

use serde::{Deserialize, Serialize};

use super::mend::{decoded, in_pixels, to_shares};

/// A row of a label file as it is drawn. Coordinates are shares of the image; they may lie beyond it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Mark {
    /// The row, counted from 1.
    pub line: u32,
    /// Its class id; `None`: the row has none that could be one.
    pub class: Option<u32>,
    /// The middle of its box, from the left.
    pub x: f32,
    /// The middle of its box, from the top.
    pub y: f32,
    /// The width of its box.
    pub w: f32,
    /// The height of its box.
    pub h: f32,
    /// The points of its outline, or the corners of a rotated box; none for a plain box.
    pub outline: Vec<(f32, f32)>,
    /// Key points: place, and whether it is seen (0: not marked, 1: hidden, 2: seen).
    pub points: Vec<(f32, f32, f32)>,
}

/// Rows that are drawn: more cannot be told apart on a screen.
const MOST: usize = 5_000;

/// What the rows of a label file draw on an image of this size. Rows that say no place are left out.
#[must_use]
pub fn marks(bytes: &[u8], keypoints: Option<(u32, u32)>, size: (u32, u32)) -> Vec<Mark> {
    let (text, _) = decoded(bytes);
    (1u32..).zip(text.lines()).filter_map(|(line, row)| mark(line, row, keypoints, size)).take(MOST).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a whole number that fits")]
fn mark(line: u32, row: &str, keypoints: Option<(u32, u32)>, size: (u32, u32)) -> Option<Mark> {
    let mut values = numbers(row)?;
    let whole = |class: f64| class >= 0.0 && class.fract() == 0.0 && class < f64::from(u32::MAX);
    let class = Some(values[0]).filter(|class| whole(*class)).map(|class| class as u32);
    let per_point = keypoints.map_or(0, |(_, values)| values as usize);
    let points = keypoints.map_or(0, |(count, _)| count as usize) * per_point;
    let has_points = per_point >= 2 && values.len() == 5 + points;
    if !has_points && in_pixels(&values, size) {
        to_shares(&mut values, size);
    }
    let place: Vec<f32> = values[1..].iter().map(|value| *value as f32).collect();
    let mut mark =
        Mark { line, class, x: place[0], y: place[1], w: place[2], h: place[3], outline: Vec::new(), points: vec![] };
    if has_points {
        let seen = |point: &[f32]| (point[0], point[1], point.get(2).copied().unwrap_or(2.0));
        mark.points = place[4..].chunks_exact(per_point).map(seen).collect();
    } else if place.len() > 5 {
        mark.outline = place.chunks_exact(2).map(|point| (point[0], point[1])).collect();
        let axis = |of: fn(&(f32, f32)) -> f32| {
            let values = || mark.outline.iter().map(of);
            (values().fold(f32::INFINITY, f32::min), values().fold(f32::NEG_INFINITY, f32::max))
        };
        let ((left, right), (top, bottom)) = (axis(|point| point.0), axis(|point| point.1));
        (mark.x, mark.y) = (f32::midpoint(left, right), f32::midpoint(top, bottom));
        (mark.w, mark.h) = (right - left, bottom - top);
    }
    Some(mark)
}

/// The numbers of a row; `None`: it has fewer than a box needs, or something that is none.
fn numbers(row: &str) -> Option<Vec<f64>> {
    let number = |token: &str| token.parse().ok().filter(|value: &f64| value.is_finite());
    let plain: Option<Vec<f64>> = row.split_whitespace().map(number).collect();
    let values = plain.filter(|values| values.len() >= 5).or_else(|| {
        let decimals = row.split_whitespace().map(|token| number(&token.replace([',', '，'], ".")));
        decimals.collect::<Option<Vec<f64>>>().filter(|values| values.len() >= 5)
    });
    values.or_else(|| {
        let tokens = row.split([',', ';', '，', ' ', '\t']).filter(|token| !token.is_empty());
        tokens.map(number).collect::<Option<Vec<f64>>>().filter(|values| values.len() >= 5)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_outlines_and_key_points_are_drawn() {
        let found = marks(b"0 .5 .5 .2 .1\n1 .1 .1 .3 .1 .3 .5\n", None, (640, 480));
        assert_eq!((found[0].line, found[0].class, found[0].w), (1, Some(0), 0.2));
        assert_eq!(found[1].outline, [(0.1, 0.1), (0.3, 0.1), (0.3, 0.5)]);
        assert!((found[1].x - 0.2).abs() < 1e-6 && (found[1].h - 0.4).abs() < 1e-6);
        let found = marks(b"0 .5 .5 .2 .1 .4 .4 2 .6 .6 0\n", Some((2, 3)), (640, 480));
        assert_eq!(found[0].points, [(0.4, 0.4, 2.0), (0.6, 0.6, 0.0)]);
        assert!(found[0].outline.is_empty());
    }

    #[test]
    fn what_the_trainer_refuses_is_drawn_where_it_says() {
        let row = |text: &str| marks(text.as_bytes(), None, (640, 480)).pop();
        assert_eq!(row("7 .5 .5 .2 .1").unwrap().class, Some(7));
        assert_eq!(row("-1 .5 .5 .2 .1").unwrap().class, None);
        assert_eq!(row("0 1.5 .5 .2 .1").unwrap().x, 1.5);
        assert_eq!(row("0 0,5 0,5 0,2 0,1").unwrap().w, 0.2);
        assert_eq!(row("0,0.5,0.5,0.2,0.1").unwrap().w, 0.2);
        assert_eq!(row("1 320 240 64 48").map(|mark| (mark.x, mark.w)), Some((0.5, 0.1)));
        assert_eq!((row("what is this"), row("0 .5 .5"), row("0 nan 1 1 1")), (None, None, None));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_can_be_drawn(bytes: Vec<u8>, points in 0..4u32) {
            let _ = marks(&bytes, (points > 0).then_some((points, 3)), (640, 480));
        }
    }
}
