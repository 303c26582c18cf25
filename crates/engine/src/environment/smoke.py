"""Computes a little on a device and prints one line of JSON about how it went.

The device is the first argument, as torch names it: cpu, mps or cuda:0. Whatever libraries print goes to stderr, so that stdout
holds the answer alone.
"""

import json
import os
import sys
import time

answer_fd = os.dup(1)
os.dup2(2, 1)
step = "start"


def finish(answer):
    os.write(answer_fd, (json.dumps(answer) + "\n").encode("ascii"))
    # Skips the interpreter's teardown: some drivers' libraries hang or crash in it.
    os._exit(0)


try:
    import torch

    device = torch.device(sys.argv[1])
    began = time.monotonic()
    step = "allocate"
    ones = torch.ones(512, 512, device=device)
    step = "matmul"
    product = ones @ ones
    step = "convolution"
    image = torch.ones(2, 3, 64, 64, device=device, requires_grad=True)
    kernel = torch.ones(8, 3, 3, 3, device=device, requires_grad=True)
    convolved = torch.nn.functional.conv2d(image, kernel, padding=1)
    convolved.sum().backward()
    if device.type == "cuda":
        # Errors of a card show only when it is waited for; trainings use half precision by default.
        with torch.autocast("cuda"):
            (ones @ ones).sum().item()
        torch.cuda.synchronize(device)
    step = "result"
    # Each is a sum of ones, exact in every precision that is used here.
    for name, got, expected in (
        ("matmul", float(product[0, 0]), 512.0),
        ("convolution", float(convolved[0, 0, 32, 32]), 27.0),
        ("gradient", float(image.grad[0, 0, 32, 32]), 72.0),
    ):
        if got != expected:
            raise ArithmeticError("%s gave %r instead of %r" % (name, got, expected))
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
    finish({"state": "computed", "device": name, "milliseconds": int((time.monotonic() - began) * 1000)})
except BaseException as error:
    finish({"state": "failed", "step": step, "error": ("%s: %s" % (type(error).__name__, error))[:4000]})
