"""Traces what one training step of Ultralytics models holds on a GPU, without a GPU, and prints rows of data/memory.toml.

Usage: python trace.py [--into FILE] [MODEL ...]   every model without a name

With a file, each row is written into it as soon as it is there, and models that it has are not traced again, as long as
torch, Ultralytics and this script are the same.

The real graph, loss and backward pass run on fake CUDA tensors, which have shapes and no content; each storage is noted as
it comes and goes. Operators whose result depends on the content (which anchors match a box) get an assumed size. The CUDA
calls that torch makes all the same are answered by `cuda.c`, preloaded.

A row holds, for one image of 640 x 640 pixels, in MiB: `mixed` and `single`, what is held when memory is fullest beyond
weights and their copies, in mixed and single precision; `class` and `object`, what each class and each box adds in mixed
precision. `parameters` counts the graph that is trained, with 80 classes. `anchors` is told where it is not 8400.
"""

import hashlib
import os
import sys
import warnings
import weakref
from pathlib import Path

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_VERBOSE", "false")
warnings.filterwarnings("ignore")

import torch
import torch.cuda.amp.common
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

# Mixed precision asks whether there is a GPU; fake tensors must not ask.
torch.cuda.amp.common.amp_definitely_not_available = lambda: False
torch.cuda.is_available = lambda: False

from ultralytics import __version__ as ultralytics_version
from ultralytics.cfg import get_cfg
from ultralytics.nn import tasks
from ultralytics.nn.modules import Conv

aten = torch.ops.aten
MIB = 1 << 20
# So many images that what does not grow with them hardly counts.
BATCH, BOXES, MANY_BOXES, CLASSES = 19, 10, 60, 80
# Anchors inside a box, before the best are taken; and those taken, which masks and key points are compared for.
CANDIDATES, POSITIVES = 60, 8
KINDS = {
    "": "DetectionModel",
    "-seg": "SegmentationModel",
    "-pose": "PoseModel",
    "-obb": "OBBModel",
    "-cls": "ClassificationModel",
}


def models():
    for family in ("yolov8", "yolo11", "yolo26"):
        for kind in KINDS:
            for size in "nsmlx":
                yield family + size + kind
    yield from (family + size for family in ("yolov5", "yolov6", "yolo12") for size in "nsmlx")
    yield from ("yolov9" + size for size in ("t", "s", "m", "c", "e", "c-seg", "e-seg"))
    yield from ("yolov10" + size for size in "nsmblx")
    yield from ("yolov3", "yolov3-spp", "yolov3-tiny")
    for kind in ("-seg", "-pose", "-obb", "-cls"):
        yield from ("yolo12" + size + kind for size in "nsmlx")
    for family, kind in (("yolov5", "-p6"), ("yolov8", "-p2"), ("yolov8", "-p6"), ("yolo26", "-p2"), ("yolo26", "-p6")):
        yield from (family + size + kind for size in "nsmlx")
    yield from ("yolov8x-pose-p6", "yolov8x-seg-p6")


class Recorder(TorchDispatchMode):
    """Notes how many bytes are held, and gives results that depend on content an assumed size."""

    def __init__(self, boxes):
        super().__init__()
        self.boxes = boxes
        self.sizes = {}
        self.held = self.peak = 0

    def note(self, tensor):
        storage = tensor.untyped_storage()
        if tensor.device.type != "cuda" or storage._cdata in self.sizes:
            return
        # The allocator's own rounding.
        size = -(-storage.nbytes() // 512) * 512
        self.sizes[storage._cdata] = size
        self.held += size
        self.peak = max(self.peak, self.held)
        weakref.finalize(storage, self.forget, storage._cdata)

    def forget(self, storage):
        self.held -= self.sizes.pop(storage, 0)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = self.answer(function, args, kwargs or {})
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor):
                self.note(leaf)
        return result

    def chosen(self, mask):
        """How many entries of a mask are assumed to be true."""
        if mask.dim() >= 3:
            return BATCH * self.boxes * CANDIDATES
        if mask.dim() == 2:
            return BATCH * self.boxes * POSITIVES
        return max(min(self.boxes * POSITIVES, mask.numel()), 1)

    def indices(self, given):
        for index in given:
            if index is not None and index.dtype in (torch.bool, torch.uint8):
                for _ in range(index.dim()):
                    yield torch.empty(self.chosen(index), dtype=torch.long, device=index.device)
            else:
                yield index

    def answer(self, function, args, kwargs):
        def whole(*shape, like):
            return torch.empty(*shape, dtype=torch.long, device=like.device)

        if function is aten.convolution.default:
            return convolved(*args)
        if function is aten.convolution_backward.default:
            gradient, image, weight, bias = args[:4]
            return tuple(
                torch.empty(shape, dtype=gradient.dtype, device=gradient.device) if wanted else None
                for shape, wanted in zip((image.shape, weight.shape, bias), args[10], strict=True)
            )
        if function is aten.nonzero.default:
            return whole(self.chosen(args[0]), args[0].dim(), like=args[0])
        if function is aten._local_scalar_dense.default:
            kind = args[0].dtype
            return True if kind is torch.bool else 1.0 if kind.is_floating_point else self.boxes
        if function is aten.masked_select.default:
            return torch.empty(self.chosen(args[1]), dtype=args[0].dtype, device=args[0].device)
        if function is aten._unique2.default:
            # Asked for each value's place, all are taken as different; else each image of the batch has one.
            count = args[0].numel() if len(args) > 2 and args[2] else BATCH
            return args[0].new_empty(count), whole(count, like=args[0]), whole(count, like=args[0])
        if function is aten.bincount.default:
            return whole(BATCH, like=args[0])
        if len(args) > 1 and isinstance(args[1], (list, tuple)) and "index" in function.name():
            args = (args[0], list(self.indices(args[1])), *args[2:])
        return function(*args, **kwargs)


def convolved(image, weight, _, stride, padding, dilation, transposed, output_padding, groups):
    """The result of a convolution: torch would ask cuDNN how to compute it."""

    def side(d):
        def of(values):
            return values[d % len(values)]

        size, kernel = image.shape[d + 2], of(dilation) * (weight.shape[d + 2] - 1)
        if transposed:
            return (size - 1) * of(stride) - 2 * of(padding) + kernel + of(output_padding) + 1
        return (size + 2 * of(padding) - kernel - 1) // of(stride) + 1

    channels = weight.shape[1] * groups if transposed else weight.shape[0]
    sides = (side(d) for d in range(weight.dim() - 2))
    return torch.empty(image.shape[0], channels, *sides, dtype=image.dtype, device=image.device)


def onto_card(model, mode):
    for module in model.modules():
        for tensors in (module._parameters, module._buffers, vars(module)):
            for name, tensor in list(tensors.items()):
                if isinstance(tensor, torch.nn.Parameter):
                    tensors[name] = torch.nn.Parameter(mode.from_tensor(tensor.detach()).to("cuda"))
                    tensors[name].requires_grad = "dfl" not in type(module).__name__.lower()
                elif isinstance(tensor, torch.Tensor):
                    tensors[name] = mode.from_tensor(tensor).to("cuda")


def batch_of(kind, model, imgsz, boxes):
    def zeros(*shape, **kwargs):
        return torch.zeros(*shape, device="cuda", **kwargs)

    images = torch.empty(BATCH, 3, imgsz, imgsz, device="cuda", dtype=torch.uint8).float() / 255
    if kind == "-cls":
        return {"img": images, "cls": zeros(BATCH, dtype=torch.long)}
    count = BATCH * boxes
    batch = {"img": images, "batch_idx": zeros(count), "cls": zeros(count, 1)}
    batch["bboxes"] = zeros(count, 5 if kind == "-obb" else 4)
    if kind == "-seg":
        batch["masks"] = zeros(BATCH, imgsz // 4, imgsz // 4)
        batch["sem_masks"] = zeros(BATCH, imgsz // 4, imgsz // 4)
    if kind == "-pose":
        batch["keypoints"] = zeros(count, *model.model[-1].kpt_shape)
    return batch


def kind_of(name):
    return next((kind for kind in KINDS if kind and kind in name), "")


def trace(name, mixed, classes=CLASSES, boxes=BOXES):
    """Parameters, anchors, and MiB of an image of 640 x 640 pixels when memory is fullest."""
    kind = kind_of(name)
    imgsz = 224 if kind == "-cls" else 640
    # A model that names another activation would leave it to those after it.
    Conv.default_act = torch.nn.SiLU()
    model = getattr(tasks, KINDS[kind])(name + ".yaml", nc=classes, verbose=False)
    model.args = get_cfg()
    anchors = 0 if kind == "-cls" else sum((640 // int(stride)) ** 2 for stride in model.stride)
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode:
        onto_card(model, mode)
        model.train()
        recorder = Recorder(boxes)
        with recorder:
            for tensor in (*model.parameters(), *model.buffers()):
                recorder.note(tensor)
            before = recorder.held
            model.criterion = model.init_criterion()
            with torch.autocast("cuda", dtype=torch.float16, enabled=mixed):
                loss, _ = model(batch_of(kind, model, imgsz, boxes))
                loss = loss.sum()
            loss.backward()
    parameters = sum(parameter.numel() for parameter in model.parameters())
    copies = 2 * parameters if mixed else 0
    return parameters, anchors, (recorder.peak - before - copies) / BATCH / (imgsz / 640) ** 2 / MIB


def row(name):
    kind = kind_of(name)
    parameters, anchors, mixed = trace(name, True)
    *_, single = trace(name, False)
    by_class = by_object = 0.0
    if kind != "-cls":
        *_, one_class = trace(name, True, classes=1)
        by_class = (mixed - one_class) / (CLASSES - 1)
    if kind in ("-seg", "-pose", "-obb"):
        *_, crowded = trace(name, True, boxes=MANY_BOXES)
        by_object = max(crowded - mixed, 0.0) / (MANY_BOXES - BOXES)
    empty = mixed - CLASSES * by_class - BOXES * by_object
    fields = f"parameters = {parameters}, mixed = {empty:.2f}, single = {single * empty / mixed:.2f}"
    fields += f", class = {by_class:.4f}, object = {by_object:.4f}"
    if kind == "-cls":
        fields += ", matches = false"
    elif anchors != 8400:
        fields += f", anchors = {anchors}"
    return f"{name} = {{ {fields} }}"


def main(arguments):
    into = Path(arguments[1]) if arguments[:1] == ["--into"] else None
    names = arguments[2:] if into else arguments
    names = names or list(models())
    made, rows = None, {}
    if into:
        script = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
        made = f"# torch {torch.__version__}, ultralytics {ultralytics_version}, script {script[:12]}"
        lines = into.read_text().splitlines() if into.exists() else []
        if lines[:1] == [made]:
            rows = {line.partition(" = ")[0]: line for line in lines[1:]}
    for name in names:
        if name not in rows:
            rows[name] = row(name)
            if into:
                into.write_text("\n".join((made, *rows.values())) + "\n")
        print(rows[name], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
