//! Label Studio: one JSON file for all images, as a list of tasks with their annotations ("JSON") or as a list of
//! annotated images ("JSON-MIN").

use std::fmt;
use std::io::{BufReader, Read};
use std::path::Path;

use preflight_core::dataset::paths;
use serde::de::{Deserializer as _, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::model::{Annotated, Object, Outline, Trouble};

/// Far above any export known: tasks are read one after the other, masks included.
const LARGEST: u64 = 8 << 30;

/// Whether this is an export of Label Studio, by its beginning.
pub(super) fn recognise(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = super::super::opener::open(file).and_then(|file| file.take(1 << 16).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    read.is_ok()
        && text.starts_with('[')
        && ["\"annotation_id\"", "\"annotations\"", "\"rectanglelabels\"", "\"polygonlabels\"", "\"ellipselabels\""]
            .iter()
            .any(|key| text.contains(key))
}

/// Reads an export. It says no order of classes.
pub(super) fn read(file: &Path, troubles: &mut Vec<Trouble>) -> (Vec<Annotated>, Vec<String>) {
    let mut export = Export { file, images: Vec::new(), troubles };
    let read = super::super::opener::open(file).map_err(|error| (0, error.to_string())).and_then(|source| {
        if source.metadata().is_ok_and(|found| found.len() > LARGEST) {
            return Err((0, std::io::Error::from(std::io::ErrorKind::FileTooLarge).to_string()));
        }
        let mut json = serde_json::Deserializer::from_reader(without_mark(source).map_err(|e| (0, e.to_string()))?);
        json.deserialize_seq(&mut export)
            .and_then(|()| json.end())
            .map_err(|error| (u32::try_from(error.line()).unwrap_or(u32::MAX), error.to_string()))
    });
    if let Err((line, message)) = read {
        export.troubles.push(Trouble::unreadable(file, line, message));
    }
    (export.images, Vec::new())
}

/// A file after the byte order mark that it may begin with.
fn without_mark(source: std::fs::File) -> std::io::Result<impl Read> {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut start = Vec::new();
    source.by_ref().take(3).read_to_end(&mut start)?;
    if start == "\u{feff}".as_bytes() {
        start.clear();
    }
    Ok(std::io::Cursor::new(start).chain(source))
}

/// What was read so far. One task is in memory at a time.
struct Export<'a> {
    file: &'a Path,
    images: Vec<Annotated>,
    troubles: &'a mut Vec<Trouble>,
}

impl<'de> Visitor<'de> for &mut Export<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of tasks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tasks: A) -> Result<(), A::Error> {
        while let Some(task) = tasks.next_element::<Value>()? {
            match task {
                Value::Object(task) => self.take(&task),
                _ => self.troubles.push(Trouble::unusable(self.file, 0, String::new())),
            }
        }
        Ok(())
    }
}

impl Export<'_> {
    fn take(&mut self, task: &Map<String, Value>) {
        let data = task.get("data").and_then(Value::as_object).unwrap_or(task);
        let uploaded = task.get("file_upload").and_then(Value::as_str);
        let Some(name) = data.values().filter_map(Value::as_str).chain(uploaded).find_map(image_name) else {
            self.troubles.push(Trouble::unusable(self.file, 0, shown(task.get("id"))));
            return;
        };
        let mut image = Annotated { file: name, ..Annotated::of(self.file) };
        let annotations: Vec<&Value> = list(task.get("annotations")).chain(list(task.get("completions"))).collect();
        let is_whole = task.contains_key("data");
        let skipped = annotations.iter().filter(|annotation| is_true(annotation, "was_cancelled")).count();
        // Several people may have annotated an image. What a reviewer approved counts, else the latest.
        let rank = |annotation: &&&Value| {
            let time = ["updated_at", "created_at"].iter().find_map(|key| annotation.get(key)?.as_str());
            (is_true(annotation, "ground_truth"), time.unwrap_or_default().to_owned())
        };
        let chosen = annotations.iter().filter(|annotation| !is_true(annotation, "was_cancelled")).max_by_key(rank);
        if annotations.len() - skipped > 1 {
            self.troubles.push(Trouble::new("convert-annotated-twice", self.file, 0, image.file.as_str()));
        }
        if is_whole && chosen.is_none() {
            // Nobody said that there is nothing to see: an image like one without an annotation file.
            return;
        }
        let regions: Vec<&Value> = match chosen {
            Some(chosen) => list(chosen.get("result")).collect(),
            // The short form has its regions in fields that are called as the person liked.
            None => task.values().filter_map(Value::as_array).flatten().filter(|value| value.is_object()).collect(),
        };
        for region in regions {
            self.region(region, &mut image);
        }
        // The short form has a row for each person that annotated the image.
        if !is_whole && let Some(other) = self.images.iter_mut().rev().take(8).find(|other| other.file == image.file) {
            self.troubles.push(Trouble::new("convert-annotated-twice", self.file, 0, image.file.as_str()));
            *other = image;
            return;
        }
        self.images.push(image);
    }

    fn region(&mut self, region: &Value, image: &mut Annotated) {
        // The short form has the value's fields in the region itself.
        let value = region.get("value").unwrap_or(region);
        let kind = region.get("type").and_then(Value::as_str).unwrap_or_default();
        let turned = region.get("image_rotation").and_then(Value::as_f64).is_some_and(|turned| turned != 0.0);
        let named = LABELS.iter().find_map(|key| Some((*key, value.get(key)?)));
        let Some((key, labels)) = named else {
            // What is said of the image as a whole is no object, and neither are relations.
            if value.get("x").is_some() || value.get("points").is_some() {
                self.troubles.push(Trouble::unusable(self.file, 0, format!("{kind} {}", image.file)));
            } else if value.get("rle").is_some() || kind.starts_with("brush") {
                self.troubles.push(Trouble::shape(self.file, 0, kind));
            }
            return;
        };
        let mut labels = list(Some(labels)).filter_map(Value::as_str).filter(|label| !label.is_empty());
        let Some(label) = labels.next() else {
            self.troubles.push(Trouble::unusable(self.file, 0, image.file.clone()));
            return;
        };
        if labels.next().is_some() {
            self.troubles.push(Trouble::new("convert-labels-several", self.file, 0, image.file.as_str()));
        }
        if turned {
            // Nobody can tell which way up the image file is meant to be.
            self.troubles.push(Trouble::shape(self.file, 0, "image_rotation"));
            return;
        }
        let side = |name: &str| {
            let found = region.get(name).or_else(|| value.get(name)).and_then(Value::as_f64);
            found.filter(|side| *side > 0.0)
        };
        let said = side("original_width").zip(side("original_height")).or(image.width.zip(image.height));
        // One region without a size, and all places of the image are shares.
        let size = said.filter(|_| !image.percent);
        match size {
            Some((width, height)) => (image.width, image.height) = (Some(width), Some(height)),
            None => image.percent = true,
        }
        match object(label, value, size) {
            Ok(object) => image.objects.push(object),
            Err(Refused::Shape) => self.troubles.push(Trouble::shape(self.file, 0, key)),
            Err(Refused::Numbers) => self.troubles.push(Trouble::unusable(self.file, 0, image.file.clone())),
        }
    }
}

/// The keys under which a region's labels are, by its kind.
const LABELS: [&str; 6] =
    ["rectanglelabels", "polygonlabels", "ellipselabels", "brushlabels", "keypointlabels", "labels"];

enum Refused {
    /// A mask, a point.
    Shape,
    /// Numbers are missing, or are none.
    Numbers,
}

/// An object, in pixels where the image's size is known, else in percent of it.
fn object(label: &str, value: &Value, size: Option<(f64, f64)>) -> Result<Object, Refused> {
    let (width, height) = size.unwrap_or((100.0, 100.0));
    let number = |name: &str| value.get(name).and_then(Value::as_f64).ok_or(Refused::Numbers);
    let degrees = value.get("rotation").and_then(Value::as_f64).unwrap_or(0.0);
    if degrees != 0.0 && size.is_none() {
        // Turning needs the proportions.
        return Err(Refused::Numbers);
    }
    let (sin, cos) = degrees.to_radians().sin_cos();
    if let Some(points) = value.get("points") {
        let point = |point: &Value| {
            let at = |axis: usize| point.get(axis).and_then(Value::as_f64);
            Some([at(0)? * width / 100.0, at(1)? * height / 100.0])
        };
        let outline: Option<Outline> = list(Some(points)).map(point).collect();
        let outline = outline.filter(|points| points.len() >= 3).ok_or(Refused::Numbers)?;
        return Ok(Object::outlined(label, outline));
    }
    if value.get("rle").is_some() {
        return Err(Refused::Shape);
    }
    let (x, y) = (number("x")? * width / 100.0, number("y")? * height / 100.0);
    if value.get("radiusX").is_some() {
        let (across, down) = (number("radiusX")? * width / 100.0, number("radiusY")? * height / 100.0);
        let half = [(across * cos).hypot(down * sin), (across * sin).hypot(down * cos)];
        return Ok(Object::boxed(label, [x - half[0], y - half[1], x + half[0], y + half[1]]));
    }
    let (Ok(wide), Ok(high)) = (number("width"), number("height")) else { return Err(Refused::Shape) };
    // A key point has a width, and no height of its own.
    let (wide, high) = (wide * width / 100.0, high * height / 100.0);
    if degrees == 0.0 {
        return Ok(Object::boxed(label, [x, y, x + wide, y + high]));
    }
    // Turned around its upper left corner, clockwise as one sees it.
    let corner = |right: f64, down: f64| [x + right * cos - down * sin, y + right * sin + down * cos];
    Ok(Object::outlined(label, vec![corner(0.0, 0.0), corner(wide, 0.0), corner(wide, high), corner(0.0, high)]))
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn is_true(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn shown(id: Option<&Value>) -> String {
    id.map(Value::to_string).unwrap_or_default()
}

/// The path of an image out of an address: a URL, `/data/upload/…`, `/data/local-files/?d=…`, `s3://…`.
fn image_name(address: &str) -> Option<String> {
    let path = match address.split_once("?d=") {
        Some((_, path)) => path.split('&').next().unwrap_or(path),
        None => address.split(['?', '#']).next().unwrap_or(address),
    };
    let path = decoded(path);
    let path = path.split_once("://").map_or(path.as_str(), |(_, rest)| rest);
    let name = path.rsplit(['/', '\\']).next()?;
    paths::is_image(name.as_ref()).then(|| path.to_owned())
}

/// A name without what Label Studio puts before those of uploaded files: eight digits of an id.
pub(super) fn without_upload_id(file: &str) -> Option<String> {
    let start = file.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let (id, name) = file.get(start..)?.split_once('-')?;
    let is_id = id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_id && !name.is_empty()).then(|| format!("{}{name}", &file[..start]))
}

/// A text with `%20` and the like replaced. What is none of them, or would be no text, stays.
fn decoded(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                found.push(u8::try_from(high * 16 + low).unwrap_or(b'%'));
                at += 3;
            }
            (byte, ..) => {
                found.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(found).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_out_of_every_kind_of_address() {
        for (address, name) in [
            ("/data/upload/3/0a1b2c3d-a%20b.jpg", Some("/data/upload/3/0a1b2c3d-a b.jpg")),
            ("/data/local-files/?d=plates%2Fday1%2Fa.png", Some("plates/day1/a.png")),
            ("s3://bucket/x/a.jpg", Some("bucket/x/a.jpg")),
            ("https://example.com/a.jpg?token=1#x", Some("example.com/a.jpg")),
            ("C:\\plates\\a.bmp", Some("C:\\plates\\a.bmp")),
            ("划痕%2.jpg", Some("划痕%2.jpg")),
            ("%ff.jpg", Some("%ff.jpg")),
            ("a sentence.", None),
            ("", None),
        ] {
            assert_eq!(image_name(address).as_deref(), name, "{address}");
        }
    }

    #[test]
    fn the_id_of_an_upload_is_taken_off_and_nothing_else() {
        assert_eq!(without_upload_id("upload/0a1b2c3d-a-b.jpg").as_deref(), Some("upload/a-b.jpg"));
        for other in ["a-b.jpg", "0a1b2c3d-", "0a1b2c3x-a.jpg", "0a1b2c3d.jpg", ""] {
            assert_eq!(without_upload_id(other), None, "{other}");
        }
    }
}
