### The command line.

## Help

cli-about = Gets a YOLO training from a folder of images to a trained model, and says before it starts whether it can.
cli-sample = Writes a small dataset to try everything with
cli-dataset = Shows what is in a dataset and what is wrong with it
cli-plan = Prints a plan: what is trained, on what, where
cli-check = Says whether a plan can start, link by link
cli-run = Checks a plan, then starts it
cli-runs = Lists, shows, pauses, resumes, cancels, tries, exports, notes and deletes runs
cli-runs-list = Lists all runs, newest first
cli-runs-show = Shows one run
cli-runs-logs = Prints what the trainer printed
cli-runs-pause = Lets a run rest after its epoch, so that it can go on later
cli-runs-resume = Has a run go on that rests, failed, was cancelled or was lost
cli-runs-cancel = Ends a run and waits until nothing of it is left
cli-runs-try = Shows what a run's model finds in images
cli-runs-export = Exports a run's model to ONNX and compares it with the weights
cli-runs-note = Notes something about a run, or prints what was noted
cli-runs-delete = Deletes runs with everything in their folders
cli-env = Finds, makes, repairs and removes the environment that trains
cli-env-list = Lists the environments that were found
cli-env-create = Makes the app's own environment
cli-env-repair = Makes the app's own environment anew if it does not work
cli-env-remove = Removes the app's own environment
cli-weights = Lists, downloads, verifies and removes pretrained weights
cli-weights-list = Lists the models and which pretrained weights are on this computer
cli-weights-fetch = Downloads the pretrained weights of a model; goes on with a download that broke off
cli-weights-verify = Reads weights files from beginning to end and says what they hold
cli-weights-remove = Removes the pretrained weights of a model, and what came down of them
cli-trial = Tries a plan out in a few real steps, and measures memory and time
cli-vram = Says how much memory of a card a training needs, without running it
cli-diagnose = Says from its log what ended a training, with the lines that prove it
cli-gpu = Shows NVIDIA cards and what is free on them

cli-heading-usage = Usage:
cli-heading-commands = Commands
cli-heading-command = COMMAND
cli-heading-arguments = Arguments
cli-heading-options = Options
cli-placeholder-options = OPTIONS

cli-arg-help = Print this help
cli-arg-version = Print the version
cli-arg-format = How results are written: text, json, or html of a dataset (default: { $default })
cli-arg-lang = Language: en or zh-CN (default: as in the app, else the system's)
cli-arg-sample-dir = A folder that is empty or not there yet
cli-arg-sample-plan = Writes a plan that learns it within minutes, too
cli-arg-dataset = A data.yaml, a folder with images and labels, or a zip of one
cli-arg-task = Judge it for this task: detect, segment, pose, obb or classify
cli-arg-convert = Convert COCO, Pascal VOC, LabelMe, CVAT or Label Studio annotations into this form, into the folder of --to
cli-arg-to = A new folder for what is converted or unpacked
cli-arg-deep = Read every file and decode every image: duplicates, images on both sides of a split, small boxes, and more
cli-arg-deep-imgsz = Image size in pixels that small boxes are judged for (default: { $default })
cli-arg-manifest = Say what changed since this file was written, then write it anew
cli-arg-fix-to = Write a fixed copy into this new folder, after showing what changes
cli-arg-val = Share of the images that a fixed copy keeps for validation where there are none (default: { $default })
cli-arg-val-seed = Another number chooses other images for validation (default: { $default })
cli-arg-tile = Cut larger images of the fixed copy into tiles of this side, which overlap by a fifth
cli-arg-yes-fix = Write the fixed copy without asking
cli-arg-model = yolov8, yolo11 or yolo26, with a size: n, s, m, l or x (default: { $default })
cli-arg-weights = pretrained, scratch, or your own .pt file (default: { $default })
cli-arg-imgsz = Image size in pixels, a multiple of 32 (default: { $default })
cli-arg-batch = Images per step (default: { $default })
cli-arg-epochs = Passes over all images (default: { $default })
cli-arg-device = auto, cpu, mps, gpu:0, gpu:0,1 or a part of a divided card, MIG-… (default: { $default })
cli-arg-workers = Processes that read images (default: the trainer's own rule)
cli-arg-seed = Seed of everything random (default: { $default })
cli-arg-set = Any other setting of the Ultralytics trainer; can be given several times
cli-arg-python = Python of an environment with Ultralytics (default: the app's own environment)
cli-arg-output = Also write the plan to this file
cli-arg-plan = A plan file, or - for standard input
cli-arg-strict = Let warnings count as blockers
cli-arg-start-anyway = Accept the predicted blocker with this code; the run records it
cli-arg-trust-python = Accept the Python that the plan names, from now on
cli-arg-follow-run = Stay until the run is over and show how it goes; Ctrl-C cancels the run
cli-arg-when-free = Wait until the card is free, check everything once more and start; Ctrl-C ends the waiting
cli-arg-follow-logs = Go on until the run is over
cli-arg-weights-model = yolov8, yolo11 or yolo26, with a size: n, s, m, l or x
cli-arg-weights-file = A model's name or a .pt file; without any, all pretrained weights that are here
cli-arg-again = Download even where the file is here
cli-arg-yes-run = Make the training environment and download pretrained weights without asking where they are missing
cli-arg-pause-now = At once; what is done of the current epoch is lost
cli-arg-resume-batch = Images per step from now on
cli-arg-resume-imgsz = Image size in pixels from now on
cli-arg-resume-device = auto, cpu, mps, gpu:0, gpu:0,1 or a part of a divided card, MIG-…, from now on
cli-arg-resume-workers = Processes that read images from now on
cli-arg-resume-dataset = Where the dataset is now, if it was moved
cli-arg-resume-set = Another setting that the trainer takes anew when it goes on, for example patience=50
cli-arg-yes = Do it without asking
cli-arg-run = A run: its id, a part of it that no other has, or latest
cli-arg-runs = Runs: each an id, a part of it that no other has, or latest
cli-arg-images = Images, or folders with images
cli-arg-conf = Only boxes that the model is at least this sure of, 0 to 1 (default: { $default })
cli-arg-export-to = Also copy the file to here
cli-arg-yes-export = Add what exporting needs to the app's own environment without asking
cli-arg-search = Only runs with all of these words in id, dataset, model, note or state
cli-arg-state = Only runs in this state; can be given several times
cli-arg-note = What to note; "" takes the note away (without it: print the note)
cli-arg-cuda = The torch build for a CUDA version, for example cu128 (default: what fits this computer)
cli-arg-vram-model = A published model, for example yolov8s, yolo11m-seg or yolo26n, or your own .pt or .yaml file (default: { $default })
cli-arg-vram-python = The Python that looks at your own model file; otherwise the app's environment
cli-arg-vram-task = detect, segment, pose, obb or classify (default: as the model's name says)
cli-arg-amp = Mixed precision: on or off (default: { $default })
cli-arg-optimizer = The optimizer, for example SGD or AdamW (default: the trainer's own choice)
cli-arg-classes = Classes of the dataset (default: 80)
cli-arg-max-boxes = Boxes in the dataset's fullest image
cli-arg-boxes-per-image = Boxes in an average image
cli-arg-multi-scale = By how much images may be larger than the image size, as a share (default: { $default })
cli-arg-ultralytics = Ultralytics' version (default: a recent one)
cli-arg-gpu-name = The card; a size at its end says its memory, for example "RTX 3060 12 GB"
cli-arg-gpu-memory = The card's memory in GiB that is free for the training
cli-arg-gpus = Cards that share the batch (default: { $default })
cli-arg-no-calibration = Leave the estimate as it is, whatever trainings on such a card showed
cli-arg-solve = Print the largest batch, or image size (imgsz), that fits for sure
cli-arg-rows = Estimate every row of a CSV file; see the guide for its columns
cli-arg-log = The log of a training, or the ID of a run; - reads what is piped in
cli-arg-facts = What is known besides the log: exit code, state of the container, driver; JSON or text
cli-arg-diagnose-rows = Diagnose every line of a JSON lines file ({ "{" }"id", "log", "context"{ "}" }) and print one line each
cli-arg-cpu = The torch build for the processor only

cli-exit-codes =
    Exit codes:
      0    answered, and nothing blocks
      1    a blocker, or a run that failed
      2    could not do it, or could not tell
      130  interrupted

## Usage

problem-usage-html-of-datasets-only = Only datasets and diagnoses can be shown as HTML
    .help = Use --format text or json.
problem-usage-unknown-argument = There is no option { $argument }.
    .help = { $suggestion ->
        [none] What there is: { $help }
       *[other] Similar: { $suggestion }. What there is: { $help }
    }
problem-usage-unknown-command = There is no command { $command }.
    .help = { $suggestion ->
        [none] What there is: { $help }
       *[other] Similar: { $suggestion }. What there is: { $help }
    }
problem-usage-missing-value = { $argument } needs a value.
    .help = How it is used: { $help }
problem-usage-missing-argument = This is missing: { $argument }
    .help = How it is used: { $help }
problem-usage-invalid-value = “{ $value }” is not a value of { $argument }.
    .help = It can be: { $values }. How it is used: { $help }
problem-usage-conflict = { $argument } and { $other } exclude each other.
    .help = How it is used: { $help }
problem-usage-given-twice = { $argument } can be given only once.
    .help = How it is used: { $help }
problem-usage-other = This cannot be understood.
    .help = How it is used: { $help }
problem-usage-unknown-model = There is no model “{ $model }”.
    .help = It can be: { $models }. Weights of your own are chosen with --weights FILE.pt.
problem-usage-not-a-device = “{ $value }” is not a device.
    .help = It can be: auto, cpu, mps, gpu:0, several GPUs as gpu:0,1, or the name of a part of a divided card, MIG-…; preflight gpu lists them.
problem-usage-not-a-number = “{ $value }” is not a value of { $argument }.
    .help = It is a whole number, at least { $least }.
problem-usage-not-a-share = “{ $value }” is not a value of { $argument }.
    .help = It is a number from 0 to 1.
problem-usage-not-an-amount = “{ $value }” is not a value of { $argument }.
    .help = It is a number, at least 0.
problem-usage-not-a-switch = “{ $value }” is not a value of { $argument }.
    .help = Write on or off.
problem-memory-unknown-model = There are no memory figures for “{ $model }”.
    .help = Name a published model, with its task at the end: yolov8s, yolo11m-seg, yolo26n-pose, yolov9c; or your own .pt or .yaml file.
problem-memory-model-unreadable = The model { $path } cannot be read.
    .help = Name a .pt or .yaml file that is there.
problem-memory-model-not-traced = What { $path } holds in memory could not be found out.
    .help = The environment could not build the model or train it for one step. Its message is above; a model that needs code of its own needs an environment that has it (--python).
problem-memory-no-card = The card's memory is not known.
    .help = Add --memory with its size in GiB, or --gpu with a name that ends in it, for example --gpu "RTX 3060 12 GB".
problem-memory-rows-unreadable = The setups in { $path } cannot be read.
    .help = It is a CSV file with the columns id, model, imgsz and batch at least. The line and what is wrong with it are named above.
problem-usage-not-a-cuda-version = “{ $value }” is not a CUDA version.
    .help = It is written as on PyTorch's index, for example cu128 or 12.8.
problem-usage-not-a-setting = “{ $value }” is not a setting.
    .help = It is written KEY=VALUE, for example lr0=0.002.
problem-usage-has-an-option = The setting { $key } has an option of its own.
    .help = Use { $option } instead of --set { $key }=…

## Problems

problem-plan-unreadable = The plan { $path } cannot be read.
    .help = Check the name, and whether you may read the file. A plan that is not there yet is made with: preflight plan --dataset PATH --output FILE
problem-output-unwritable = The result could not be written.
problem-confirmation-missing = This needs a yes, and there is no terminal to ask in.
    .help = Add --yes.
problem-run-ambiguous = { $count } runs have “{ $id }” in their id.
    .help = Give more of it; all of them: preflight runs list

## Reports

cli-headline = { $model } · { $imgsz } px · batch { $batch } · { $epochs ->
        [one] 1 epoch
       *[other] { $epochs } epochs
    } · { $device }
cli-checking = Checking…
cli-reading = Reading the dataset…
cli-converting = Converting…
cli-unpacking = Unpacking…
cli-looking-closely = Looking closely…
cli-writing = Writing…
cli-nothing-to-mend = There is nothing to fix: no copy was made.
cli-mending = { $files } label files change, { $left } images are left out, { $val } images go to validation, { $cut } images become { $tiles } tiles. The copy goes to { $path }; the dataset stays as it is.
cli-mended-recoded = saved as UTF-8
cli-mended-commas = commas
cli-mended-pixels = pixels to shares
cli-mended-clipped = cut at the image's edge
cli-mended-empty = removed: nothing of it is on the image
cli-mended-duplicate = removed: there already
cli-more-changes = … and { $count } more changes
cli-converted = Converted from { $form }: { $images } { $images ->
        [one] image
       *[other] images
    }, { $objects } { $objects ->
        [one] object
       *[other] objects
    }{ $unlisted ->
        [0] {""}
       *[other] ; { $unlisted } in no split
    }
cli-severity-blocker = Blocker
cli-severity-predicted = Predicted blocker
cli-severity-warning = Warning
cli-severity-unknown = Unknown
cli-severity-note = Note
cli-value = { $name }: { $value }
cli-more-evidence = { $count ->
        [one] and one more
       *[other] and { $count } more
    }
cli-start-anyway = To start anyway: --start-anyway { $code }
cli-start-anyway-refused = { $code } is certain: it cannot be accepted with --start-anyway.
cli-verdict-clear = { $warnings ->
        [0] Nothing is in the way.
        [one] Nothing is in the way. 1 warning.
       *[other] Nothing is in the way. { $warnings } warnings.
    }
cli-verdict-ask-first = { $blockers ->
        [one] 1 blocker is foreseen.
       *[other] { $blockers } blockers are foreseen.
    }
cli-verdict-blocked = { $blockers ->
        [0] Training cannot start: warnings count as blockers here.
        [one] Training cannot start: 1 blocker.
       *[other] Training cannot start: { $blockers } blockers.
    }
cli-verdict-undecided = { $unknowns ->
        [one] It cannot be told whether training can start: 1 thing is unknown.
       *[other] It cannot be told whether training can start: { $unknowns } things are unknown.
    }

## Datasets

cli-classes = { $count ->
        [0] No classes
        [one] 1 class: { $names }
       *[other] { $count } classes: { $names }
    }
cli-split-train = Training
cli-split-val = Validation
cli-split-test = Test
cli-split-counts = { $images } images, { $instances } boxes{ $background ->
        [0] {""}
       *[other] , { $background } without boxes
    }{ $corrupt ->
        [0] {""}
       *[other] , { $corrupt } unusable
    }

## GPUs

cli-vram-headline = { $model } · { $imgsz } px · batch { $batch }
cli-vram-card = On each card: about { BYTES($expected) }, between { BYTES($low) } and { BYTES($high) }.
cli-vram-reserved = Of this, what the trainer prints as GPU_mem: about { BYTES($expected) }, between { BYTES($low) } and { BYTES($high) }.
cli-vram-calibrated = { $runs ->
    [one] Corrected by { $runs } training that finished on such a card here: { $percent }.
   *[other] Corrected by { $runs } trainings that finished on such a card here: { $percent }.
}
cli-vram-part = { BYTES($bytes) }  { $part }
cli-vram-fits = It fits into { BYTES($memory) }.
cli-vram-tight = It is tight in { BYTES($memory) }, and will probably fit.
cli-vram-unlikely = It will probably not fit into { BYTES($memory) }.
cli-vram-impossible = It does not fit into { BYTES($memory) }.
cli-vram-without = Without mixed precision: about { BYTES($expected) }, between { BYTES($low) } and { BYTES($high) }.
cli-vram-without-no = Without mixed precision it would not fit: about { BYTES($expected) }, between { BYTES($low) } and { BYTES($high) }. GTX 16 and T-series cards train without it.
cli-vram-looking = Looking at what the model holds in memory
cli-vram-largest = Fits for sure: a batch of up to { $batch } at this image size, or images of up to { $imgsz } px with this batch.
cli-gpu-no-driver = No NVIDIA driver is installed. Training runs on the processor.
cli-gpu-failed = The NVIDIA driver does not answer: { $message }
cli-gpu-none = The driver sees no card.
cli-gpu-driver = Driver { $driver }, up to CUDA { $cuda }
cli-gpu-memory = { BYTES($free) } of { BYTES($total) } free

## Runs

cli-gpu-run = training { $run }
cli-wait = Waiting until the card is free. Ctrl-C ends the waiting, and nothing is started.
cli-wait-card = { $name }: { BYTES($used) } of { BYTES($total) } in use
cli-wait-ended = The waiting was ended; nothing was started.
cli-run-started = Run { $id } has started.
cli-run-stopping = The run is asked to stop. Ctrl-C again leaves without waiting.
cli-run-ending = Ending…
cli-run-epoch = Epoch { $epoch }/{ $epochs }
cli-run-validating = validating
cli-run-remaining = { $left } left
cli-run-logs = The whole log: preflight runs logs { $id }
cli-run-settings = { $imgsz } px · batch { $batch } · seed { $seed } · { $device }
cli-run-pausing = Resting after this epoch…
cli-run-pausing-in = Resting after this epoch, in about { $left }…
cli-run-pausing-last = This is the last epoch: the run will finish…
cli-run-pausing-now = Resting…
cli-run-finished-instead = The run finished before it could rest.
cli-run-resume = Go on: preflight runs resume { $id }
cli-run-resumed = Run { $id } goes on after epoch { $epoch }.
cli-run-begins-again = Run { $id } begins again: no epoch of it was finished.
cli-run-keeps-on = Run { $id } goes on without a rest.
cli-runs-none = There are no runs yet.
cli-runs-none-such = There is no such run.
cli-runs-delete-question = { $count ->
        [one] This deletes the run with its weights, log and pictures
       *[other] This deletes { $count } runs with their weights, logs and pictures
    }: { BYTES($bytes) }. The datasets stay.
cli-runs-deleted = { $count ->
        [one] Deleted. { BYTES($bytes) } are free again.
       *[other] { $count } runs deleted. { BYTES($bytes) } are free again.
    }
cli-try-loading = Loading the model…
cli-try-nothing = Nothing found from a confidence of { $conf } on.
cli-export-price = Exporting needs { $packages }, added to the training environment: about { BYTES($download) } to download, { BYTES($disk) } on disk.
cli-field-state = State
cli-field-created = Started
cli-field-dataset = Dataset
cli-field-model = Model
cli-field-training = Training
cli-field-epochs = Epochs
cli-field-took = Took
cli-field-accepted = Started in spite of
cli-field-note = Note
cli-field-folder = Folder

## Environments

cli-go-on = Go on? [y/N]
cli-nothing-changed = Nothing was changed.
cli-env-looking = Looking for environments…
cli-env-price = Making the training environment ({ $build }): about { BYTES($download) } to download, { BYTES($disk) } on disk, in { $path }. At 50 Mbit/s this takes about { DURATION($seconds) }.
cli-env-remove-question = This removes the training environment in { $path } ({ BYTES($bytes) }).
cli-env-removed = Removed. { BYTES($bytes) } are free again.
cli-weights-price = Download the pretrained weights of { $model }: about { BYTES($bytes) }.
cli-weights-holds = { $model }, { $parameters } parameters, { $classes } classes, { BYTES($bytes) }
cli-env-works = The training environment works; there is nothing to repair.
cli-env-missing = The app's own environment has not been made yet.
cli-env-own = the app's own
cli-env-found = found on this computer
cli-env-step-installer = Fetching the installer…
cli-env-step-python = Getting Python
cli-env-step-resolving = Working out which packages are needed…
cli-env-step-installing = Installing…
cli-env-step-verifying = Trying it: importing torch and Ultralytics…
