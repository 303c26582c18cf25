use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use image::ImageFormat;
use zip::write::SimpleFileOptions;

use super::*;

/// Files that each parser takes, to be changed.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let texts: &[&str] = match name {
        "yaml" => &[
            "path: ../plates\ntrain: [images/a, images/b]\nval: val.txt\nnames: {0: dent, 1: 'no'}\nkpt_shape: [2, 3]\nflip_idx: [1, 0]\n",
            "a: &a [1, 2]\n<<: {b: *a}\nnc: 0x1F\nnames:\n- \"é\\u0301\"\n- |\n  x\n- >-\n  y\n...\n",
        ],
        "labels" => &[
            "0 0.5 0.5 0.25 0.25\n1 .1 .1 .2 .1 .2 .2 .1 .2\n\n",
            "2 0.5 0.5 0.25 0.25 0.4 0.4 2 0.6 0.6 1\r\n0 0,5 0,5 0,1 0,1\n",
            "\u{feff}0 1e-1 5E-1 nan inf\n-1 +0.5 0.5 _ 1_0.5\n",
        ],
        "list" => &["./images/a.jpg\nimages/b.png\r\n/absolute/c.bmp\n\u{feff}\n../x.webp\n"],
        "voc" => &[
            "<?xml version=\"1.0\"?><annotation><filename>a.jpg</filename><size><width>64</width><height>48</height></size>\
             <object><name>cat &amp; dog</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>",
        ],
        "cvat" => &[
            "<annotations><meta><labels><label><name>dent</name></label></labels></meta><image id='0' name='a.jpg' subset='train' \
             width='64' height='48'><box label='dent' xtl='1' ytl='1' xbr='9' ybr='9' rotation='30'/><polygon label='dent' \
             points='1,1;9,1;9,9'/></image></annotations>",
        ],
        "labelme" => &[
            r#"{"shapes":[{"label":"a","points":[[1,1],[9,9]],"shape_type":"rectangle"},{"label":"b","points":[[1,1],[9,1],[9,9]]}],"imagePath":"a.jpg","imageWidth":64,"imageHeight":48,"imageData":"AAAA"}"#,
        ],
        "coco" => &[
            r#"{"images":[{"id":1,"file_name":"a.jpg","width":64,"height":48}],"categories":[{"id":1,"name":"a","supercategory":"none"}],
             "annotations":[{"image_id":1,"category_id":1,"bbox":[1,1,8,8],"segmentation":[[1,1,9,1,9,9]],"keypoints":[1,1,2],"iscrowd":0},
             {"image_id":1,"category_id":1,"bbox":[1,1,8,8],"segmentation":{"counts":[1,2],"size":[48,64]},"iscrowd":1}]}"#,
        ],
        "label-studio" => &[
            r#"[{"id":1,"data":{"image":"/data/local-files/?d=a%20b.jpg"},"annotations":[{"result":[{"type":"rectanglelabels","original_width":64,
             "original_height":48,"value":{"x":1,"y":1,"width":9,"height":9,"rotation":30,"rectanglelabels":["a"]}},
             {"type":"polygonlabels","value":{"points":[[1,1],[9,1],[9,9]],"polygonlabels":["b"]}}]}]}]"#,
            r#"[{"image":"0a1b2c3d-a.jpg","label":[{"x":1,"y":1,"radiusX":9,"radiusY":9,"ellipselabels":["a"]}],"annotation_id":1}]"#,
        ],
        "manifest" => &[r#"{"names":["a"],"entries":[{"split":"train","image":"a.jpg","content":"00","label":null}]}"#],
        _ => &[],
    };
    let mut files: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    match name {
        "image" => {
            for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tiff, ImageFormat::WebP]
            {
                let mut bytes = Cursor::new(Vec::new());
                image::DynamicImage::new_rgb8(24, 16).write_to(&mut bytes, format).unwrap();
                files.push(bytes.into_inner());
            }
            files.push(b"\0\0\0\x18ftypavif\0\0\0\0mif1avif\0\0\0\x14ispe\0\0\0\0\0\0\0\x40\0\0\0\x30".to_vec());
            files.push([&b"\xff\x4f\xff\x51\0\x29\0\0\0\0\0\x40\0\0\0\x30"[..], &[0; 40]].concat());
        }
        "archive" => files.push(zipped(&[("a/data.yaml", b"names: [a]"), ("a/images/b.jpg", &[7; 300])])),
        "pickle" => files.push(PICKLE.to_vec()),
        "weights" => files.push(zipped(&[("archive/data.pkl", PICKLE), ("archive/data/0", &[0; 8])])),
        _ => {}
    }
    assert!(!files.is_empty(), "no seed for {name}");
    files
}

/// `{'model': None, 'epoch': -1, 'x': [1.5, 'é']}` in protocol 2.
const PICKLE: &[u8] = b"\x80\x02}q\x00(X\x05\x00\x00\x00modelq\x01NX\x05\x00\x00\x00epochq\x02J\xff\xff\xff\xffX\x01\x00\x00\x00xq\x03]q\x04(G?\xf8\x00\x00\x00\x00\x00\x00X\x02\x00\x00\x00\xc3\xa9q\x05eu.";

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        // xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }
}

/// Pieces that parsers trip over.
const PIECES: [&[u8]; 24] = [
    b"\0",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3",
    b"\r",
    b"\n\n",
    b"-",
    b"1e999",
    b"nan",
    b"99999999999999999999",
    b"0x",
    b"[",
    b"]",
    b"{",
    b"\"",
    b"<",
    b"&x;",
    b"*a",
    b"<<: ",
    b"PK\x03\x04",
    b"%",
];

fn changed(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(7) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
            2 if !bytes.is_empty() => bytes[at] = u8::try_from(dice.below(256)).unwrap(),
            3 => drop(bytes.splice(at..at, PIECES[dice.below(PIECES.len())].iter().copied())),
            4 => {
                let end = (at + dice.below(40)).min(bytes.len());
                let piece = bytes[at..end].repeat(1 + dice.below(20));
                bytes.splice(at..at, piece);
            }
            5 => {
                let end = (at + dice.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let other = &seeds[dice.below(seeds.len())];
                bytes.truncate(at);
                bytes.extend(&other[dice.below(other.len())..]);
            }
        }
    }
    bytes
}

/// The most memory this process ever had, in bytes.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[cfg(not(target_os = "linux"))]
fn peak() -> u64 {
    0
}

/// Far more than any parser needs for what is small, and little enough for every computer.
const MOST_MEMORY: u64 = 160 << 20;

#[test]
fn files_changed_at_random_are_read_or_refused() {
    for (name, read) in ALL {
        let seeds = seeds(name);
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
        for seed in &seeds {
            read(seed);
        }
        for _ in 0..400 {
            read(&changed(&seeds, &mut dice));
        }
        assert!(peak() < MOST_MEMORY, "{name} needed {} MiB", peak() >> 20);
    }
}

/// Files made to be expensive. Each is below a megabyte or two, so that what they cost is not their own size.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let mut laughs = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    let mut entities = String::from("<!DOCTYPE lolz [<!ENTITY a0 \"lol\">");
    for level in 1..12 {
        let _ = writeln!(laughs, "a{level}: &a{level} [{}]", vec![format!("*a{}", level - 1); 9].join(","));
        let _ = write!(entities, "<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    }
    entities.push_str("]><annotation><filename>&a11;</filename></annotation>");
    let long = "x".repeat(100_000);
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000)).into_bytes();
    let brackets = |start: &str| format!("{start}{}", "[".repeat(100_000)).into_bytes();
    // 128 megabytes of nothing, in an eighth of one.
    let mut bomb = zip::ZipWriter::new(Cursor::new(Vec::new()));
    bomb.start_file("archive/data.pkl", SimpleFileOptions::default()).unwrap();
    for _ in 0..128 {
        bomb.write_all(&[0; 1 << 20]).unwrap();
    }
    let bomb = bomb.finish().unwrap().into_inner();
    let mut chunk = Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(24, 16).write_to(&mut chunk, ImageFormat::Png).unwrap();
    let mut chunk = chunk.into_inner();
    chunk[33..37].copy_from_slice(&[0x7F, 0xFF, 0xFF, 0xFF]);
    vec![
        ("laughs", laughs.into_bytes()),
        ("long aliases", format!("a: &a {long}\nb: [{}]\n", "*a,".repeat(20_000)).into_bytes()),
        ("entities", entities.into_bytes()),
        ("lists", nested("[", "]")),
        ("yaml lists", nested("- ", "")),
        ("mappings", nested("{\"a\":", "}")),
        ("elements", nested("<annotations>", "</annotations>")),
        ("tasks", brackets("[{\"annotations\":")),
        ("shapes", brackets("{\"shapes\":[],\"imagePath\":\"a\",\"x\":")),
        ("images", brackets("{\"images\":[],\"annotations\":[],\"x\":")),
        ("attributes", format!("<annotations {}>", "a='1' ".repeat(20_000)).into_bytes()),
        ("bomb", bomb),
        ("a chunk of two gigabytes", chunk),
        ("rows", "0 0.5 0.5 0.1 0.1\n".repeat(20_000).into_bytes()),
        ("one row", "0.5 ".repeat(30_000).into_bytes()),
        ("wrong rows", "x\n".repeat(40_000).into_bytes()),
        ("zeros", vec![0; 1 << 18]),
        ("marks of a pickle", [b"\x80\x02".as_slice(), &b"(".repeat(300_000)].concat()),
        ("copies in a pickle", [b"\x80\x02]".as_slice(), &b"2\x86".repeat(300_000), b"."].concat()),
    ]
}

#[test]
fn files_made_to_be_expensive_are_not() {
    let files = hostile();
    let before = peak();
    for (name, read) in ALL {
        for (what, bytes) in &files {
            read(bytes);
            assert!(peak() < before + MOST_MEMORY, "{what} as {name} needed {} MiB", (peak() - before) >> 20);
        }
    }
}
