"""Tries an environment: imports what a training needs and prints one line of JSON about it.

Runs under any Python; whatever the imports print goes to stderr, so that stdout holds the answer alone.
"""

import json
import os
import platform
import sys

answer_fd = os.dup(1)
os.dup2(2, 1)

answer = {"python": platform.python_version()}


def finish():
    os.write(answer_fd, (json.dumps(answer) + "\n").encode("ascii"))
    # Skips the interpreter's teardown: some drivers' libraries hang or crash in it.
    os._exit(0)


def fail(module, error):
    # What an import error says can be several lines; the first one names the cause.
    answer["failed"] = {"module": module, "error": "%s: %s" % (type(error).__name__, error)}
    finish()


if sys.version_info < (3, 8):
    # Ultralytics needs at least this.
    answer["missing"] = "ultralytics"
    finish()

import importlib
import importlib.util

# Quick where there is nothing to try: a search on disk instead of seconds of imports.
for module in ("ultralytics", "torch", "torchvision"):
    try:
        found = importlib.util.find_spec(module)
    except Exception as error:
        fail(module, error)
    if found is None:
        answer["missing"] = module
        finish()

for module in ("torch", "torchvision", "ultralytics"):
    try:
        answer[module] = str(importlib.import_module(module).__version__)
    except BaseException as error:
        fail(module, error)

import torch
import torchvision

try:
    # A torchvision that was built for another torch imports well and fails here.
    torchvision.ops.nms(torch.tensor([[0.0, 0.0, 1.0, 1.0]]), torch.tensor([1.0]), 0.5)
except Exception as error:
    fail("torchvision", error)

answer["torch_cuda"] = torch.version.cuda
# torch.cuda.get_arch_list() answers nothing where no GPU is at hand; the build's flags are there all the same.
flags = getattr(torch._C, "_cuda_getArchFlags", lambda: None)() if torch.version.cuda else None
answer["architectures"] = (flags or "").split()
answer["cuda_available"] = bool(torch.cuda.is_available())
finish()
