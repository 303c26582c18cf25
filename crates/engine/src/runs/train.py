"""Drives an Ultralytics training through its callbacks and tells what happens in JSON lines.

Usage: python train.py ARGUMENTS.json, an object of
  events      the file the lines are appended to (what is printed is the raw log and stays apart)
  weights     the folder of weights that are at hand
  model       what YOLO() is given
  train       what YOLO.train() is given
  checkpoint  where a copy of the newest weights is kept that is whole at any moment
  pause       a file that is there once training is to rest at the end of the epoch; it is taken away then
  resume      checkpoints to go on from, of which the newest that can be is taken; absent: from the beginning
  trial       the plan is only tried out: one pass over few images and one validation; an object of
    seconds     after so many seconds of training it ends without the rest, and without validating
    hold        seconds it stays as it is after its last step, so that what a card shows can be looked at

Exit codes: 0 done, 74 no room on the disk, 75 resting, 130 interrupted, 1 failed.
"""

import errno
import json
import math
import os
import platform
import shutil
import sys
import time
import traceback

NO_ROOM = 74
RESTING = 75

# Services that Ultralytics would report to if their packages are installed, and its own messages.
SERVICES = (
    "sync", "hub", "clearml", "comet", "dvc", "mlflow", "neptune", "raytune", "tensorboard", "wandb", "vscode_msg",
    "openvino_msg",
)  # fmt: skip

# Classes of which it is told which are taken for which: more cannot be shown.
CONFUSED_MOST = 40


class Rest(BaseException):
    """Ends training so that it can go on: anything less would strip what is needed for that from the weights."""


class Tried(BaseException):
    """Ends a trial run: it has seen enough, and nothing is to be written."""


class Trial:
    """Measures a trial run."""

    def __init__(self, seconds, hold):
        self.limit = seconds
        self.hold = hold
        self.ends = []  # of the steps
        self.waited = 0.0  # seconds between the first step's end and the last one's in which images were loaded
        self.reserved = None  # by the allocator, at most, before validation
        self.validation = None  # seconds
        self.val_batch = 0

    def begin(self, trainer):
        # A trial of a batch must not become one of half of it; the trainer does that when memory runs out.
        if hasattr(trainer, "_oom_retries"):
            trainer._oom_retries = 1 << 20

    def step(self, trainer, waited):
        cuda = on_card(trainer)
        if cuda:
            cuda.synchronize()
        self.waited += waited if self.ends else 0.0
        self.ends.append(time.monotonic())

    def is_late(self, began):
        return len(self.ends) >= 2 and time.monotonic() - began > self.limit

    def trained(self, trainer):
        cuda = on_card(trainer)
        if cuda:
            self.reserved = int(cuda.max_memory_reserved())
            time.sleep(self.hold)

    def figures(self, trainer):
        cuda = on_card(trainer)
        steps = sorted(after - before for before, after in zip(self.ends, self.ends[1:]))
        passed = self.ends[-1] - self.ends[0]
        return {
            "steps": len(self.ends),
            "batch": int(trainer.batch_size),
            "step_s": steps[len(steps) // 2] if steps else None,
            "loading": round(min(self.waited / max(passed, 1e-9), 1.0), 3) if steps else None,
            "val_batch": self.val_batch,
            "validation_s": self.validation,
            "reserved": int(cuda.max_memory_reserved()) if cuda else None,
            "reserved_training": self.reserved,
            "allocated": int(cuda.max_memory_allocated()) if cuda else None,
            "amp": bool(trainer.amp),
            "optimizer": type(trainer.optimizer).__name__,
        }


def on_card(trainer):
    """torch.cuda where a card trains."""
    return sys.modules["torch"].cuda if trainer.device.type == "cuda" else None


class Teller:
    """Tells the events. Training on several GPUs copies it to processes of their own; the first one speaks."""

    def __init__(self, path, checkpoint, pause, trial):
        self.path = path
        self.trial = Trial(**trial) if trial else None
        self.checkpoint = checkpoint
        self.pause = pause
        self.no_room = None  # for the copy of the newest weights
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
        self.waited_now = 0.0  # the part of them before this step

    def __getstate__(self):
        return {**self.__dict__, "file": None}

    def tell(self, event, **fields):
        if not speaks():
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

    def on_train_start(self, trainer):
        if self.trial:
            self.trial.begin(trainer)
        if trainer.start_epoch > 0 and speaks():
            forget_epochs(trainer.csv, trainer.start_epoch)

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
            plots=bool(trainer.args.plots),
            **values,
        )

    def on_train_batch_start(self, trainer):
        if self.step_end is not None:
            self.waited += time.monotonic() - self.step_end
            self.waited_now = time.monotonic() - self.step_end

    def on_train_batch_end(self, trainer):
        self.step += 1
        if self.trial:
            self.trial.step(trainer, self.waited_now)
        self.step_end = time.monotonic()
        batches = len(trainer.train_loader)
        if self.trial and self.step < batches and self.trial.is_late(self.began):
            self.trial.trained(trainer)
            self.tried(trainer)
        if self.trial or self.is_due() or self.step == batches:
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
                seconds=self.seconds(),
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
        if self.trial:
            self.trial.trained(trainer)

    def tried(self, trainer):
        """The trial run has seen enough."""
        self.tell("trial", figures=self.trial.figures(trainer))
        raise Tried

    def on_model_save(self, trainer):
        if self.trial:
            return
        is_best = bool(trainer.best_fitness == trainer.fitness)
        last, best = os.path.abspath(trainer.last), os.path.abspath(trainer.best)
        # After the last epoch, the copy stays the one before: what comes then strips the weights, and a run that is
        # cut off in it goes on by training that epoch again.
        if not trainer.stop:
            try:
                copy_whole(last, self.checkpoint)
            except OSError as error:
                self.no_room = error if is_no_room(error) else None
                print(f"the copy of {last} was not made: {error}")
        self.tell("saved", epoch=self.epoch, last=last, best=best, is_best=is_best)

    def on_fit_epoch_end(self, trainer):
        # Called once more after the final validation, when no epoch has ended.
        if self.trial:
            self.tried(trainer)
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
            # A training that is at its end finishes. On several GPUs, the others end with the first one.
            if not trainer.stop and speaks():
                if os.path.exists(self.pause):
                    self.tell("paused", epoch=self.epoch)
                    os.replace(self.pause, resting(self.pause))
                    raise Rest
                if self.no_room:
                    raise self.no_room

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

    # Callbacks of the validator.

    def on_val_batch_start(self, validator):
        self.val_began = time.monotonic()

    def on_val_batch_end(self, validator):
        batch, batches = validator.batch_i + 1, len(validator.dataloader)
        if self.trial and batch == 1:
            self.trial.validation = time.monotonic() - self.val_began
            self.trial.val_batch = min(int(validator.dataloader.batch_size or 1), len(validator.dataloader.dataset))
        if self.is_due() or batch == batches:
            epoch = self.epoch if self.in_epoch else self.epochs + 1
            self.tell("validation", epoch=epoch, batch=batch, batches=batches)


def speaks():
    return os.environ.get("RANK", "-1") in ("-1", "0")


def resting(pause):
    """What becomes of the request once it is met; the first of several processes tells the others so."""
    return pause + "d"


def is_no_room(error):
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def copy_whole(source, target):
    """Copies a file so that the target is whole at any moment, the disk's cache included."""
    part = target + ".part"
    try:
        with open(source, "rb") as old, open(part, "wb") as new:
            copy(old, new)
            new.flush()
            os.fsync(new.fileno())
        os.replace(part, target)
    except OSError:
        if os.path.exists(part):
            os.remove(part)
        raise


def copy(old, new):
    size, done = os.fstat(old.fileno()).st_size, 0
    try:
        # Where the file system can, it shares the bytes instead of copying them.
        while done < size:
            copied = os.copy_file_range(old.fileno(), new.fileno(), size - done, done, done)
            if copied == 0:
                raise OSError(errno.EIO, "nothing was copied")
            done += copied
    except (AttributeError, OSError) as error:
        if is_no_room(error):
            raise
        new.truncate(0)
        shutil.copyfileobj(old, new, 1 << 20)


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


def newest(paths, load):
    """The newest of these checkpoints that training can go on from."""
    found, latest = None, -1
    for path in paths:
        try:
            model = load(path)
            epoch, epochs = model.ckpt["epoch"], model.ckpt["train_args"]["epochs"]
            can_go_on = model.ckpt["optimizer"] is not None and 0 <= epoch < epochs - 1
        except Exception as error:
            print(f"{path} cannot be gone on from: {type(error).__name__}: {error}")
            continue
        print(f"{path}: epoch {epoch + 1} of {epochs}" if can_go_on else f"{path} is not to be gone on from")
        if can_go_on and epoch > latest:
            found, latest = model, epoch
    if found is None:
        raise RuntimeError("there is no checkpoint that training can go on from")
    return found


def forget_epochs(path, epochs):
    """Takes what comes after these epochs out of the table of results: it is trained again."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            head, *rows = file.readlines()
        rows = [row for row in rows if row.split(",")[0].strip().isdigit() and int(row.split(",")[0]) <= epochs]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines([head, *rows])


def hold_slice(torch, train):
    """Ultralytics writes the card's number over the variable that names the slice, and would train on another one. CUDA
    reads it once, when it starts: so it is started, and its devices counted, before. A device of torch's own is taken as
    it is."""
    torch.cuda.init()
    torch.cuda.device_count()
    train["device"] = torch.device("cuda", 0)


def train(arguments, teller):
    import torch
    import ultralytics
    from ultralytics import YOLO, settings

    teller.tell("imported", ultralytics=ultralytics.__version__, torch=torch.__version__)
    wanted = {name: False for name in SERVICES if name in settings}
    wanted["weights_dir"] = arguments["weights"]
    if any(settings[name] != value for name, value in wanted.items()):
        settings.update(wanted)

    if os.environ.get("CUDA_VISIBLE_DEVICES", "").startswith("MIG-"):
        hold_slice(torch, arguments["train"])
    if arguments.get("resume"):
        model = newest(arguments["resume"], YOLO)
        arguments["train"]["resume"] = True
    else:
        model = YOLO(arguments["model"])
    for name in dir(teller):
        if name.startswith("on_") or name == "teardown":
            model.add_callback(name, getattr(teller, name))
    trainer = with_relative_checkpoints(model.task_map[model.task]["trainer"])
    model.train(trainer=trainer, **arguments["train"])


def main(path):
    with open(path, encoding="utf-8") as file:
        arguments = json.load(file)
    pause = arguments["pause"]
    teller = Teller(arguments["events"], arguments["checkpoint"], pause, arguments.get("trial"))
    teller.tell("boot", pid=os.getpid(), python=platform.python_version())
    try:
        train(arguments, teller)
    except KeyboardInterrupt:
        teller.tell("stopped")
        return 130
    except Tried:
        return 0
    except BaseException as error:
        # On several GPUs, it was another process that found the request, and all this one sees is that it ended.
        if isinstance(error, Rest) or os.path.exists(resting(pause)):
            return RESTING
        teller.error(error)
        if is_no_room(error):
            traceback.print_exc()
            return NO_ROOM
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
