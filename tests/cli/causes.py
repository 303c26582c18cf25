"""Has trainings fail for real, each for a reason of its own, and writes what they printed as rows for a diagnosis, to
rows.jsonl of this folder.

    python causes.py FOLDER

Torch and Ultralytics are imported once; every failure is a child of its own, whose output goes to its own log.
"""

import ctypes
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

FOLDER = Path(sys.argv[1]).resolve()
LIMIT = 100
# What a child exits with that may not do here what makes it fail.
NOT_ALLOWED = 77
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def dataset(name, label="0 0.5 0.5 0.4 0.4", images=4, names=("a", "b"), labels="labels"):
    """A small dataset whose labels say this."""
    from PIL import Image

    root = FOLDER / name
    for split in ("train", "val"):
        for kind in ("images", labels):
            (root / kind / split).mkdir(parents=True, exist_ok=True)
        for number in range(images):
            shade = random.Random(number).randrange(256)
            Image.new("RGB", (64, 64), (shade, shade, 90)).save(root / "images" / split / f"{number}.jpg")
            (root / labels / split / f"{number}.txt").write_text(label + "\n")
    lines = "".join(f"  {index}: {text}\n" for index, text in enumerate(names))
    yaml = root / "data.yaml"
    yaml.write_text(f"path: {root}\ntrain: images/train\nval: images/val\nnames:\n{lines}")
    return yaml


def train(data, model="yolov8n.yaml", **more):
    from ultralytics import YOLO

    arguments = dict(
        data=str(data), epochs=1, imgsz=64, batch=2, workers=0, device="cpu", project=str(FOLDER / "runs"), plots=False
    )
    arguments.update(more)
    YOLO(model).train(**arguments)


@case
def class_out_of_range():
    train(dataset("class", label="7 0.5 0.5 0.4 0.4"))


@case
def not_normalized():
    train(dataset("pixels", label="0 32 32 20 20"))


@case
def boxes_over_the_edge():
    train(dataset("edge", label="0 1.2 0.5 0.4 0.4"))


@case
def labels_beside_the_point():
    train(dataset("beside", labels="annotations"))


@case
def images_elsewhere():
    yaml = dataset("elsewhere")
    yaml.write_text(yaml.read_text().replace("images/train", "pictures/train"))
    train(yaml)


@case
def yaml_missing():
    train("no-such-dataset.yaml")


@case
def yaml_broken():
    yaml = dataset("broken")
    yaml.write_text("path: [unclosed\ntrain: 'images\nnames: {0: a\n")
    train(yaml)


@case
def wrong_task():
    train(dataset("task"), model="yolov8n-cls.yaml")


@case
def weights_garbage():
    path = FOLDER / "garbage.pt"
    path.write_bytes(bytes(range(256)) * 64)
    train(dataset("garbage"), model=str(path))


@case
def weights_truncated():
    import torch

    path = FOLDER / "short.pt"
    torch.save({"w": torch.zeros(4096)}, path)
    path.write_bytes(path.read_bytes()[:6000])
    train(dataset("short"), model=str(path))


@case
def weights_of_a_stranger():
    import torch

    path = FOLDER / "stranger.pt"
    torch.save({"plan": dataset}, path)
    torch.load(path, weights_only=True)


@case
def weights_offline():
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ[name] = "http://127.0.0.1:9"
    os.chdir(FOLDER)
    train(dataset("offline"), model="yolov8s.pt")


@case
def no_card_for_this_torch():
    import torch

    torch.zeros(1).cuda()


@case
def card_that_is_not_there():
    train(dataset("card"), device="3")


@case
def disk_full():
    import torch

    torch.save({"w": torch.zeros(1 << 16)}, "/dev/full")


@case
def log_on_a_full_disk():
    with open("/dev/full", "w") as file:
        file.write("x" * 100_000)


@case
def memory_of_the_computer():
    import torch

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20),) * 2)
    torch.zeros(1 << 30)


@case
def memory_of_python():
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
    bytearray(1 << 30)


class Killer:
    """Images whose reader the system ends."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        os.kill(os.getpid(), signal.SIGKILL)


@case
def image_loader_killed():
    from torch.utils.data import DataLoader

    list(DataLoader(Killer(), num_workers=1))


class Crasher(Killer):
    def __getitem__(self, index):
        os.kill(os.getpid(), signal.SIGBUS)


@case
def image_loader_without_shared_memory():
    from torch.utils.data import DataLoader

    list(DataLoader(Crasher(), num_workers=1))


def mounted(*options, at):
    """Mounts something that only this child sees; leaves it where that is not allowed."""
    Path(at).mkdir(exist_ok=True)
    unshare = getattr(ctypes.CDLL(None), "unshare", None)  # Linux has it.
    alone = unshare and unshare(0x00020000) == 0  # CLONE_NEWNS
    private = alone and subprocess.run(["mount", "--make-rprivate", "/"]).returncode == 0
    if not private or subprocess.run(["mount", *options, str(at)]).returncode != 0:
        sys.exit(NOT_ALLOWED)


class Large(Killer):
    """Images larger than the memory that is shared."""

    def __getitem__(self, index):
        import torch

        return torch.zeros(1 << 20)


@case
def shared_memory_of_a_megabyte():
    from torch.utils.data import DataLoader

    mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", at="/dev/shm")
    list(DataLoader(Large(), num_workers=1))


@case
def disk_of_a_megabyte():
    import torch

    mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", at=FOLDER / "small")
    torch.save({"w": torch.zeros(1 << 20)}, FOLDER / "small" / "last.pt")


@case
def results_on_a_read_only_disk():
    yaml = dataset("unwritable")
    mounted("-t", "tmpfs", "-o", "ro", "tmpfs", at=FOLDER / "read-only")
    train(yaml, project=str(FOLDER / "read-only"))


@case
def dataset_on_a_read_only_disk():
    yaml = dataset("kept")
    mounted("--bind", str(yaml.parent), at=yaml.parent)
    subprocess.run(["mount", "-o", "remount,ro,bind", str(yaml.parent)], check=True)
    train(yaml)


@case
def checkpoint_cut_short():
    from ultralytics import YOLO

    train(dataset("cut"), name="cut", exist_ok=True)
    last = FOLDER / "runs" / "cut" / "weights" / "last.pt"
    last.write_bytes(last.read_bytes()[: last.stat().st_size // 2])
    YOLO(str(last)).train(resume=True)


def python(code, *options, **more):
    """Another process of this interpreter."""
    done = subprocess.run([sys.executable, *options, "-c", code], stdout=1, stderr=2, **more)
    sys.exit(done.returncode)


@case
def no_torch():
    python("import torch", "-I", "-S")


@case
def torchvision_of_another_build():
    import shutil

    import torchvision

    place = FOLDER / "other" / "torchvision"
    ignore = shutil.ignore_patterns("*.so", "__pycache__", "models", "datasets")
    shutil.copytree(Path(torchvision.__file__).parent, place, ignore=ignore)
    python("import torch; from torchvision import ops; torch.ops.torchvision.nms", env={**os.environ, "PYTHONPATH": str(place.parent)})


@case
def no_main_guard():
    script = FOLDER / "unguarded.py"
    script.write_text(
        "import multiprocessing as m\nm.set_start_method('spawn', force=True)\np = m.Process(target=print)\np.start()\np.join()\nassert p.exitcode == 0\n"
    )
    sys.exit(subprocess.run([sys.executable, str(script)], stdout=1, stderr=2).returncode)


@case
def one_of_several_processes():
    script = FOLDER / "rank.py"
    script.write_text("import torch\ntorch.ops.torchvision.nms\n")
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=1", "--master_port=29611", str(script)]
    sys.exit(subprocess.run(command, stdout=1, stderr=2).returncode)


@case
def no_such_host():
    import urllib.request

    urllib.request.urlopen("https://weights.invalid/yolo11n.pt")


def answering(answer):
    """A server that says this to everybody; its address."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            client, _ = server.accept()
            client.recv(4096)
            client.sendall(answer)
            client.close()

    threading.Thread(target=serve, daemon=True).start()
    return f"127.0.0.1:{server.getsockname()[1]}"


@case
def proxy_wants_a_password():
    import urllib.request

    proxy = answering(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n")
    os.environ["https_proxy"] = os.environ["HTTPS_PROXY"] = f"http://{proxy}"
    os.environ.pop("no_proxy", None)
    urllib.request.urlopen("https://github.com/ultralytics/assets/releases/download/v8.3.0/yolo11n.pt")


@case
def certificate_nobody_knows():
    import ssl
    import urllib.request

    key, certificate = FOLDER / "key.pem", FOLDER / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            client, _ = server.accept()
            try:
                context.wrap_socket(client, server_side=True)
            except OSError:
                pass

    threading.Thread(target=serve, daemon=True).start()
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ.pop(name, None)
    urllib.request.urlopen(f"https://localhost:{server.getsockname()[1]}/")


@case
def permission_denied():
    if os.getuid() == 0:
        os.setresuid(65534, 65534, 65534)
    locked = FOLDER / "locked"
    open(locked / "a.jpg", "rb")


@case
def numbers_of_another_numpy():
    # What a module asks that was built for NumPy 1.
    import numpy

    numpy.Inf


@case
def argument_that_is_none():
    train(dataset("argument"), epoch=3)


@case
def images_that_are_none():
    yaml = dataset("pictures")
    for image in yaml.parent.glob("images/*/*.jpg"):
        image.write_bytes(b"no image at all")
    train(yaml)


@case
def a_training_that_goes_well():
    train(dataset("well"))


def prepare():
    locked = FOLDER / "locked"
    locked.mkdir()
    (locked / "a.jpg").write_bytes(b"")
    locked.chmod(0)


def run(name, function):
    """A child that fails; answers its process."""
    child = os.fork()
    if child:
        return child
    log = os.open(FOLDER / f"{name}.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    code = 1
    try:
        os.setsid()
        function()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) and 0 <= code < 256 else 1)


def main():
    import torch
    import ultralytics  # noqa: F401

    torch.set_num_threads(1)
    prepare()
    wanted = sys.argv[2:] or list(CASES)
    waiting, running = list(wanted), {}
    while waiting or running:
        while waiting and len(running) < 2:
            name = waiting.pop(0)
            running[run(name, CASES[name])] = (name, time.monotonic())
        for child, (name, began) in list(running.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and time.monotonic() - began > LIMIT:
                os.killpg(child, signal.SIGKILL)
                ended, status = os.waitpid(child, 0)
            if ended:
                del running[child]
                log = (FOLDER / f"{name}.log").read_text(errors="replace")
                code = os.waitstatus_to_exitcode(status)
                took = round(time.monotonic() - began, 1)
                if code == NOT_ALLOWED:
                    print(f"skipped: {name} is not allowed here")
                    continue
                row = {"id": name, "log": log, "context": f"exit-code: {code}", "took": took}
                with open(FOLDER / "rows.jsonl", "a") as rows:
                    rows.write(json.dumps(row) + "\n")
        time.sleep(0.05)


if __name__ == "__main__":
    main()
