//! The readers of annotations as functions of bytes. See [`super::super::parsers`].

use super::super::parsers::in_file;
use super::{Form, coco, cvat, label_studio, labelme, voc};

/// Reads bytes as an annotation file of a form.
pub(in crate::dataset) fn one(form: Form, bytes: &[u8]) {
    in_file("annotations.json", bytes, |path| {
        let mut troubles = Vec::new();
        match form {
            Form::PascalVoc => drop(voc::read(path, bytes, &mut troubles)),
            Form::LabelMe => {
                labelme::recognise(path);
                drop(labelme::read(path, bytes, &mut troubles));
            }
            Form::Cvat => {
                cvat::recognise(path);
                cvat::read(path, &mut troubles);
            }
            Form::Coco => {
                coco::recognise(path);
                coco::read(path, &mut troubles);
            }
            Form::LabelStudio => {
                label_studio::recognise(path);
                label_studio::read(path, &mut troubles);
            }
        }
    });
}
