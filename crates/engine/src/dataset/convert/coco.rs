//! COCO: one JSON file a split, with images, categories and annotations.

use std::collections::HashMap;
use std::io::{BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use super::model::{Annotated, Object, Trouble, split_named};

/// Larger than any COCO file known (Objects365 has 5 GB in all, 1.7 GB in its largest file), small enough to be read.
const LARGEST: u64 = 2 << 30;

/// What is used of a COCO file; the rest is passed over while it is read.
#[derive(Debug, Deserialize)]
struct Coco {
    images: Vec<Image>,
    #[serde(default)]
    annotations: Vec<Annotation>,
    #[serde(default)]
    categories: Vec<Category>,
}

#[derive(Debug, Deserialize)]
struct Image {
    id: Id,
    file_name: String,
    width: Option<f64>,
    height: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Annotation {
    image_id: Id,
    category_id: Id,
    #[serde(default)]
    bbox: Vec<f64>,
    #[serde(default)]
    segmentation: Segmentation,
    #[serde(default)]
    keypoints: Vec<f64>,
    #[serde(default)]
    iscrowd: Crowd,
}

#[derive(Debug, Deserialize)]
struct Category {
    id: Id,
    name: String,
    #[serde(default)]
    supercategory: Option<String>,
}

/// Numbers in COCO; some tools write text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Crowd {
    Number(i64),
    Truth(bool),
    #[default]
    Absent,
}

/// Polygons, or a mask in run lengths, whose box is used alone.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Segmentation {
    Polygons(Vec<Vec<f64>>),
    #[default]
    None,
    Mask(serde::de::IgnoredAny),
}

/// Whether this is a COCO file: an object with images and annotations, judged by its beginning.
pub(super) fn recognise(file: &Path) -> bool {
    let mut start = Vec::new();
    let read =
        super::super::opener::open(file).and_then(|file| file.take(LARGEST).take(1 << 20).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    read.is_ok()
        && text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
        && ["\"images\"", "\"annotations\"", "\"categories\""].iter().any(|key| text.contains(key))
        && !text.contains("\"shapes\"")
        && (text.contains("\"file_name\"") || text.contains("\"annotations\""))
}

/// Reads a COCO file. Also answers the names of its categories in the order of their ids.
pub(super) fn read(file: &Path, troubles: &mut Vec<Trouble>) -> (Vec<Annotated>, Vec<String>) {
    let coco = super::super::opener::open(file).map_err(|error| (0, error.to_string())).and_then(|source| {
        if source.metadata().is_ok_and(|found| found.len() > LARGEST) {
            return Err((0, std::io::Error::from(std::io::ErrorKind::FileTooLarge).to_string()));
        }
        serde_json::from_reader::<_, Coco>(BufReader::with_capacity(1 << 16, source))
            .map_err(|error| (u32::try_from(error.line()).unwrap_or(u32::MAX), error.to_string()))
    });
    let Coco { images, annotations, mut categories } = match coco {
        Ok(coco) => coco,
        Err((line, message)) => {
            troubles.push(Trouble::unreadable(file, line, message));
            return (Vec::new(), Vec::new());
        }
    };
    leave_out_group(&mut categories, &annotations);
    categories.sort_by(|a, b| a.id.cmp(&b.id));
    let names: Vec<String> = categories.iter().map(|category| category.name.clone()).collect();
    let classes: HashMap<Id, String> = categories.into_iter().map(|category| (category.id, category.name)).collect();
    let own_split = split_of(file);
    let mut places = HashMap::with_capacity(images.len());
    let mut found: Vec<Annotated> = Vec::with_capacity(images.len());
    for image in images {
        if places.insert(image.id, found.len()).is_some() {
            troubles.push(Trouble::new("convert-image-twice", file, 0, image.file_name.as_str()));
        }
        found.push(Annotated {
            width: image.width.filter(|width| *width > 0.0),
            height: image.height.filter(|height| *height > 0.0),
            split: own_split
                .or_else(|| Path::new(&image.file_name).parent().and_then(|p| split_named(&p.to_string_lossy()))),
            file: image.file_name,
            ..Annotated::of(file)
        });
    }
    for annotation in annotations {
        let Some(image) = places.get(&annotation.image_id).and_then(|at| found.get_mut(*at)) else {
            troubles.push(Trouble::new("convert-image-unknown", file, 0, shown(&annotation.image_id)));
            continue;
        };
        // A crowd is many objects in one shape; the trainer's own conversion leaves it out as well.
        if matches!(annotation.iscrowd, Crowd::Number(1..) | Crowd::Truth(true)) {
            troubles.push(Trouble::shape(file, 0, "iscrowd"));
            continue;
        }
        let Some(class) = classes.get(&annotation.category_id) else {
            troubles.push(Trouble::new("convert-class-unknown", file, 0, shown(&annotation.category_id)));
            continue;
        };
        match object(class, &annotation) {
            Some(object) => image.objects.push(object),
            None => troubles.push(Trouble::unusable(file, 0, image.file.clone())),
        }
    }
    (found, names)
}

/// Roboflow lists the project itself as a category, above all others. It has no objects and is no class.
fn leave_out_group(categories: &mut Vec<Category>, annotations: &[Annotation]) {
    let is_top = |category: &Category| category.supercategory.as_deref().is_none_or(|above| above == "none");
    let is_above = |category: &Category| {
        let mut others = categories.iter().filter(|other| other.id != category.id).peekable();
        others.peek().is_some() && others.all(|other| other.supercategory.as_ref() == Some(&category.name))
    };
    let group = categories.iter().position(|category| {
        is_top(category)
            && is_above(category)
            && annotations.iter().all(|annotation| annotation.category_id != category.id)
    });
    if let Some(group) = group {
        categories.remove(group);
    }
}

fn object(class: &str, annotation: &Annotation) -> Option<Object> {
    let outline = match &annotation.segmentation {
        Segmentation::Polygons(polygons) => polygons.iter().map(Vec::as_slice).max_by_key(|polygon| polygon.len()),
        _ => None,
    };
    let outline = outline.filter(|points| points.len() >= 6 && points.len().is_multiple_of(2));
    let outline: Option<Vec<[f64; 2]>> = outline.map(|points| points.chunks_exact(2).map(|p| [p[0], p[1]]).collect());
    let keypoints = annotation.keypoints.chunks_exact(3).map(|point| [point[0], point[1], point[2]]).collect();
    let boxed = match annotation.bbox.as_slice() {
        [x, y, width, height] => Object::boxed(class, [*x, *y, x + width, y + height]),
        _ => Object::outlined(class, outline.clone()?),
    };
    Some(Object { outline, keypoints, ..boxed })
}

fn shown(id: &Id) -> String {
    match id {
        Id::Number(number) => number.to_string(),
        Id::Text(text) => text.clone(),
    }
}

/// The split that the file's own name stands for, else its folder's.
fn split_of(file: &Path) -> Option<preflight_core::dataset::SplitKind> {
    let name = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
    let folder = file.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name(file).and_then(|name| split_named(&name)).or_else(|| split_named(&folder?))
}
