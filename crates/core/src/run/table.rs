//! `results.csv`, where Ultralytics keeps what each epoch came to.

use std::collections::BTreeMap;

use super::EpochPoint;

/// The epochs of such a table, in its order; `seconds` are those since the process that wrote the row began to train.
/// A row that was torn, or is none, is left out.
#[must_use]
pub fn epochs(table: &str) -> Vec<EpochPoint> {
    let mut lines = table.split_inclusive('\n');
    // Older versions fill the names up with spaces.
    let Some(names) = lines.next().map(|head| head.split(',').map(str::trim).collect::<Vec<_>>()) else {
        return Vec::new();
    };
    lines.filter(|line| line.ends_with('\n')).filter_map(|line| point(&names, line)).collect()
}

fn point(names: &[&str], line: &str) -> Option<EpochPoint> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    if cells.len() != names.len() {
        return None;
    }
    let cell = |wanted: &str| names.iter().zip(&cells).find(|(name, _)| **name == wanted).map(|(_, cell)| *cell);
    let (mut losses, mut metrics) = (BTreeMap::new(), BTreeMap::new());
    for (name, cell) in names.iter().zip(&cells) {
        let Some(number) = cell.parse::<f64>().ok().filter(|number| number.is_finite()) else { continue };
        if let Some(loss) = name.strip_prefix("train/") {
            losses.insert(loss.to_owned(), number);
        } else if name.starts_with("metrics/") || name.starts_with("val/") {
            metrics.insert((*name).to_owned(), number);
        }
    }
    let epoch = cell("epoch")?.parse().ok().filter(|epoch| *epoch > 0)?;
    let seconds = cell("time").and_then(|cell| cell.parse::<f64>().ok()).filter(|seconds| seconds.is_finite());
    Some(EpochPoint { epoch, losses, metrics, seconds: seconds.unwrap_or(0.0).max(0.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "epoch,time,train/box_loss,train/cls_loss,metrics/mAP50(B),val/box_loss,lr/pg0
1,2.5,1.5,nan,0.25,1.75,0.01
2,5,1.25,2,0.5,1.5,0.02
";

    #[test]
    fn a_row_is_what_the_epoch_told_would_be() {
        let found = epochs(TABLE);
        assert_eq!(found.iter().map(|point| (point.epoch, point.seconds)).collect::<Vec<_>>(), [(1, 2.5), (2, 5.0)]);
        assert_eq!(found[0].losses, BTreeMap::from([("box_loss".to_owned(), 1.5)]), "what is no number is left out");
        assert_eq!(
            found[1].metrics,
            BTreeMap::from([("metrics/mAP50(B)".to_owned(), 0.5), ("val/box_loss".to_owned(), 1.5)])
        );
    }

    #[test]
    fn what_is_torn_or_none_is_left_out() {
        assert_eq!(epochs(&TABLE[..TABLE.len() - 3]).len(), 1);
        assert_eq!(epochs("").len(), 0);
        assert_eq!(epochs("   epoch,   time\n   3,   9\nx,1\n0,1\n4\n"), epochs("epoch,time\n3,9\n"));
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read_without_harm(text in "(epoch,time,train/a\n)?([0-9a-z,. \n-]{0,40})") {
            for point in epochs(&text) {
                proptest::prop_assert!(point.epoch > 0 && point.seconds >= 0.0);
            }
        }
    }
}
