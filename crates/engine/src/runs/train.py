"""Drives an Ultralytics training through its callbacks and tells what happens in JSON lines.

Usage: python train.py ARGUMENTS.json, an object of
  events   the file the lines are appended to (what is printed is the raw log and stays apart)
  weights  the folder of weights that are at hand
  model    what YOLO() is given
  train    what YOLO.train() is given
"""

import json
import math
import os
import platform
import sys
import time
import traceback

# Services that Ultralytics would report to if their packages are installed, and its own messages.
SERVICES = (
    "sync", "hub", "clearml", "comet", "dvc", "mlflow", "neptune", "raytune", "tensorboard", "wandb", "vscode_msg",
    "openvino_msg",
)  # fmt: skip

# Classes of which it is told which are taken for which: more cannot be shown.
CONFUSED_MOST = 40


class Teller:
    """Tells the events. Training on several GPUs copies it to processes of their own; the first one speaks."""

    def __init__(self, path):
        self.path = path
        self.file = None
        self.torn = False
        self.began = None  # of training, on the monotonic clock
        self.last = -math.inf  # when a step was told
        self.values = None  # of the trainer, as told last
        self.step = 0
        self.epoch = 0
        self.epochs = 0
        self.in_epoch = False
        self.step_end = None  # when the last step of this epoch ended
        self.told_end = None  # when the last step that was told ended
        self.waited = 0.0  # seconds without a step since then: images were loaded

    def __getstate__(self):
        return {**self.__dict__, "file": None}

    def tell(self, event, **fields):
        if os.environ.get("RANK", "-1") not in ("-1", "0"):
            return
        line = json.dumps({"event": event, **fields}, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            if self.file is None:
                flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
                self.file = os.open(self.path, flags, 0o644)
            line = b"\n" + line if self.torn else line
            self.torn = os.write(self.file, line) < len(line)
        except OSError:
            self.torn = True  # A full disk loses the event, not the training.

    def seconds(self):
        return time.monotonic() - self.began if self.began is not None else 0.0

    def is_due(self):
        """Four times a second at first; a training of days is told once a second."""
        now = time.monotonic()
        if now - self.last < min(max(self.seconds() / 600, 0.25), 1.0):
            return False
        self.last = now
        return True

    def error(self, error):
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        self.tell("error", **{"class": type(error).__name__}, text=str(error)[:4000], traceback="".join(lines)[-20000:])

    # Callbacks of the trainer.

    def on_train_epoch_start(self, trainer):
        if self.began is None:
            self.began = time.monotonic()
        self.step = 0
        self.step_end = self.told_end = None
        self.waited = 0.0
        self.epoch = trainer.epoch + 1
        self.epochs = int(trainer.epochs)
        values = {
            "epochs": self.epochs,
            "batch": int(trainer.batch_size),
            "batches": len(trainer.train_loader),
            "imgsz": largest(trainer.args.imgsz),
        }
        if values == self.values:
            return
        self.values = values
        self.tell(
            "start",
            first_epoch=self.epoch,
            device=str(trainer.device),
            amp=bool(trainer.amp),
            optimizer=type(trainer.optimizer).__name__,
            parameters=sum(parameter.numel() for parameter in trainer.model.parameters()),
            train_images=len(trainer.train_loader.dataset),
            val_images=len(trainer.test_loader.dataset),
            **values,
        )

    def on_train_batch_start(self, trainer):
        if self.step_end is not None:
            self.waited += time.monotonic() - self.step_end

    def on_train_batch_end(self, trainer):
        self.step += 1
        self.step_end = time.monotonic()
        batches = len(trainer.train_loader)
        if self.is_due() or self.step == batches:
            reserved = 0
            if trainer.device.type == "cuda":
                reserved = sys.modules["torch"].cuda.memory_reserved(trainer.device)
            self.tell(
                "batch",
                epoch=self.epoch,
                batch=self.step,
                batches=batches,
                gpu_reserved=int(reserved),
                loading=self.loading(),
                **losses(trainer),
            )

    def loading(self):
        """The share of the time since the step told before that went into waiting for images."""
        waited, since = self.waited, self.told_end
        self.waited, self.told_end = 0.0, self.step_end
        # None before the first step: it waits for the workers to start.
        return round(min(waited / max(self.step_end - since, 1e-9), 1.0), 3) if since is not None else None

    def on_train_epoch_end(self, trainer):
        self.in_epoch = True

    def on_model_save(self, trainer):
        is_best = bool(trainer.best_fitness == trainer.fitness)
        last, best = os.path.abspath(trainer.last), os.path.abspath(trainer.best)
        self.tell("saved", epoch=self.epoch, last=last, best=best, is_best=is_best)

    def on_fit_epoch_end(self, trainer):
        # Called once more after the final validation, when no epoch has ended.
        if self.in_epoch:
            self.in_epoch = False
            self.tell(
                "epoch",
                epoch=self.epoch,
                **losses(trainer),
                metrics=finite(trainer.metrics),
                learning_rates=finite(trainer.lr),
                seconds=self.seconds(),
            )

    def on_train_end(self, trainer):
        best = trainer.best if trainer.best.exists() else trainer.last
        self.tell(
            "done",
            metrics=finite(trainer.metrics),
            best=os.path.abspath(best),
            folder=os.path.abspath(trainer.save_dir),
            seconds=self.seconds(),
            classes=or_nothing(classes, trainer.validator) or [],
            confusion=or_nothing(confusion, trainer.validator),
        )

    def teardown(self, trainer):
        # In a process of its own, this is the only place that sees what went wrong.
        error = sys.exc_info()[1]
        if "RANK" in os.environ and isinstance(error, Exception):
            self.error(error)

    # Callback of the validator.

    def on_val_batch_end(self, validator):
        batch, batches = validator.batch_i + 1, len(validator.dataloader)
        if self.is_due() or batch == batches:
            epoch = self.epoch if self.in_epoch else self.epochs + 1
            self.tell("validation", epoch=epoch, batch=batch, batches=batches)


def largest(imgsz):
    return int(max(imgsz) if isinstance(imgsz, (list, tuple)) else imgsz)


def numbers(values):
    """Values as numbers, by name."""
    named = {}
    for name, value in (values or {}).items():
        try:
            named[str(name)] = float(value)
        except (TypeError, ValueError):
            continue
    return named


def finite(values):
    """Numbers as JSON can hold them: what is not a finite number is left out."""
    return {name: number for name, number in numbers(values).items() if math.isfinite(number)}


def losses(trainer):
    """Running means by name, and the names of those that are no finite numbers; older versions keep a tensor."""
    named = numbers(trainer.label_loss_items(trainer.tloss, prefix="train")) if trainer.tloss is not None else {}
    named = {name.split("/", 1)[-1]: number for name, number in named.items()}
    return {
        "losses": finite(named),
        "not_finite": [name for name, number in named.items() if not math.isfinite(number)],
    }


def or_nothing(look, validator):
    """What a version keeps elsewhere is not worth a training."""
    try:
        return look(validator)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None


def classes(validator):
    """The figures of each class that is in the validation images."""
    metrics, figures = validator.metrics, []
    for index, number in enumerate(metrics.ap_class_index):
        precision, recall, map50, map50_95 = (float(value) for value in metrics.class_result(index))
        figures.append(
            {
                "name": str(metrics.names[int(number)]),
                "images": int(metrics.nt_per_image[int(number)]),
                "instances": int(metrics.nt_per_class[int(number)]),
                **finite({"precision": precision, "recall": recall, "map50": map50, "map50_95": map50_95}),
            }
        )
    return figures


def confusion(validator):
    """How often what was seen as a class (row) is which one (column); the last of both is no object."""
    counts = validator.confusion_matrix.matrix
    names = [str(validator.names[number]) for number in sorted(validator.names)]
    if len(names) > CONFUSED_MOST or counts.shape != (len(names) + 1, len(names) + 1) or not counts.any():
        return None
    return {"names": names, "counts": [[int(count) for count in row] for row in counts]}


def with_relative_checkpoints(trainer):
    """Ultralytics takes quotes out of a checkpoint's path before it loads it: in a folder of someone called O'Brien it
    would not find what it just wrote. Relative to the working folder, the run's own, there are none."""

    class Trainer(trainer):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.last, self.best = (type(path)(os.path.relpath(path)) for path in (self.last, self.best))

    return Trainer


def train(arguments, teller):
    import torch
    import ultralytics
    from ultralytics import YOLO, settings

    teller.tell("imported", ultralytics=ultralytics.__version__, torch=torch.__version__)
    wanted = {name: False for name in SERVICES if name in settings}
    wanted["weights_dir"] = arguments["weights"]
    if any(settings[name] != value for name, value in wanted.items()):
        settings.update(wanted)

    model = YOLO(arguments["model"])
    for name in dir(teller):
        if name.startswith("on_") or name == "teardown":
            model.add_callback(name, getattr(teller, name))
    trainer = with_relative_checkpoints(model.task_map[model.task]["trainer"])
    model.train(trainer=trainer, **arguments["train"])


def main(path):
    with open(path, encoding="utf-8") as file:
        arguments = json.load(file)
    teller = Teller(arguments["events"])
    teller.tell("boot", pid=os.getpid(), python=platform.python_version())
    try:
        train(arguments, teller)
    except KeyboardInterrupt:
        teller.tell("stopped")
        return 130
    except BaseException as error:
        teller.error(error)
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
