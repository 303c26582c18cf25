"""Draws a dataset of many photograph-like JPEGs, or scans one as Ultralytics does before a training.

draw FOLDER COUNT: images of 100 to 200 KB; a few dozen differ, the rest repeat their bytes.
scan FOLDER: prints the seconds that Ultralytics' own label scan takes without a label cache.
"""

import io
import random
import sys
from pathlib import Path


def draw(folder, count):
    import numpy as np
    from PIL import Image

    different = 64
    chance = np.random.default_rng(0)
    pictures = []
    for _ in range(different):
        coarse = chance.integers(0, 256, (30, 40, 3), dtype=np.uint8)
        picture = Image.fromarray(coarse).resize((640, 480), Image.Resampling.BICUBIC)
        noise = chance.normal(0, 14, (480, 640, 1))
        picture = Image.fromarray(np.clip(np.asarray(picture) + noise, 0, 255).astype(np.uint8))
        data = io.BytesIO()
        picture.save(data, "JPEG", quality=85)
        pictures.append(data.getvalue())
    random.seed(0)
    for index in range(count):
        split = "val" if index % 10 == 0 else "train"
        images, labels = folder / "images" / split, folder / "labels" / split
        images.mkdir(parents=True, exist_ok=True)
        labels.mkdir(parents=True, exist_ok=True)
        (images / f"{index:012}.jpg").write_bytes(pictures[index % different])
        rows = []
        for _ in range(7):
            values = [random.uniform(0.2, 0.8), random.uniform(0.2, 0.8), random.uniform(0, 0.4), random.uniform(0, 0.4)]
            rows.append(f"{random.randrange(80)} " + " ".join(f"{value:.6f}" for value in values))
        (labels / f"{index:012}.txt").write_text("\n".join(rows) + "\n")
    names = "".join(f"  {index}: class {index}\n" for index in range(80))
    (folder / "data.yaml").write_text(f"train: images/train\nval: images/val\nnames:\n{names}")


def scan(folder):
    import time

    from ultralytics.data.dataset import YOLODataset

    data = {"names": {index: str(index) for index in range(80)}, "channels": 3}
    whole_scan = YOLODataset.cache_labels
    took = []

    def timed(self, path):
        began = time.perf_counter()
        found = whole_scan(self, path)
        took.append(time.perf_counter() - began)
        return found

    YOLODataset.cache_labels = timed
    for split in ("train", "val"):
        (folder / "labels" / f"{split}.cache").unlink(missing_ok=True)
        YOLODataset(img_path=str(folder / "images" / split), data=data, augment=False)
        (folder / "labels" / f"{split}.cache").unlink(missing_ok=True)
    print(f"took {sum(took)}")


if sys.argv[1] == "draw":
    draw(Path(sys.argv[2]), int(sys.argv[3]))
else:
    scan(Path(sys.argv[2]))
