//! Pascal VOC: one XML file an image, lists of the splits in `ImageSets/Main`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use preflight_core::dataset::SplitKind;

use super::model::{Annotated, Object, Outline, Trouble, number};
use super::xml::{Document, Item};

/// Reads one annotation file.
pub(super) fn read(file: &Path, bytes: &[u8], troubles: &mut Vec<Trouble>) -> Option<Annotated> {
    let mut document = Document::new(bytes);
    let mut image = Annotated::of(file);
    let mut object: Option<Found> = None;
    let mut above: Vec<String> = Vec::new();
    let mut points = HashMap::new();
    loop {
        let item = match document.next() {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(broken) => {
                troubles.push(Trouble::unreadable(file, broken.line, broken.message));
                return None;
            }
        };
        match item {
            Item::Start { name, .. } => {
                if above.is_empty() && name != "annotation" {
                    troubles.push(Trouble::unreadable(file, document.line(), "not an annotation".to_owned()));
                    return None;
                }
                if above.len() == 1 && name == "object" {
                    object = Some(Found { line: document.line(), ..Found::default() });
                }
                above.push(name);
            }
            Item::End { name, text } => {
                above.pop();
                let path: Vec<&str> = above.iter().skip(1).map(String::as_str).chain([name.as_str()]).collect();
                match path.as_slice() {
                    ["filename"] => image.file = text,
                    ["size", "width"] => image.width = number(&text),
                    ["size", "height"] => image.height = number(&text),
                    ["object", "name"] => object.get_or_insert_default().class = text,
                    ["object", "bndbox", side] => {
                        let sides = &mut object.get_or_insert_default().sides;
                        let index = ["xmin", "ymin", "xmax", "ymax"].iter().position(|known| known == side);
                        if let (Some(index), Some(value)) = (index, number(&text)) {
                            sides[index] = Some(value);
                        }
                    }
                    ["object", "polygon", point] => {
                        points.insert(point.to_string(), number(&text));
                    }
                    ["object"] => {
                        let mut found = object.take().unwrap_or_default();
                        found.points = outline(&std::mem::take(&mut points));
                        match found.object() {
                            Some(object) => image.objects.push(object),
                            None => troubles.push(Trouble::unusable(file, found.line, found.class)),
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    Some(image)
}

#[derive(Default)]
struct Found {
    class: String,
    sides: [Option<f64>; 4],
    points: Outline,
    line: u32,
}

impl Found {
    fn object(&self) -> Option<Object> {
        let outline = (self.points.len() >= 3).then(|| self.points.clone());
        let sides = match self.sides {
            [Some(left), Some(top), Some(right), Some(bottom)] => [left, top, right, bottom],
            _ => super::model::around(outline.as_ref()?),
        };
        (!self.class.is_empty()).then(|| Object { line: self.line, outline, ..Object::boxed(&self.class, sides) })
    }
}

/// The points `x1`, `y1`, `x2`, `y2`, … in order.
fn outline(points: &HashMap<String, Option<f64>>) -> Outline {
    let at = |axis: char, index: usize| points.get(&format!("{axis}{index}")).copied().flatten();
    (1..=points.len()).map_while(|index| Some([at('x', index)?, at('y', index)?])).collect()
}

/// The splits that `ImageSets/Main` (or a folder like it) lists, by the names of the annotation files without ending.
/// Of a name in several lists, the first counts; those that only `trainval` lists are for training.
pub(super) fn lists(root: &Path) -> Option<HashMap<String, SplitKind>> {
    let folder = ["ImageSets/Main", "ImageSets", "ImageSets/Segmentation", "ImageSets/Layout"]
        .into_iter()
        .map(|folder| root.join(folder))
        .find(|folder| folder.join("train.txt").is_file() || folder.join("trainval.txt").is_file())?;
    let mut found = HashMap::new();
    let lists = [
        ("train.txt", SplitKind::Train),
        ("val.txt", SplitKind::Val),
        ("test.txt", SplitKind::Test),
        ("trainval.txt", SplitKind::Train),
    ];
    for (name, kind) in lists {
        let text = super::files::read_limited(&folder.join(name)).unwrap_or_default();
        for line in String::from_utf8_lossy(&text).lines() {
            // Lists of single classes have a second column.
            if let Some(name) = line.split_whitespace().next() {
                let stem = Path::new(name).file_stem().filter(|_| name.contains('.')).map(|s| s.to_string_lossy());
                found.entry(stem.map_or_else(|| name.to_owned(), Cow::into_owned)).or_insert(kind);
            }
        }
    }
    Some(found)
}
