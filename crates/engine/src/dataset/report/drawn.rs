//! Numbers as small drawings.

use std::fmt::Write as _;

use preflight_core::dataset::profile::GRID;

/// A number with a bar as long as its share of the largest.
pub(super) fn bar(count: u32, most: u32) -> String {
    let percent = if most == 0 { 0.0 } else { f64::from(count) / f64::from(most) * 100.0 };
    let bar = format!("<span class=\"bar\" style=\"width:{percent:.1}%\"></span>");
    format!("<span class=\"number\">{count}</span><span class=\"track\">{}</span>", if count > 0 { &bar } else { "" })
}

/// A grid of cells, the darker the more.
pub(super) fn map(cells: &[u32]) -> String {
    let most = cells.iter().max().copied().unwrap_or(0);
    let mut svg = format!("<svg viewBox=\"0 0 {GRID} {GRID}\" role=\"img\">");
    for (index, count) in cells.iter().enumerate().filter(|(_, count)| **count > 0) {
        // By the root, so that rare cells are seen beside frequent ones.
        let shade = (f64::from(*count) / f64::from(most.max(1))).sqrt();
        let (x, y) = (index % GRID, index / GRID);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" opacity=\"{shade:.2}\"><title>{count}</title></rect>"
        );
    }
    svg.push_str("</svg>");
    svg
}
