//! Small packages with the names and the answers of the real ones.

use std::io::{Cursor, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;

/// A wheel as an index offers it.
#[derive(Debug, Clone)]
pub(crate) struct Wheel {
    pub(crate) project: String,
    pub(crate) file: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) metadata: String,
    /// What the index says about it.
    pub(crate) sha256: String,
}

impl Wheel {
    pub(crate) fn new(project: &str, version: &str, files: &[(&str, &[u8])]) -> Self {
        Self::tagged(project, version, "py3-none-any", files)
    }

    fn tagged(project: &str, version: &str, tag: &str, files: &[(&str, &[u8])]) -> Self {
        let name = project.replace('-', "_");
        let metadata = format!("Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n");
        let about = format!("{name}-{version}.dist-info");
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        let wheel = format!("Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n");
        let names = files.iter().map(|(path, _)| format!("{path},,\n")).collect::<String>();
        let own = [
            (format!("{about}/METADATA"), metadata.clone().into_bytes()),
            (format!("{about}/WHEEL"), wheel.into_bytes()),
            (
                format!("{about}/RECORD"),
                format!("{names}{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n").into_bytes(),
            ),
        ];
        let files = files.iter().map(|(path, content)| ((*path).to_owned(), content.to_vec()));
        for (path, content) in files.chain(own) {
            archive.start_file(path, stored).unwrap();
            archive.write_all(&content).unwrap();
        }
        let bytes = archive.finish().unwrap().into_inner();
        let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { project: project.to_owned(), file: format!("{name}-{version}-{tag}.whl"), bytes, metadata, sha256 }
    }
}

/// A module that answers what `probe.py` asks of torch.
pub(crate) fn torch(version: &str) -> Wheel {
    let module = format!(
        "__version__ = '{version}'\n\
         class version: cuda = None\n\
         class cuda:\n    is_available = staticmethod(lambda: False)\n\
         tensor = list\n"
    );
    Wheel::new("torch", version, &[("torch/__init__.py", module.as_bytes())])
}

pub(crate) fn torchvision(version: &str) -> Wheel {
    let module = format!("__version__ = '{version}'\nclass ops:\n    nms = staticmethod(lambda *boxes: [0])\n");
    Wheel::new("torchvision", version, &[("torchvision/__init__.py", module.as_bytes())])
}

pub(crate) fn ultralytics() -> Wheel {
    let module = "__version__ = '8.4.190'\n";
    Wheel::new("ultralytics-opencv-headless", "8.4.190", &[("ultralytics/__init__.py", module.as_bytes())])
}

/// Everything the app's own recipe asks for.
pub(crate) fn all() -> Vec<Wheel> {
    let cloudpickle = Wheel::new("cloudpickle", "3.1.3", &[("cloudpickle.py", b"")]);
    vec![ultralytics(), torch("2.15.0"), torchvision("0.29.2"), cloudpickle]
}

/// The real installer as the wheel that PyPI has for Linux.
pub(crate) fn uv(program: &Path) -> Wheel {
    let bytes = std::fs::read(program).unwrap();
    let tag = format!("py3-none-manylinux_2_17_{0}.manylinux2014_{0}", std::env::consts::ARCH);
    Wheel::tagged("uv", "0.13.9", &tag, &[("uv-0.13.9.data/scripts/uv", &bytes), ("uv/__init__.py", b"")])
}
