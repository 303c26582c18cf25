"""Says in JSON what a model holds in memory while it learns: `python model_memory.py MODEL.pt|MODEL.yaml`.

One training step, loss and backward pass included, on small images. On a GPU the peak is measured; without one each tensor's
memory is counted as it comes and goes, on the processor, where bfloat16 stands in for the GPU's half precision. Needs no
compiler. The figures are those of a row of Preflight's table: MiB for one image of 640 x 640 pixels.
"""

import gc
import json
import os
import sys
import warnings
import weakref
from pathlib import Path

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_VERBOSE", "false")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")
warnings.filterwarnings("ignore")

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

MIB = 1 << 20
BATCH, BOXES, MANY_BOXES, CLASSES = 2, 10, 20, 80


class Counter(TorchDispatchMode):
    """How many bytes tensors hold, and held at most."""

    def __init__(self):
        super().__init__()
        self.sizes = {}
        self.held = self.peak = 0

    def note(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self.sizes:
            return
        self.sizes[key] = -(-storage.nbytes() // 512) * 512
        self.held += self.sizes[key]
        self.peak = max(self.peak, self.held)
        weakref.finalize(storage, self.forget, key)

    def forget(self, key):
        self.held -= self.sizes.pop(key, 0)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor):
                self.note(leaf)
        return result


def batch_of(task, model, imgsz, boxes, device):
    generator = torch.Generator().manual_seed(0)

    def random(*shape):
        return torch.rand(*shape, generator=generator).to(device)

    images = torch.zeros(BATCH, 3, imgsz, imgsz, device=device)
    if task == "classify":
        return {"img": images, "cls": torch.zeros(BATCH, dtype=torch.long, device=device)}
    count = BATCH * boxes
    batch = {"img": images, "cls": torch.zeros(count, 1, device=device)}
    batch["batch_idx"] = torch.arange(BATCH).repeat_interleave(boxes).float().to(device)
    # Boxes of a quarter of the image, as many anchors lie in them as in boxes of usual size in a larger image.
    batch["bboxes"] = torch.cat([random(count, 2) * 0.5 + 0.25, torch.full((count, 2), 0.25, device=device)], 1)
    if task == "obb":
        batch["bboxes"] = torch.cat([batch["bboxes"], random(count, 1)], 1)
    if task == "segment":
        batch["masks"] = torch.zeros(BATCH, imgsz // 4, imgsz // 4, device=device)
        batch["sem_masks"] = torch.zeros(BATCH, imgsz // 4, imgsz // 4, device=device)
    if task == "pose":
        batch["keypoints"] = random(count, *model.model[-1].kpt_shape)
    return batch


class Profile:
    def __init__(self, path):
        from ultralytics import YOLO
        from ultralytics.cfg import get_cfg

        loaded = YOLO(path)
        self.kind, self.task, self.cfg = type(loaded.model), loaded.task, get_cfg()
        self.yaml = loaded.model.yaml
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        # Large enough for every scale of the model, small enough for a processor.
        self.imgsz = (224 if self.task == "classify" else 192) if self.device.type == "cpu" else 640

    def model(self, classes):
        model = self.kind({**self.yaml, "nc": classes}, nc=classes, verbose=False)
        model.args = self.cfg
        for parameter in model.parameters():
            # Gradients are counted apart; on images as small as these they would outweigh the rest.
            if parameter.requires_grad:
                parameter.register_post_accumulate_grad_hook(lambda parameter: setattr(parameter, "grad", None))
        return model.to(self.device).train()

    def step(self, mixed, classes=CLASSES, boxes=BOXES):
        """MiB of an image of 640 x 640 pixels when memory is fullest, beyond the weights and their copies."""
        gc.collect()
        model = self.model(classes)
        batch = batch_of(self.task, model, self.imgsz, boxes, self.device)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        if self.device.type == "cuda":
            torch.cuda.synchronize()
            before = torch.cuda.memory_allocated()
            torch.cuda.reset_peak_memory_stats()
            self.run(model, batch, mixed)
            peak = torch.cuda.max_memory_allocated() - before
        else:
            with Counter() as counter:
                for tensor in (*model.parameters(), *model.buffers()):
                    counter.note(tensor)
                before = counter.held
                self.run(model, batch, mixed)
                peak = counter.peak - before
        copies = 2 * parameters if mixed else 0
        if classes == CLASSES:
            self.parameters = parameters
        self.anchors = 8400 if self.task == "classify" else sum((640 // int(s)) ** 2 for s in model.stride)
        return (peak - copies) / BATCH / (self.imgsz / 640) ** 2 / MIB

    def run(self, model, batch, mixed):
        half = torch.float16 if self.device.type == "cuda" else torch.bfloat16
        model.criterion = model.init_criterion()
        with torch.autocast(self.device.type, dtype=half, enabled=mixed):
            loss, _ = model(batch)
            loss = loss.sum()
        loss.backward()

    def row(self):
        mixed, single = self.step(True), self.step(False)
        by_class = by_object = 0.0
        if self.task != "classify":
            by_class = max(mixed - self.step(True, classes=1), 0.0) / (CLASSES - 1)
        if self.task in ("segment", "pose", "obb"):
            by_object = max(self.step(True, boxes=MANY_BOXES) - mixed, 0.0) / (MANY_BOXES - BOXES)
        empty = mixed - CLASSES * by_class - BOXES * by_object
        return {
            "task": self.task,
            "measured": self.device.type == "cuda",
            "parameters": self.parameters,
            "mixed": empty,
            "single": single * empty / mixed,
            "class": by_class,
            "object": by_object,
            "anchors": self.anchors,
            "matches": self.task != "classify",
        }


if __name__ == "__main__":
    print(json.dumps(Profile(Path(sys.argv[1])).row()))
