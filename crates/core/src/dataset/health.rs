//! What ruins a result though the trainer takes it.

use std::path::Path;

use super::faults::{choose_dataset, fault};
use super::profile::Profile;
use super::{LabelBox, SplitKind};
use crate::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy};

/// Below this many pixels, an object is smaller than one cell of the finest grid of the detection heads: their stride is
/// 8 (P3/8 in Ultralytics' model files).
pub const SMALLEST_PX: f32 = 8.0;
/// The share of small boxes that is worth a word.
const SMALL_SHARE: f64 = 0.05;
/// The share of small boxes that a suggested image size leaves.
const LEFT_SMALL: f64 = 0.02;
/// Image sizes beyond this need more memory than most cards have; tiling is suggested instead.
const LARGEST_IMGSZ: u32 = 1536;
/// Objects on one image that a model can find at most: `max_det` of Ultralytics' default settings.
const MOST_FOUND: u32 = 300;
/// Classes on no more training images than this are rare: "rare" in LVIS (Gupta et al., 2019), where models find them far
/// worse than others.
const RARE_IMAGES: u32 = 10;
/// From this ratio between the most and the least frequent class on, accuracy suffers clearly (Buda, Maki and
/// Mazurowski, "A systematic study of the class imbalance problem", 2018).
const IMBALANCE: u32 = 50;
/// The largest share of images without objects that Ultralytics recommends ("Tips for best training results").
const BACKGROUNDS: f64 = 0.10;
/// Ratio between the largest and the smallest image side from which on images are mixed: scaled to one size, objects of
/// the same kind then differ as much.
const MIXED_SIDES: u32 = 8;
/// Images per class that Ultralytics recommends ("Tips for best training results").
pub const RECOMMENDED_IMAGES: u32 = 1_500;

/// A box that can hardly be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absurd {
    /// Which box.
    pub index: usize,
    /// The second half of its finding's code.
    pub what: &'static str,
}

/// Boxes that can hardly be meant, on an image of this size.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "image sides are small")]
pub fn absurd(boxes: &[LabelBox], (width, height): (u32, u32)) -> Vec<Absurd> {
    // The trainer itself drops boxes of up to 2 pixels or with a ratio of 100 when it augments (`box_candidates`).
    const SLIVER_PX: f32 = 2.0;
    const SLIVER_RATIO: f32 = 100.0;
    const WHOLE: f32 = 0.99;
    const SAME: f32 = 0.95;
    // Comparing every pair of more would take long, and says nothing new.
    const MOST_COMPARED: usize = 500;
    let mut found = Vec::new();
    for (index, one) in boxes.iter().enumerate() {
        let (w, h) = (one.w * width as f32, one.h * height as f32);
        if w <= SLIVER_PX || h <= SLIVER_PX || (w / h).max(h / w) >= SLIVER_RATIO {
            found.push(Absurd { index, what: "box-sliver" });
        } else if one.w >= WHOLE && one.h >= WHOLE {
            found.push(Absurd { index, what: "box-whole-image" });
        }
        let earlier = &boxes[..index.min(MOST_COMPARED)];
        if earlier.iter().any(|other| other.class != one.class && overlap(one, other) >= SAME) {
            found.push(Absurd { index, what: "box-two-classes" });
        }
    }
    found
}

/// Intersection over union.
#[must_use]
pub fn overlap(a: &LabelBox, b: &LabelBox) -> f32 {
    let side = |ac: f32, al: f32, bc: f32, bl: f32| {
        ((ac + al / 2.0).min(bc + bl / 2.0) - (ac - al / 2.0).max(bc - bl / 2.0)).max(0.0)
    };
    let both = side(a.x, a.w, b.x, b.w) * side(a.y, a.h, b.y, b.h);
    let all = a.w * a.h + b.w * b.h - both;
    if all > 0.0 { both / all } else { 0.0 }
}

/// What the numbers of a dataset say. `profiles` holds the splits that are there.
#[must_use]
pub fn findings(place: &Path, profiles: &[(SplitKind, Profile)], names: &[String], imgsz: u32) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some((_, train)) = profiles.iter().find(|(kind, _)| *kind == SplitKind::Train) else { return findings };
    let said = |what: &str| fault(what).seen(Evidence::file(place));
    findings.extend(small(place, train, imgsz));
    if train.most_objects > MOST_FOUND {
        findings.push(said("crowded").with("count", train.most_objects).with("most", MOST_FOUND));
    }
    let rare = listed(names, &train.class_images, |images| (1..=RARE_IMAGES).contains(&images));
    if let Some((count, names)) = rare {
        findings.push(said("class-rare").with("count", count).with("names", names).with("images", RARE_IMAGES));
    }
    let counts = || train.class_objects.iter().copied().filter(|count| *count > 0);
    if let (Some(least), Some(most)) = (counts().min(), counts().max())
        && most / least >= IMBALANCE
    {
        let name = |count: u32| {
            let at = train.class_objects.iter().position(|found| *found == count);
            at.and_then(|at| names.get(at)).cloned().unwrap_or_default()
        };
        let finding = said("class-imbalance").with("ratio", most / least);
        findings.push(finding.with("most", name(most)).with("least", name(least)));
    }
    let empty = train.objects_per_image.first().copied().unwrap_or(0);
    if train.images > 0 && f64::from(empty) / f64::from(train.images) > BACKGROUNDS {
        let percent = f64::from(empty) / f64::from(train.images) * 100.0;
        findings.push(said("many-backgrounds").with("count", empty).with("percent", percent.round()));
    }
    if let Some((smallest, largest)) = train.sides()
        && largest / smallest.max(1) >= MIXED_SIDES
    {
        findings.push(said("image-sizes-mixed").with("smallest", smallest).with("largest", largest));
    }
    findings.extend(alike(place, names));
    findings
}

fn small(place: &Path, train: &Profile, imgsz: u32) -> Option<Finding> {
    let share = train.share_below(SMALLEST_PX, imgsz);
    if share < SMALL_SHARE {
        return None;
    }
    let finding =
        fault("boxes-small").with("percent", (share * 100.0).round()).with("imgsz", imgsz).seen(Evidence::file(place));
    Some(match train.size_that_keeps(SMALLEST_PX, LEFT_SMALL, LARGEST_IMGSZ) {
        Some(size) => {
            let action = Action::ChangePlan { change: PlanChange::Imgsz(size) };
            let remedy = Remedy::new("larger-imgsz", Applicability::OneClick, action).with("imgsz", size);
            finding.with("keeps", size).remedy(remedy)
        }
        None => finding.with("keeps", 0_u32).remedy(Remedy::new("tile-images", Applicability::Manual, Action::Explain)),
    })
}

/// The classes with such a count, in a sentence, and how many they are.
fn listed(names: &[String], counts: &[u32], is: impl Fn(u32) -> bool) -> Option<(usize, String)> {
    const MOST: usize = 8;
    let found: Vec<_> =
        names.iter().zip(counts).filter(|(_, count)| is(**count)).map(|(name, _)| name.as_str()).collect();
    let more = if found.len() > MOST { ", …" } else { "" };
    (!found.is_empty()).then(|| (found.len(), format!("{}{more}", found[..found.len().min(MOST)].join(", "))))
}

/// Class names that differ only in case, spaces or dashes: probably one class.
fn alike(place: &Path, names: &[String]) -> Option<Finding> {
    let plain = |name: &String| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let mut sorted: Vec<_> =
        names.iter().map(|name| (plain(name), name)).filter(|(plain, _)| !plain.is_empty()).collect();
    sorted.sort();
    let pair = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0)?;
    let shown = format!("{}, {}", pair[0].1, pair[1].1);
    Some(fault("class-names-alike").with("names", shown).seen(Evidence::file(place)).remedy(choose_dataset()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(class: u32, x: f32, y: f32, w: f32, h: f32) -> LabelBox {
        LabelBox { class, x, y, w, h }
    }

    #[test]
    fn absurd_boxes_are_found() {
        let whats = |boxes: &[LabelBox]| absurd(boxes, (640, 480)).into_iter().map(|a| a.what).collect::<Vec<_>>();
        assert_eq!(whats(&[boxed(0, 0.5, 0.5, 0.2, 0.2), boxed(0, 0.5, 0.5, 0.2, 0.2)]), Vec::<&str>::new());
        assert_eq!(whats(&[boxed(0, 0.5, 0.5, 0.2, 0.2), boxed(1, 0.5, 0.5, 0.201, 0.2)]), ["box-two-classes"]);
        assert_eq!(whats(&[boxed(0, 0.5, 0.5, 1.0, 1.0)]), ["box-whole-image"]);
        assert_eq!(whats(&[boxed(0, 0.5, 0.5, 0.003, 0.2)]), ["box-sliver"]);
        assert_eq!(whats(&[boxed(0, 0.5, 0.5, 1.0, 0.01)]), ["box-sliver"]);
    }

    #[test]
    fn overlap_is_one_for_the_same_and_nothing_for_neighbours() {
        let one = boxed(0, 0.25, 0.25, 0.5, 0.5);
        assert_eq!(overlap(&one, &one), 1.0);
        assert_eq!(overlap(&one, &boxed(0, 0.75, 0.25, 0.5, 0.5)), 0.0);
        assert!((overlap(&one, &boxed(0, 0.5, 0.25, 0.5, 0.5)) - 1.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn numbers_become_findings() {
        let mut train = Profile::default();
        for _ in 0..60 {
            train.add((4000, 3000), &[boxed(0, 0.5, 0.5, 0.004, 0.004), boxed(0, 0.2, 0.2, 0.1, 0.1)]);
        }
        train.add((400, 300), &[boxed(1, 0.5, 0.5, 0.5, 0.5)]);
        for _ in 0..9 {
            train.add((4000, 3000), &[]);
        }
        let names = ["dent", "hole", "Big-hole", "big hole"].map(str::to_owned);
        let findings = findings(Path::new("data.yaml"), &[(SplitKind::Train, train.finished(4))], &names, 640);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(
            codes,
            [
                "data.boxes-small",
                "data.class-rare",
                "data.class-imbalance",
                "data.many-backgrounds",
                "data.image-sizes-mixed",
                "data.class-names-alike"
            ]
        );
        assert_eq!(findings[0].remedies[0].id, "tile-images", "2,700 pixels would be needed");
    }
}
