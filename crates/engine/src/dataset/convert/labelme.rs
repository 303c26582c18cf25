//! LabelMe: one JSON file an image.

use std::path::Path;

use serde::Deserialize;

use super::model::{Annotated, Object, Outline, Trouble};

/// What is used of a LabelMe file. The image it may carry in `imageData` is passed over.
#[derive(Debug, Deserialize)]
struct LabelMe {
    shapes: Vec<Shape>,
    #[serde(rename = "imagePath")]
    image: Option<String>,
    #[serde(rename = "imageWidth")]
    width: Option<f64>,
    #[serde(rename = "imageHeight")]
    height: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Shape {
    label: String,
    points: Outline,
    #[serde(default)]
    shape_type: Option<String>,
}

/// Whether this is a LabelMe file, by its beginning and its keys.
pub(super) fn recognise(file: &Path) -> bool {
    super::files::read_limited(file).is_ok_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.contains("\"shapes\"") && text.contains("\"imagePath\"")
    })
}

/// Reads one annotation file.
pub(super) fn read(file: &Path, bytes: &[u8], troubles: &mut Vec<Trouble>) -> Option<Annotated> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let found: LabelMe = match serde_json::from_slice(bytes) {
        Ok(found) => found,
        Err(error) => {
            let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
            troubles.push(Trouble::unreadable(file, line, error.to_string()));
            return None;
        }
    };
    let mut image = Annotated {
        file: found.image.unwrap_or_default(),
        width: found.width.filter(|width| *width > 0.0),
        height: found.height.filter(|height| *height > 0.0),
        ..Annotated::of(file)
    };
    for shape in found.shapes {
        let kind = shape.shape_type.as_deref().unwrap_or("polygon");
        match (kind, shape.points.as_slice()) {
            _ if shape.label.is_empty() => troubles.push(Trouble::unusable(file, 0, kind.to_owned())),
            ("rectangle", [_, _, ..]) => {
                image.objects.push(Object::boxed(&shape.label, super::model::around(&shape.points)));
            }
            ("circle", [[x, y], [to_x, to_y]]) => {
                let radius = (to_x - x).hypot(to_y - y);
                image.objects.push(Object::boxed(&shape.label, [x - radius, y - radius, x + radius, y + radius]));
            }
            ("polygon" | "rotation", [_, _, _, ..]) => {
                image.objects.push(Object::outlined(&shape.label, shape.points));
            }
            _ => troubles.push(Trouble::shape(file, 0, kind)),
        }
    }
    Some(image)
}
