# Why a run ended: what is known of it, what changed, what fixes it.

fact-known-amp = Mixed precision (AMP)
fact-known-batch = Images per step (batch)
fact-known-cache = Image cache
fact-known-dataset-finding = Found in the dataset
fact-known-device = Trained on
fact-known-driver = NVIDIA driver
fact-known-ended-by = Ended by the signal
fact-known-error = The trainer's own words
fact-known-exit-code = Exit code
fact-known-gpu-memory-left = Free memory of the card, last seen
fact-known-gpu-state = State of the card
fact-known-gpus = Cards
fact-known-imgsz = Image size
fact-known-losses-not-finite = Losses that are no numbers
fact-known-memory-left = Free memory of the computer, last seen
fact-known-memory-peak = Most memory it took
fact-known-model = Model
fact-known-oom-kills = Programs the system ended for lack of memory meanwhile
fact-known-optimizer = Optimizer
fact-known-python = Python
fact-known-room-for-outputs = Room on the disk of the run, at the end
fact-known-room-for-workers = Shared memory for image loaders, at the end
fact-known-system = System
fact-known-torch = PyTorch
fact-known-trained-epochs = Epochs it finished
fact-known-ultralytics = Ultralytics
fact-known-workers = Image loaders (workers)
changed-driver = NVIDIA driver
changed-gpus = Cards
changed-system = System
changed-cpu = Processor
changed-memory = Memory
changed-torch = PyTorch
changed-torchvision = torchvision
changed-ultralytics = Ultralytics
changed-python = Python version
changed-environment = Python that trains
changed-app = Version of this app
changed-dataset = Dataset
changed-fingerprint = Content of the dataset
changed-trained-on = Trained on
changed-model = Model
changed-weights = First weights
changed-batch = Batch
changed-imgsz = Image size
changed-epochs = Epochs
changed-seed = Seed
changed-workers = Image loaders (workers)
changed-device = Chosen device
changed-chosen-python = Chosen Python
changed-argument = { $name }
remedy-run-batch = Train again with a batch of { $batch } instead of { $before }
remedy-run-imgsz = Train again with images of { $imgsz } pixels instead of { $before }
remedy-run-amp-off = Train again without mixed precision
remedy-run-workers =
    Train again with { $workers ->
        [0] no separate image loaders
        [one] one image loader
       *[other] { $workers } image loaders
    }
remedy-run-cache-off = Train again without keeping images in memory
remedy-run-device = Train again on card { $index } ({ $name })
remedy-run-one-gpu = Train again on one card (card { $index })
remedy-run-gentle = Train again with a learning rate of 0.001
remedy-run-usual-rate = Train again with the usual learning rate
remedy-run-weights = Download the weights of { $model } again
remedy-run-mend-dataset = Fix the dataset on a copy
remedy-run-again = Start the same training again
remedy-run-free-disk = Show what takes room, and delete it
remedy-run-sign-in = Sign in
remedy-run-write-to = Write to the administrator
remedy-mend-killed = Find out what ended it: a person, a time limit, or another program. Then go on with it, or start it again where nothing was saved yet.
remedy-mend-package-missing = Train in an environment that has everything: the app's own, or install what is missing into this one.

finding-train-ended-from-outside = The training was ended from outside
    .detail = Something else told the system to end it. Nothing in the training's own log is the reason.
finding-image-package-missing = The Python that trains lacks a package
    .detail = The training needs packages (PyTorch, Ultralytics and what they need) that are not installed in the Python it was started with.
cli-diagnosis-of-none = Run { $id } did not fail.
ended-changed-since = Different from the last run that went well ({ $id }):
ended-nothing-changed = Nothing that is known differs from the last run that went well ({ $id }).

ended-report = Why the training { $name } failed
ended-why = Why we think so
ended-not-found = Nothing that is known was recognised. These lines tell most.
ended-what-to-do = What to do
ended-what-else = What else it could be
ended-what-changed = What changed since the last good run
ended-what-is-known = What is known of this run
ended-letter-hello = Hello, a training on the computer { $host } cannot go on.
ended-letter-seen = This was seen:
ended-letter-ask = What would help:
ended-letter-run = The run is called { $id }; I can send you a bundle with its report and logs.
problem-run-not-failed = The run { $id } did not fail
    .help = There is nothing to explain or to send.
cli-runs-bundle = Packs what is needed to help with a failed run, without what is private
cli-arg-bundle-to = The zip to write; without it, what would be in it is listed
ended-bundle-piece =
    { BYTES($bytes) }{ $taken ->
        [0] { "" }
        [one] , one private thing taken out
       *[other] , { $taken } private things taken out
    }
ended-bundle-how = Write it with --to FILE.zip.
window-dialog-bundles = Bundles
window-dialog-save-bundle = Save the bundle

failed-at = Stopped at: { $stage }
failed-verb-wait = You can wait: it passes by itself.
failed-verb-change = You can fix this yourself.
failed-verb-ask = Someone else has to act.
failed-passed = Passed before it: { $stages }
failed-never = Never ran after it: { $stages }
failed-show-line = Show line { $line } in the log
failed-nothing-changed = Nothing that is known differs.
failed-help = Get help
failed-help-about = A page about this failure, or everything that helps someone else to help you.
failed-bundle = Bundle to send…
failed-html = Report (HTML)
failed-markdown = Report (Markdown)
again-title = Fix and start again
again-about = The run that failed stays as it is; a new one is started.
again-plan-changed = The plan is changed
again-plan-same = The plan stays as it is
again-checking = Checking the whole chain…
again-clear = Nothing is in the way
again-blocked = Something is still in the way
again-starting = Starting…
again-open-plan = Open the plan
again-anyway = Start anyway
mended-title = Started again in place of a run that failed
mended-undo = Undo: end this run and go back
mended-fine = Fine
letter-title = Write to the administrator
letter-about = Copy it into a message. It contains no passwords or keys.
letter-copy = Copy the message
bundle-title = What the bundle contains
bundle-about = Exactly these files are in the bundle, word for word. Images and models are not.
bundle-reading = Putting it together…
bundle-taken =
    { $count ->
        [0] Nothing private was found in these files.
        [one] One password, name or address was taken out.
       *[other] { $count } passwords, names and addresses were taken out.
    }
bundle-save = Save the bundle…
bundle-saved = Saved: { $path }
failed-list-separator = { ", " }
finding-start-argument-invalid = The trainer does not know one of its arguments
    .detail = An argument has a name or a value that this version of Ultralytics does not accept, so it ended before it began.
finding-data-images-corrupt = Images cannot be read
    .detail = Files that should be images are empty, damaged or of another kind. The trainer leaves them out; where none is left, it ends.
remedy-mend-argument-invalid = Correct the argument that the message names, or remove it.
remedy-mend-images-corrupt = Replace the files that the evidence below shows, or leave them out on a copy.
remedy-run-copy-dataset = Copy the dataset to this computer and train on the copy
copy-title = Copy the dataset and start again
copy-about = Images and labels are copied as they are. The dataset itself is not touched.
copy-looking = Looking at what there is to copy…
copy-size =
    { $images ->
        [one] One image
       *[other] { $images } images
    }, { BYTES($bytes) } with labels. Free where the copy goes: { BYTES($free) }.
copy-size-alone =
    { $images ->
        [one] One image
       *[other] { $images } images
    }, { BYTES($bytes) } with labels.
copy-no-room = There is not enough room for the copy. Choose a folder on another disk.
copy-copying = Copying…
copy-begin = Copy and start again
room-title = What takes room
room-about = Everything that this app keeps on this disk. Your datasets are not part of it and stay.
room-looking = Measuring…
room-free = { BYTES($free) } of { BYTES($total) } are free.
room-environment = Training environment (Python, PyTorch)
room-weights = Pretrained weights of { $model }
room-copy = Copy of the dataset { $name }
room-rest = Samples, tools and settings
room-delete = Delete
room-delete-what = Delete { $name }
room-delete-yes = Really delete
room-in-use = in use
finding-data-dataset-gone = The dataset was not found (drive not connected?)
    .detail = Not one of its images was found when the training was to begin: a drive that was unplugged, a network folder that is not connected, or a folder that was moved. Plug the drive in or connect the share again, then press the button.
