"""Uses a trained model: finds objects in images, or exports it and compares. Speaks JSON lines over stdin and stdout.

Run in a run's folder. The first line of stdin is an object of
  do       "predict" or "export"
  weights  the weights, relative to the working folder
  imgsz    the image size it was trained with
  device   "cpu" or the number of a GPU (predict)
  images   the images to compare on (export)
After "predict", each further line is an object with an "image"; the end of stdin is the end.
"""

import importlib.util
import json
import os
import sys
import time
import traceback

# What turning a model into ONNX and running it needs beyond training.
ONNX_PACKAGES = ("onnx", "onnxslim", "onnxruntime")
# Boxes less sure than this are nobody's concern.
LEAST = 0.01
# For a comparison: half of the least confidence that is ever compared, and as many boxes of an image as can be told.
COMPARED_LEAST, COMPARED_MOST = 0.0005, 500


class Line:
    """The line to whoever started this. Everything that the libraries print goes to stderr instead."""

    def __init__(self):
        self.out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        os.dup2(2, 1)
        # Text on Windows would be read in the system's code page.
        self.lines = os.fdopen(os.dup(0), "r", encoding="utf-8")

    def tell(self, event, **fields):
        self.out.write(json.dumps({"event": event, **fields}, ensure_ascii=False) + "\n")
        self.out.flush()

    def __iter__(self):
        return (json.loads(line) for line in self.lines if line.strip())


def read(path):
    """An image as OpenCV has it: upright, blue first. Raises whatever a decoder thinks of it."""
    import cv2
    import numpy

    try:
        image = cv2.imdecode(numpy.fromfile(path, numpy.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        from PIL import Image, ImageOps

        try:
            with Image.open(path) as picture:
                rgb = ImageOps.exif_transpose(picture).convert("RGB")
        except ImportError:
            # Ultralytics looks for a decoder of its own where Pillow has none.
            raise ValueError("neither OpenCV nor Pillow can read it") from None
        image = numpy.ascontiguousarray(numpy.asarray(rgb)[..., ::-1])
    return image


def boxes(result):
    """Boxes in pixels, the surest first."""
    rows = zip(result.boxes.cls.tolist(), result.boxes.conf.tolist(), result.boxes.xyxy.tolist())
    found = [
        {"class": int(number), "confidence": confidence, **dict(zip(("left", "top", "right", "bottom"), corners))}
        for number, confidence, corners in rows
    ]
    return sorted(found, key=lambda box: -box["confidence"])


def names(model):
    return [str(model.names[number]) for number in sorted(model.names)]


class Predictor:
    def __init__(self, asked):
        import torch
        from ultralytics import YOLO

        self.weights, self.imgsz = asked["weights"], asked["imgsz"]
        self.device = asked["device"] if torch.cuda.is_available() else "cpu"
        self.out_of_memory = torch.cuda.OutOfMemoryError
        self.yolo = YOLO
        self.load()

    def load(self):
        import numpy

        self.model = self.yolo(self.weights)
        # The first one is slow: it must not be a person's.
        self.predict(numpy.zeros((self.imgsz, self.imgsz, 3), numpy.uint8))

    def predict(self, image):
        try:
            return self.model.predict(
                image, imgsz=self.imgsz, device=self.device, conf=LEAST, max_det=300, verbose=False
            )[0]
        except self.out_of_memory:
            if self.device == "cpu":
                raise
        # Somebody else has the card's memory by now.
        self.device = "cpu"
        self.load()
        return self.predict(image)


def predict(asked, line):
    predictor = Predictor(asked)
    line.tell("ready", device=predictor.device, names=names(predictor.model))
    for request in line:
        began = time.perf_counter()
        try:
            image = read(request["image"])
        except Exception as error:
            line.tell("unreadable", text=f"{type(error).__name__}: {error}")
            continue
        read_s = time.perf_counter() - began
        result = predictor.predict(image)
        height, width = image.shape[:2]
        line.tell(
            "predicted",
            device=predictor.device,
            width=width,
            height=height,
            boxes=boxes(result),
            read_s=read_s,
            inference_s=result.speed["inference"] / 1000,
            total_s=time.perf_counter() - began,
        )


def export(asked, line):
    missing = [name for name in ONNX_PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        line.tell("missing", packages=missing)
        return
    line.tell("converting")
    from ultralytics import YOLO

    weights, imgsz = asked["weights"], asked["imgsz"]
    exported = YOLO(weights).export(format="onnx", imgsz=imgsz, device="cpu", simplify=True)
    images = asked["images"]
    line.tell("comparing", done=0, total=len(images))
    # Exporting changes the model that was exported: the comparison is with the weights as they are on disk.
    models = YOLO(weights), YOLO(exported, task="detect")
    for number, path in enumerate(images, 1):
        try:
            image = read(path)
        except Exception:
            continue  # Whoever started this sees how many were compared.
        # An exported model sees square images only; the other one is shown the very same.
        both = [
            model.predict(
                image,
                imgsz=imgsz,
                device="cpu",
                rect=False,
                # No box is dropped for one that it overlaps: which of two that are equally sure stays is chance.
                iou=1.0,
                conf=COMPARED_LEAST,
                max_det=COMPARED_MOST,
                verbose=False,
            )[0]
            for model in models
        ]
        line.tell("pair", weights=boxes(both[0]), exported=boxes(both[1]), most=COMPARED_MOST)
        line.tell("comparing", done=number, total=len(images))
    line.tell("exported", file=os.path.abspath(exported))


def main():
    line = Line()
    asked = next(iter(line))
    try:
        {"predict": predict, "export": export}[asked["do"]](asked, line)
    except Exception as error:
        traceback.print_exc()
        line.tell("failed", text=f"{type(error).__name__}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
