### environment

problem-environment-does-not-start = The Python at { $path } could not be tried.
    .help = Repair the training environment, or choose another one.
problem-environment-no-answer = The Python at { $path } gave no answer within { $seconds } seconds.
    .help = A slow disk or a virus scanner can be the reason: look again in a minute. If it stays like this, repair the training environment.
problem-environment-module-missing = The Python at { $path } has no { $module }.
    .help = Choose an environment with torch, torchvision and Ultralytics, or let the app make one.
problem-environment-does-not-work = { $module } cannot be loaded by the Python at { $path }.
    .help = Repair the training environment, or choose another one.
problem-environment-python-gone = The training environment has lost its Python: { $path } leads nowhere.
    .help = Repair the training environment. This happens when the Python it was made with was updated or removed.
reason-driver-failed = The NVIDIA driver does not work: { $message }
problem-environment-build-unknown = The NVIDIA driver did not say which CUDA version it serves, so the PyTorch build that fits is not known.
    .help = See the driver in the chain; once it answers, make the training environment again.
