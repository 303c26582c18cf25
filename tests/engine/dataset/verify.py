"""Answers what the real trainer makes of files: one JSON request a line on stdin, one JSON answer a line on stdout."""

import json
import math
import os
import sys

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

from ultralytics.data.utils import check_det_dataset, verify_image_label  # noqa: E402


def number(value):
    """JSON has no infinity."""
    return value if math.isfinite(value) else str(value)


def label(request):
    rules = request["classes"], request["keypoints"], request["dims"]
    found = verify_image_label((request["image"], request["label"], "", request["pose"], *rules, False))
    boxes, shape, (_, _, _, corrupt, message) = found[1], found[2], found[5:]
    return {
        "corrupt": bool(corrupt),
        "boxes": None if boxes is None else [[number(value) for value in row] for row in boxes.tolist()],
        "shape": shape,
        "message": message,
    }


def declaration(request):
    try:
        data = check_det_dataset(request["yaml"], autodownload=False)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"train": data["train"], "val": data["val"], "names": [name for _, name in sorted(data["names"].items())]}


def draw(request):
    """Images of every kind that Pillow can write here, into a folder."""
    import numpy as np
    from PIL import Image

    folder = request["draw"]
    values = np.arange(64 * 48 * 4, dtype=np.uint32).reshape(48, 64, 4) * 7 % 251
    colors = Image.fromarray(values.astype(np.uint8)[..., :3])
    alpha = Image.fromarray(values.astype(np.uint8))
    deep = Image.fromarray((values[..., 0] * 200).astype(np.uint16))
    turned = Image.Exif()
    turned[274] = 6
    kinds = {
        "gray.jpg": (colors.convert("L"), {}),
        "cmyk.jpg": (colors.convert("CMYK"), {}),
        "progressive.jpg": (colors, {"progressive": True}),
        "restart.jpg": (colors, {"restart_marker_blocks": 2}),
        "profile.jpg": (colors, {"icc_profile": b"x" * 70_000}),
        "turned.jpg": (colors, {"exif": turned}),
        "comment.jpg": (colors, {"comment": b"y" * 60_000}),
        "gray.png": (colors.convert("L"), {}),
        "alpha.png": (alpha, {}),
        "palette.png": (colors.convert("P"), {}),
        "bits.png": (colors.convert("1"), {}),
        "deep.png": (deep, {}),
        "turned.png": (colors, {"exif": turned}),
        "frames.png": (colors, {"save_all": True, "append_images": [colors]}),
        "plain.tif": (colors, {}),
        "deep.tif": (deep, {}),
        "cmyk.tif": (colors.convert("CMYK"), {}),
        "float.tif": (Image.fromarray(values[..., 0].astype(np.float32)), {}),
        "lzw.tif": (colors, {"compression": "tiff_lzw"}),
        "jpeg.tif": (colors, {"compression": "jpeg"}),
        "pages.tif": (colors, {"save_all": True, "append_images": [colors]}),
        "turned.tif": (colors, {"exif": turned}),
        "lossy.webp": (colors, {}),
        "lossless.webp": (alpha, {"lossless": True}),
        "frames.webp": (colors, {"save_all": True, "append_images": [colors.rotate(90)]}),
        "turned.webp": (colors, {"exif": turned}),
        "bits.bmp": (colors.convert("1"), {}),
        "palette.bmp": (colors.convert("P"), {}),
        "alpha.bmp": (alpha, {}),
        "plain.jp2": (colors, {}),
        "stream.jp2": (colors, {"no_jp2": True}),
        "plain.avif": (colors, {}),
        "turned.avif": (colors, {"exif": turned}),
        "several.mpo": (colors, {"save_all": True, "append_images": [colors]}),
        "thin.png": (colors.resize((9, 64)), {}),
        "thin.webp": (colors.resize((64, 9)), {}),
        "plain.gif": (colors.convert("P"), {}),
        "plain.ico": (colors, {}),
        "plain.ppm": (colors, {}),
        "plain.tga": (colors, {}),
        "plain.pcx": (colors, {}),
    }
    formats = {"mpo": "MPO", "tif": "TIFF", "jp2": "JPEG2000"}
    names = []
    for name, (picture, options) in kinds.items():
        ending = name.rsplit(".", 1)[1]
        try:
            picture.save(os.path.join(folder, name), formats.get(ending), **options)
            names.append(name)
        except Exception:  # a build of Pillow without this form
            pass
    return {"names": names}


for line in sys.stdin:
    request = json.loads(line)
    answer = draw(request) if "draw" in request else declaration(request) if "yaml" in request else label(request)
    print(json.dumps(answer), file=answers, flush=True)
