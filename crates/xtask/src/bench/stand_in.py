"""Stands in for the Python of a training environment, and for a training that says a lot.

The variable PREFLIGHT_BENCH says which: `log` prints 10,000 lines a second for a minute, `day` tells the steps of a
day within a minute.
"""

import json
import os
import sys
import time

SECONDS = 60
LINES = 10_000  # a second
EPOCHS, STEPS = 1440, 60  # a minute each, and told once a second

if sys.argv[1:2] == ["-c"]:
    print('{"python": "3.11.7", "torch": "2.15.0", "torchvision": "0.29.2", "ultralytics": "8.4.190"}')
    sys.exit()

with open(sys.argv[2], encoding="utf-8") as file:
    events = open(json.load(file)["events"], "a", encoding="utf-8")


def tell(event, **fields):
    events.write(json.dumps({"event": event, **fields}) + "\n")
    events.flush()


def step(epoch, batch, batches):
    losses = {"box_loss": 1.5 / epoch + 0.6, "cls_loss": 2.5 / epoch + 0.4, "dfl_loss": 1.1}
    tell("batch", epoch=epoch, batch=batch, batches=batches, losses=losses, gpu_reserved=0, loading=0.1)


def start(epochs, batches):
    tell("boot", pid=os.getpid(), python="3.11.7")
    tell("imported", ultralytics="8.4.190", torch="2.15.0")
    tell(
        "start", epochs=epochs, first_epoch=1, batch=16, batches=batches, imgsz=640, device="cpu", amp=False,
        optimizer="AdamW", parameters=3011238, train_images=16 * batches, val_images=160,
    )  # fmt: skip


def log():
    start(1, 1_000_000)
    began = time.monotonic()
    lines = 0
    while (passed := time.monotonic() - began) < SECONDS:
        due = int(passed * LINES)
        if due - lines >= LINES // 4:
            sys.stdout.write("".join(f"{n:>9}/1000      4.1G     0.91     0.62      1.02\n" for n in range(lines, due)))
            sys.stdout.flush()
            lines = due
            step(1, int(passed * 4) + 1, 1_000_000)
        time.sleep(0.01)


def day():
    start(EPOCHS, STEPS)
    began = time.monotonic()
    names = ("precision(B)", "recall(B)", "mAP50(B)", "mAP50-95(B)")
    metrics = {f"metrics/{name}": 0.5 for name in names} | {f"val/{name}_loss": 1.0 for name in ("box", "cls", "dfl")}
    for epoch in range(1, EPOCHS + 1):
        for batch in range(1, STEPS + 1):
            step(epoch, batch, STEPS)
        tell("validation", epoch=epoch, batch=5, batches=5)
        tell("saved", epoch=epoch, last="/o/last.pt", best="/o/best.pt", is_best=True)
        tell(
            "epoch", epoch=epoch, losses={"box_loss": 1.0, "cls_loss": 0.6, "dfl_loss": 1.1}, metrics=metrics,
            learning_rates={"lr/pg0": 0.01, "lr/pg1": 0.01, "lr/pg2": 0.01}, seconds=60.0 * epoch,
        )  # fmt: skip
        time.sleep(max(0.0, began + epoch * SECONDS / EPOCHS - time.monotonic()))
    time.sleep(30)  # While it is looked at.
    tell("done", metrics=metrics, best="/o/best.pt", folder="/o", seconds=60.0 * EPOCHS)


{"log": log, "day": day}[os.environ["PREFLIGHT_BENCH"]]()
