//! CVAT for images: one XML file with all images.

use std::io::{BufReader, Read};
use std::path::Path;

use super::model::{Annotated, Object, Outline, Trouble, number, split_named};
use super::xml::{Document, Item, attribute};

/// Far above a task of a hundred thousand images.
const LARGEST: u64 = 1 << 30;

/// Whether this is a CVAT file, by its first element.
pub(super) fn recognise(file: &Path) -> bool {
    let Ok(source) = super::super::opener::open(file) else { return false };
    let mut document = Document::new(BufReader::new(source.take(1 << 16)));
    matches!(document.next(), Ok(Some(Item::Start { name, .. })) if name == "annotations")
}

/// Reads a CVAT file. Also answers the names of its labels in their order.
pub(super) fn read(file: &Path, troubles: &mut Vec<Trouble>) -> (Vec<Annotated>, Vec<String>) {
    let source = match super::super::opener::open(file) {
        Ok(source) => source,
        Err(error) => {
            troubles.push(Trouble::unreadable(file, 0, error.to_string()));
            return (Vec::new(), Vec::new());
        }
    };
    let mut document = Document::new(BufReader::with_capacity(1 << 16, source.take(LARGEST)));
    let (mut images, mut names) = (Vec::new(), Vec::new());
    let mut image: Option<Annotated> = None;
    let mut above: Vec<String> = Vec::new();
    loop {
        match document.next() {
            Ok(Some(Item::Start { name, attributes })) => {
                let line = document.line();
                match (above.last().map(String::as_str), name.as_str()) {
                    (Some("annotations"), "image") => {
                        let written = attribute(&attributes, "name").unwrap_or_default();
                        let subset = attribute(&attributes, "subset").and_then(split_named);
                        let folder = Path::new(written).parent().map(|folder| folder.to_string_lossy());
                        image = Some(Annotated {
                            file: written.to_owned(),
                            width: attribute(&attributes, "width").and_then(number),
                            height: attribute(&attributes, "height").and_then(number),
                            split: subset.or_else(|| split_named(&folder?)),
                            ..Annotated::of(file)
                        });
                    }
                    (Some("annotations"), "track") => troubles.push(Trouble::shape(file, line, "track")),
                    (Some("image"), kind) => {
                        if let Some(image) = &mut image {
                            match object(kind, &attributes) {
                                Some(object) => image.objects.push(Object { line, ..object }),
                                None if kind == "tag" => {}
                                None => troubles.push(Trouble::shape(file, line, kind)),
                            }
                        }
                    }
                    _ => {}
                }
                above.push(name);
            }
            Ok(Some(Item::End { name, text })) => {
                above.pop();
                match (above.last().map(String::as_str), name.as_str()) {
                    (Some("annotations"), "image") => images.extend(image.take()),
                    (Some("label"), "name") => names.push(text),
                    _ => {}
                }
            }
            Ok(None) => return (images, names),
            Err(broken) => {
                troubles.push(Trouble::unreadable(file, broken.line, broken.message));
                return (images, names);
            }
        }
    }
}

fn object(kind: &str, attributes: &[(String, String)]) -> Option<Object> {
    let class = attribute(attributes, "label").filter(|class| !class.is_empty())?;
    let value = |name: &str| attribute(attributes, name).and_then(number);
    match kind {
        "box" => {
            let sides = [value("xtl")?, value("ytl")?, value("xbr")?, value("ybr")?];
            match value("rotation").filter(|degrees| *degrees != 0.0) {
                Some(degrees) => Some(Object::outlined(class, rotated(sides, degrees))),
                None => Some(Object::boxed(class, sides)),
            }
        }
        "polygon" => {
            let points: Option<Outline> = attribute(attributes, "points")?
                .split(';')
                .map(|point| {
                    let (x, y) = point.split_once(',')?;
                    Some([number(x)?, number(y)?])
                })
                .collect();
            points.filter(|points| points.len() >= 3).map(|points| Object::outlined(class, points))
        }
        "ellipse" => {
            let (x, y, rx, ry) = (value("cx")?, value("cy")?, value("rx")?, value("ry")?);
            Some(Object::boxed(class, [x - rx, y - ry, x + rx, y + ry]))
        }
        _ => None,
    }
}

/// The corners of a box turned clockwise around its centre.
fn rotated([left, top, right, bottom]: [f64; 4], degrees: f64) -> Outline {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (x, y) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
    [[left, top], [right, top], [right, bottom], [left, bottom]]
        .map(|[px, py]| [x + (px - x) * cos - (py - y) * sin, y + (px - x) * sin + (py - y) * cos])
        .to_vec()
}
