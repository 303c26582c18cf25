//! Fonts for what Ultralytics draws: it downloads them unless they are already in its folder, under these names.

use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;

use crate::dirs::Dirs;

/// For class names in Latin letters.
const LATIN: &str = "Arial.ttf";
/// For all other class names.
const UNICODE: &str = "Arial.Unicode.ttf";

/// Fonts with Chinese glyphs by file name, best first, with the family name by which matplotlib knows the file's
/// first face. They come with desktop systems or with the packages that Chinese users install.
const CHINESE: [(&str, &str); 16] = [
    ("msyh.ttc", "Microsoft YaHei"),
    ("simhei.ttf", "SimHei"),
    ("simsun.ttc", "SimSun"),
    ("Hiragino Sans GB.ttc", "Hiragino Sans GB"),
    ("STHeiti Medium.ttc", "Heiti TC"),
    ("Arial Unicode.ttf", "Arial Unicode MS"),
    ("NotoSansCJKsc-Regular.otf", "Noto Sans CJK SC"),
    ("NotoSansSC-Regular.otf", "Noto Sans SC"),
    ("SourceHanSansSC-Regular.otf", "Source Han Sans SC"),
    ("SourceHanSansCN-Regular.otf", "Source Han Sans CN"),
    ("NotoSansCJK-Regular.ttc", "Noto Sans CJK JP"),
    ("wqy-microhei.ttc", "WenQuanYi Micro Hei"),
    ("wqy-zenhei.ttc", "WenQuanYi Zen Hei"),
    ("DroidSansFallbackFull.ttf", "Droid Sans Fallback"),
    ("DroidSansFallback.ttf", "Droid Sans Fallback"),
    ("uming.ttc", "AR PL UMing CN"),
];

/// Puts fonts where Ultralytics and matplotlib look, so that neither downloads one and Chinese class names can be
/// read. Cheap when they are there already.
///
/// A computer without a Chinese font gets the Latin one under both names: training works, Chinese labels in the
/// pictures are boxes.
///
/// # Errors
/// `file.unwritable`.
pub fn provide(dirs: &Dirs, python: &Path) -> Result<(), Problem> {
    let folder = dirs.trainer().join("Ultralytics");
    let matplotlib = dirs.trainer().join("matplotlib");
    for folder in [&folder, &matplotlib] {
        std::fs::create_dir_all(folder)
            .map_err(|error| Problem::new("file.unwritable").with("path", folder.as_path()).because(&error))?;
    }
    let latin = latin(python);
    let chinese = chinese(&system_folders());
    if let Some(latin) = &latin {
        place(latin, &folder.join(LATIN))?;
    }
    if let Some(font) = chinese.as_ref().map(|(font, _)| font).or(latin.as_ref()) {
        place(font, &folder.join(UNICODE))?;
    }
    // matplotlib takes a glyph from the first family in the list that has it.
    let family = chinese.map_or_else(String::new, |(_, family)| format!(", {family}"));
    let settings = format!("font.family: sans-serif{family}\n");
    crate::write::atomically(&matplotlib.join("matplotlibrc"), settings.as_bytes())
}

/// The font that comes with matplotlib, which Ultralytics depends on; else the system's copy of the same font.
fn latin(python: &Path) -> Option<PathBuf> {
    let prefix = python.parent()?.parent()?;
    let mut packages = vec![prefix.join("Lib/site-packages"), prefix.join("lib/python3/dist-packages")];
    if let Ok(entries) = std::fs::read_dir(prefix.join("lib")) {
        packages.extend(entries.flatten().map(|entry| entry.path().join("site-packages")));
    }
    packages
        .iter()
        .map(|packages| packages.join("matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf"))
        .chain(["/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf".into(), "C:/Windows/Fonts/arial.ttf".into()])
        .find(|font| font.is_file())
}

fn system_folders() -> Vec<PathBuf> {
    let home = etcetera::home_dir().ok();
    let home = |folder: &str| home.as_ref().map(|home| home.join(folder));
    if cfg!(windows) {
        let windows = std::env::var_os("SystemRoot").map_or_else(|| PathBuf::from("C:/Windows"), PathBuf::from);
        vec![windows.join("Fonts")]
    } else if cfg!(target_os = "macos") {
        let mut folders = vec![PathBuf::from("/System/Library/Fonts"), "/Library/Fonts".into()];
        folders.extend(home("Library/Fonts"));
        folders
    } else {
        let mut folders = vec![PathBuf::from("/usr/share/fonts"), "/usr/local/share/fonts".into()];
        folders.extend(home(".local/share/fonts"));
        folders.extend(home(".fonts"));
        folders
    }
}

/// The best font with Chinese glyphs in some folders, with its family name.
fn chinese(folders: &[PathBuf]) -> Option<(PathBuf, &'static str)> {
    folders
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(folder).max_depth(4).follow_links(true))
        .flatten()
        .filter_map(|entry| {
            let rank = CHINESE.iter().position(|(name, _)| entry.file_name().eq_ignore_ascii_case(name))?;
            Some((rank, entry.into_path()))
        })
        .min()
        .map(|(rank, path)| (path, CHINESE[rank].1))
}

/// Puts a font at a place: a link where links can be had, since these files are large; else a copy.
fn place(font: &Path, at: &Path) -> Result<(), Problem> {
    if std::fs::read_link(at).is_ok_and(|target| target == font) {
        return Ok(());
    }
    let unwritable = |error: std::io::Error| Problem::new("file.unwritable").with("path", at).because(&error);
    #[cfg(unix)]
    {
        // A rename over it: a training that starts right now sees the old font or the new one.
        let beside = at.with_extension(format!("{}.new", uuid::Uuid::new_v4()));
        std::os::unix::fs::symlink(font, &beside).and_then(|()| std::fs::rename(&beside, at)).map_err(unwritable)
    }
    #[cfg(not(unix))]
    {
        let size = |path: &Path| path.metadata().map(|metadata| metadata.len()).ok();
        if size(at).is_some() && size(at) == size(font) {
            return Ok(());
        }
        std::fs::copy(font, at).map(drop).map_err(unwritable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_font_is_linked_under_the_names_that_are_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let fonts = folder.path().join("fonts");
        for font in ["truetype/wqy/wqy-microhei.ttc", "opentype/noto/NotoSansCJK-Regular.ttc", "x/NotoSans-Regular.ttf"]
        {
            std::fs::create_dir_all(fonts.join(font).parent().unwrap()).unwrap();
            std::fs::write(fonts.join(font), font).unwrap();
        }
        let (font, family) = chinese(&[folder.path().join("none"), fonts.clone()]).unwrap();
        assert_eq!(
            (font.as_path(), family),
            (&*fonts.join("opentype/noto/NotoSansCJK-Regular.ttc"), "Noto Sans CJK JP")
        );
        assert_eq!(chinese(&[fonts.join("x")]), None);

        let at = folder.path().join(UNICODE);
        for font in [&font, &font, &fonts.join("truetype/wqy/wqy-microhei.ttc")] {
            place(font, &at).unwrap();
            assert_eq!(std::fs::read(&at).unwrap(), std::fs::read(font).unwrap());
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
