"""Answers what the real trainer makes of files: one JSON request a line on stdin, one JSON answer a line on stdout."""

import json
import os
import sys

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

from ultralytics.data.utils import check_det_dataset, verify_image_label  # noqa: E402


def label(request):
    rules = request["classes"], request["keypoints"], request["dims"]
    found = verify_image_label((request["image"], request["label"], "", False, *rules, False))
    boxes, shape, (_, _, _, corrupt, message) = found[1], found[2], found[5:]
    return {
        "corrupt": bool(corrupt),
        "boxes": None if boxes is None else boxes.tolist(),
        "shape": shape,
        "message": message,
    }


def declaration(request):
    try:
        data = check_det_dataset(request["yaml"], autodownload=False)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"train": data["train"], "val": data["val"], "names": list(data["names"].values())}


for line in sys.stdin:
    request = json.loads(line)
    answer = declaration(request) if "yaml" in request else label(request)
    print(json.dumps(answer), file=answers, flush=True)
