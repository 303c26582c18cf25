//! Rows of label files from objects in pixels.

use std::collections::HashMap;
use std::fmt::Write as _;

use preflight_core::dataset::Task;

use super::super::header::Header;
use super::model::{Annotated, Object, Outline, Trouble};

/// Writes rows for one task.
pub(super) struct Writer<'a> {
    task: Task,
    ids: HashMap<&'a str, usize>,
    /// Key points of an object.
    points: usize,
}

/// Boxes and points are moved into the image; by less than this, nobody notices.
const UNNOTICED: f64 = 0.5;
/// Images that were scaled after they were annotated keep their proportions, up to rounding.
const SAME_PROPORTIONS: f64 = 0.01;

impl<'a> Writer<'a> {
    pub(super) fn new(task: Task, names: &'a [String], images: &[Annotated]) -> Self {
        let points = images.iter().flat_map(|image| &image.objects).map(|object| object.keypoints.len()).max();
        Self { task, ids: super::ids(names), points: points.unwrap_or(0) }
    }

    /// Key points of an object and values of each, where the rows have them.
    pub(super) fn keypoints(&self) -> Option<(u32, u32)> {
        (self.task == Task::Pose && self.points > 0).then(|| (u32::try_from(self.points).unwrap_or(u32::MAX), 3))
    }

    /// The label file of an image, and how many rows it has. `None`: the annotations are not for this image.
    pub(super) fn rows(
        &mut self,
        image: &Annotated,
        header: &Header,
        troubles: &mut Vec<Trouble>,
    ) -> Option<(String, u32)> {
        let Some(frame) = Frame::of(image, header) else {
            let (width, height) = header.upright();
            let said = [image.width, image.height].map(|side| side.unwrap_or(0.0));
            let text = format!("{} × {} ≠ {width} × {height}", said[0], said[1]);
            troubles.push(Trouble::new("convert-size-mismatch", &image.source, 0, text));
            return None;
        };
        if frame.scaled {
            troubles.push(Trouble::new("convert-size-differs", &image.source, 0, image.file.as_str()));
        }
        let mut rows = String::new();
        let mut count = 0;
        for object in &image.objects {
            let Some(id) = self.ids.get(object.class.as_str()) else { continue };
            if let Some(values) = self.values(object, &frame, image, troubles) {
                let _ = write!(rows, "{id}");
                for value in values {
                    // A hundred-thousandth of a pixel of the largest image.
                    let _ = write!(rows, " {}", (value * 1e9).round() / 1e9);
                }
                rows.push('\n');
                count += 1;
            }
        }
        Some((rows, count))
    }

    fn values(
        &self,
        object: &Object,
        frame: &Frame,
        image: &Annotated,
        troubles: &mut Vec<Trouble>,
    ) -> Option<Vec<f64>> {
        let mut moved = false;
        let mut inside = |point: [f64; 2]| {
            let point = frame.upright(point);
            let kept = [point[0].clamp(0.0, frame.width), point[1].clamp(0.0, frame.height)];
            moved |= (0..2).any(|axis| (kept[axis] - point[axis]).abs() > UNNOTICED);
            [kept[0] / frame.width, kept[1] / frame.height]
        };
        let [left, top, right, bottom] = object.sides;
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let boxed = corners.map(&mut inside);
        let axis = |axis: usize| {
            let values = boxed.map(|point| point[axis]);
            (values.into_iter().fold(f64::INFINITY, f64::min), values.into_iter().fold(0.0, f64::max))
        };
        let ((left, right), (top, bottom)) = (axis(0), axis(1));
        let trouble = |what| Trouble::new(what, &image.source, object.line, object.class.as_str());
        if !(right > left && bottom > top) {
            troubles.push(trouble("convert-box-empty"));
            return None;
        }
        let mut values = vec![f64::midpoint(left, right), f64::midpoint(top, bottom), right - left, bottom - top];
        match self.task {
            Task::Segment | Task::Obb => {
                let fits = |outline: &&Outline| self.task == Task::Segment || outline.len() == 4;
                if object.outline.is_none() && self.task == Task::Segment {
                    troubles.push(trouble("convert-box-as-outline"));
                }
                values = match object.outline.as_ref().filter(fits) {
                    Some(outline) => outline.iter().flat_map(|point| inside(*point)).collect(),
                    None => boxed.into_iter().flatten().collect(),
                };
            }
            Task::Pose => {
                for index in 0..self.points {
                    match object.keypoints.get(index) {
                        Some([x, y, seen]) if *seen > 0.0 => values.extend(inside([*x, *y]).into_iter().chain([*seen])),
                        _ => values.extend([0.0; 3]),
                    }
                }
            }
            Task::Detect | Task::Classify => {}
        }
        if moved {
            troubles.push(trouble("convert-box-clipped"));
        }
        Some(values)
    }
}

/// The pixels that annotations refer to.
struct Frame {
    width: f64,
    height: f64,
    /// The orientation to apply to points: the tool did not turn the image as the trainer does.
    turn: u8,
    /// The image was scaled after it was annotated.
    scaled: bool,
}

impl Frame {
    fn of(image: &Annotated, header: &Header) -> Option<Self> {
        let (width, height) = header.upright();
        let (width, height) = (f64::from(width), f64::from(height));
        if image.percent {
            return Some(Self { width: 100.0, height: 100.0, turn: 1, scaled: false });
        }
        let frame = Self { width, height, turn: 1, scaled: false };
        let (Some(said_width), Some(said_height)) = (image.width, image.height) else { return Some(frame) };
        if said_width <= 0.0 || said_height <= 0.0 || (said_width, said_height) == (width, height) {
            return Some(frame);
        }
        if header.orientation >= 5 && (said_width, said_height) == (height, width) {
            return Some(Self { turn: header.orientation, ..frame });
        }
        let proportions = (said_width / said_height) / (width / height);
        ((proportions - 1.0).abs() <= SAME_PROPORTIONS).then_some(Self {
            width: said_width,
            height: said_height,
            turn: 1,
            scaled: true,
        })
    }

    /// A point of the image as stored, in the image as the trainer sees it (EXIF orientations 5 to 8).
    fn upright(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        match self.turn {
            5 => [y, x],
            6 => [self.width - y, x],
            7 => [self.width - y, self.height - x],
            8 => [y, self.height - x],
            _ => [x, y],
        }
    }
}
