//! Which images to keep for validation.

/// An image to learn from or to validate with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Images of the same group stay together: they look the same.
    pub group: u32,
    /// The classes on it, each once.
    pub classes: Vec<u32>,
}

/// Chooses about this share of the images for validation, so that every class has about the same share there: classes
/// are served from the rarest on (Sechidis, Tsoumakas and Vlahavas, "On the stratification of multi-label data", 2011).
/// The same seed chooses the same images.
#[must_use]
pub fn stratified(items: &[Item], share: f64, seed: u64) -> Vec<bool> {
    let groups = groups(items, seed);
    let classes = items.iter().flat_map(|item| &item.classes).max().map_or(0, |most| *most as usize + 1);
    let mut wanted = vec![0.0; classes + 1];
    for item in items {
        for class in kinds(item, classes) {
            wanted[class] += share;
        }
    }
    let mut order: Vec<usize> = (0..=classes).filter(|class| wanted[*class] > 0.0).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut decided: Vec<Option<bool>> = vec![None; groups.len()];
    #[expect(clippy::cast_precision_loss, reason = "a count of images")]
    let mut left = items.len() as f64 * share;
    // A class that is on two groups or more is on both sides.
    for class in order {
        let mut holding: Vec<usize> = (0..groups.len())
            .filter(|group| groups[*group].iter().any(|i| kinds(&items[*i], classes).any(|c| c == class)))
            .collect();
        let has = |decided: &[Option<bool>], side: bool| holding.iter().any(|group| decided[*group] == Some(side));
        let (has_val, has_train) = (has(&decided, true), has(&decided, false));
        holding.retain(|group| decided[*group].is_none());
        // Small groups first, so that what is wanted is not overshot.
        holding.sort_by_key(|group| groups[*group].len());
        let (mut in_val, mut in_train) = (has_val, has_train);
        let count = holding.len();
        for (at, group) in holding.into_iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a count of images")]
            let images = groups[group].len() as f64;
            let fits = wanted[class] >= images / 2.0 && left >= images / 2.0;
            let last = at + 1 == count;
            let val =
                (fits && (in_train || !last)) || (!in_val && (in_train || !last) && count + usize::from(in_train) > 1);
            decided[group] = Some(val);
            (in_val, in_train) = (in_val || val, in_train || !val);
            if val {
                left -= images;
                for item in &groups[group] {
                    for class in kinds(&items[*item], classes) {
                        wanted[class] -= 1.0;
                    }
                }
            }
        }
    }
    let mut chosen = vec![false; items.len()];
    for (group, decided) in groups.iter().zip(decided) {
        for item in group {
            chosen[*item] = decided == Some(true);
        }
    }
    chosen
}

/// The classes of an image; nothing on it counts as one more.
fn kinds(item: &Item, nothing: usize) -> impl Iterator<Item = usize> {
    let nothing = item.classes.is_empty().then_some(nothing);
    item.classes.iter().map(|class| *class as usize).chain(nothing)
}

/// The images of each group, the groups shuffled.
fn groups(items: &[Item], seed: u64) -> Vec<Vec<usize>> {
    let mut by_group: std::collections::BTreeMap<u32, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        by_group.entry(item.group).or_default().push(index);
    }
    let mut groups: Vec<_> = by_group.into_values().collect();
    // SplitMix64 (Steele, Lea and Flood, 2014) and the shuffle of Fisher and Yates.
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    for end in (1..groups.len()).rev() {
        #[expect(clippy::cast_possible_truncation, reason = "below a count that fits")]
        let other = (next() % (end as u64 + 1)) as usize;
        groups.swap(end, other);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(group: u32, classes: &[u32]) -> Item {
        Item { group, classes: classes.to_vec() }
    }

    #[test]
    fn every_class_has_its_share_and_groups_stay_together() {
        // 200 images: class 0 on most, class 1 on a tenth, class 2 on four; ten look the same.
        let items: Vec<Item> = (0..200u32)
            .map(|i| {
                let mut classes = Vec::new();
                classes.extend((i % 20 != 19).then_some(0));
                classes.extend((i % 10 == 3).then_some(1));
                classes.extend((i < 4).then_some(2));
                item(if i >= 190 { 190 } else { i }, &classes)
            })
            .collect();
        for seed in 0..20 {
            let chosen = stratified(&items, 0.2, seed);
            let count = |class: u32| {
                let has = items.iter().zip(&chosen).filter(|(item, val)| **val && item.classes.contains(&class));
                has.count()
            };
            let all = chosen.iter().filter(|val| **val).count();
            assert!((34..=46).contains(&all), "{all} with seed {seed}");
            assert!((3..=6).contains(&count(1)), "{} with seed {seed}", count(1));
            assert!((1..=2).contains(&count(2)), "{} with seed {seed}", count(2));
            assert!(chosen[190..].iter().all(|val| *val == chosen[190]), "a group is torn apart");
            assert_eq!(chosen, stratified(&items, 0.2, seed));
        }
        assert_ne!(stratified(&items, 0.2, 1), stratified(&items, 0.2, 2));
    }

    #[test]
    fn few_images_are_split_as_well() {
        let two = stratified(&[item(0, &[0]), item(1, &[0])], 0.2, 0);
        assert_eq!(two.iter().filter(|val| **val).count(), 1);
        assert_eq!(stratified(&[item(0, &[0]), item(0, &[0])], 0.2, 0), [false, false], "one group");
        assert_eq!(stratified(&[], 0.2, 0), Vec::<bool>::new());
    }
}
