### Runs: what happens after "Start training".

# A plan's further arguments.
problem-plan-reserved-argument = The plan sets { $name }, which this app sets itself.
    .help = Remove { $name } from the plan's further arguments. What it controls has a field of its own, or is decided by the app.
problem-plan-unknown-argument = { $name } is not an argument of training in Ultralytics { $version }.
    .help = Look for a typing mistake, or remove it from the plan's further arguments.
problem-plan-invalid-argument = { $name } cannot be “{ $value }”.
    .help = { $expects ->
        [number] It takes a number.
        [fraction] It takes a number from 0 to 1.
        [share] It takes a part of the images, above 0 and up to 1, or how many.
        [whole] It takes a whole number.
        [at-least] It takes a whole number of at least { $values }.
        [switch] It takes true or false.
        [words] It takes one of: { $values }.
       *[text] It takes true, false or a text.
    }

# The list of runs.
runs-search = Search runs
runs-none = No training has been started yet
runs-none-about = Choose your images in a new training. Everything is checked before it starts, and the run appears here.
runs-nothing-found = No run matches the search.
runs-filter = States shown
runs-kept-all = All
runs-kept-active = Under way
runs-kept-succeeded = Finished
runs-kept-failed = Failed
runs-kept-ended = Ended
runs-order = Sort by
runs-order-newest = Newest first
runs-order-oldest = Oldest first
runs-order-best = Highest mAP50
runs-order-dataset = Dataset
runs-order-size = Size on disk
runs-size = Size
runs-choose = Choose { $name }, { $created }
runs-delete = Delete
runs-delete-count = { $count ->
    [one] Delete 1 run
   *[other] Delete { $count } runs
}
runs-delete-title = { $count ->
    [one] Delete this run?
   *[other] Delete these { $count } runs?
}
runs-delete-about = { BYTES($bytes) } become free. This cannot be undone.
runs-delete-about-unknown = How much becomes free is still being counted. This cannot be undone.
runs-delete-kept = Weights, log, pictures and exported models of these runs are deleted. The datasets stay as they are.
runs-deleted = Deleted. { BYTES($bytes) } are free again.
note = Note
note-add = Add a note
note-edit = Change the note
note-hint = What was different about this training?
note-save = Save note

# The run page.
run-epoch = Epoch { $epoch } of { $epochs }
run-progress = Progress of the training
run-step-queued = Waiting to begin
run-step-preparing = Preparing the images
run-step-loading = Starting the trainer
run-step-batch = Step { $batch } of { $batches }
run-step-validation = Measuring on the validation images, step { $batch } of { $batches }
run-step-final-validation = Measuring the best model once more, step { $batch } of { $batches }
run-step-drawing = Drawing the curves of the results
run-ending = Ending the training
run-elapsed = Duration
run-remaining = Time left
run-remaining-about = about { DURATION($seconds) }
run-remaining-unknown = known after the first epoch
run-cpu = Processor
run-cores = { DECIMAL($cores) } cores
run-ram = Memory
run-gpu-memory = GPU memory
run-gpu = GPU load
run-again = Train again
run-open-folder = Open folder
run-model-ready = The trained model is ready
run-pause = Pause
run-pause-title = Pause this training?
run-pause-about = It ends so that it can go on later where it was. The graphics card and the memory become free.
run-pause-when = The current epoch is finished first, in about { DURATION($seconds) }.
run-pause-when-unknown = The current epoch is finished first.
run-pause-last-epoch = This is the last epoch: the training finishes instead of pausing.
run-pause-before-training = No epoch has begun. It will begin anew when it goes on.
run-pause-now-about = Pausing at once loses what is done of the current epoch.
run-pause-now = Pause at once
run-pause-after-epoch = Pause after this epoch
run-pausing = Pausing
run-pausing-after-epoch = Pauses after this epoch
run-pausing-after-epoch-in = Pauses after this epoch, in about { DURATION($seconds) }
run-pausing-full = The disk may be too full for the next checkpoint.
run-keep-on = Do not pause
run-paused-by-user = Paused by hand since { $since }
run-paused-full = Paused since { $since }, because the disk is full
run-paused-full-about = It goes on by itself as soon as there is room.
run-paused-goes-on = { $epoch } of { $epochs } epochs are done and kept.
run-paused-before-epoch = No epoch had been finished.
run-resume = Resume
run-resume-title = Go on with this training?
run-resume-about = It goes on after epoch { $epoch } of { $epochs }, with everything it has learned.
run-resume-batch = Batch
run-resume-batch-about = Images per step from now on. A smaller one needs less memory.
run-resume-epochs-fixed = The number of epochs stays: the learning rates of all epochs were laid out for it at the beginning.
run-begin-again = Begin again
run-begin-again-title = Begin this training again?
run-begin-again-about = No epoch of it had been finished, so there is nothing to go on from.
run-cancel = End training
run-cancel-title = End this training?
run-cancel-about = The trainer is asked to stop, and everything it started is ended.
run-cancel-kept = The weights of the epochs that are finished stay in the run’s folder.
run-cancel-no = Keep training
run-cancel-yes = End training
run-tabs = Parts of the run
run-tab-charts = Charts
run-tab-results = Results
run-tab-try = Try the model
run-tab-log = Log
run-tab-details = Details
charts-waiting = The charts begin with the first finished epoch.
charts-none = It ended before the first epoch was finished.
chart-metrics = Accuracy on the validation images
chart-metrics-about = Higher is better; 1 is perfect.
chart-losses = Training losses
chart-losses-about = Lower is better; they should fall and level off.
results-none = No results yet
results-none-about = The weights appear here after the first epoch, the final figures and pictures when the training is finished.
metric-map50 = Boxes found and roughly in place
metric-map50-95 = Boxes found and precisely in place
metric-precision = Of the boxes drawn, the share that is right
metric-recall = Of the objects there, the share that is found
classes-figures = Figures by class
classes-figures-about = The weakest class first: that is where more and better labelled images help most.
confusion-title = What is taken for what
confusion-about = A row is what is really there, a column what the model sees in it. The diagonal is right; the share is of the row.
confusion-really = Really
confusion-seen = Seen as
confusion-nothing = nothing
confusion-cell = { $really } seen as { $seen }: { $count } ({ $share })
looks-title = Validation images
looks-about = Images that were not trained on: what the model drew, and what people drew. The arrow keys switch between them.
curves-title = Curves
curves-about = How precise the model is and how much it finds, depending on how sure it has to be.
more-pictures-title = Course and training images
picture-predictions = As the model sees it
    .about = Boxes that the model drew, with how sure it is.
picture-truth = As it was labelled
    .about = The same images with the boxes that people drew.
picture-confusion-shares = Confusion matrix, shares
    .about = Which classes are taken for which, as shares of each real class.
picture-confusion = Confusion matrix, counted
    .about = Which classes are taken for which, as numbers of boxes.
picture-precision-recall = Precision over recall
    .about = The larger the area below, the better; its size is the mAP50.
picture-f1 = F1 over confidence
    .about = The peak is the confidence at which missed and wrong boxes are best balanced.
picture-precision = Precision over confidence
    .about = How many boxes are right if only those this sure are shown.
picture-recall = Recall over confidence
    .about = How many objects are found if only boxes this sure are shown.
picture-course = Course of the training
    .about = Losses and figures over the epochs, as the trainer drew them.
picture-labels = Labels
    .about = How many boxes each class has, where they lie and how large they are.
picture-training-batch = Training images
    .about = Images as the trainer saw them: cut, mixed and recoloured at random.
picture-other = Another picture
    .about = Left in the folder of the results.
weights-files = Weights
weights-best-about = From the epoch that did best on the validation images: take this one.
weights-last-about = From the last finished epoch: to go on training from.
copy-path = Copy the path
path-copied = The path was copied.
show-in-folder = Show in its folder
export-title = Export to ONNX
export-about = A file that runs without Python: in browsers, phones and programs. It is compared with the weights.
export-begin = Export
export-again = Export again
export-looking = Looking what is needed
export-resolving = Working out what has to be downloaded
export-installing = Installing, { BYTES($done) } of about { BYTES($total) }
export-input = Takes images of { $side } × { $side } px
export-save = Save a copy…
export-saved = A copy was saved.
export-install = Install and export
export-needs-title = Something is needed first
export-needs-about = { $packages } are added to the app’s training environment: about { BYTES($download) } to download, { BYTES($disk) } on disk.
export-needs-elsewhere = The environment that trained this run lacks { $packages }. It is not the app’s own, so nothing is installed into it. You can do it in a terminal:
export-needs-kept = What is installed there already stays as it is. The packages come from the sources in the settings.
try-drop = Drop images here
try-drop-about = Also folders, or paste an image with Ctrl+V. Images stay on this computer.
try-choose = Choose images
try-loading = Loading the model, a few seconds
try-looking = Looking, { $done } of { $images }
try-more = The first { $images } of { $total } images are shown.
try-clear = Clear
try-confidence = Show boxes from
try-found = { $count ->
    [0] No boxes
    [one] 1 box
   *[other] { $count } boxes
}
try-nothing = Nothing the model is sure enough of. A lower threshold shows what it suspects.
try-time = { $model } ms in the model, { $all } ms in all
try-pasted = Pasted image
log-search = Search the log
log-found = { $at } of { $of }
log-nothing-found = Nothing found
log-previous = Previous match
log-next = Next match
log-lines = { $count ->
    [one] { $count } line
   *[other] { $count } lines
}
log-follow = Newest
log-empty = The trainer has not written anything yet.
detail-id = Run
detail-created = Started
detail-dataset = Dataset
detail-model = Model
detail-imgsz = Image size
detail-batch = Batch
detail-epochs = Epochs
detail-device = Device
detail-peak-card = Most GPU memory used on one card
detail-peak = Of it, held by PyTorch
detail-hardware = Computer
detail-driver = NVIDIA driver
detail-peak-memory = Most memory used
detail-fingerprint = Fingerprint of the dataset
detail-ultralytics = Ultralytics
detail-torch = torch
detail-python = Python
detail-accepted = Started in spite of
detail-command = Command
detail-folder = Folder
weights-pretrained = pretrained
weights-scratch = from scratch
weights-file = own file

# What could not be done with a run.
problem-run-not-found = There is no run { $id }.
problem-run-unreadable = { $path } of the run could not be read.
problem-run-too-new = The run { $id } was made by a newer version of the app.
    .help = Update the app to open it.
problem-run-over = The run { $id } is over.
problem-run-active = The run { $id } is not over yet.
    .help = End it first, then delete it.
problem-run-note-too-long = The note is longer than { $most } characters.
problem-run-busy = The run in { $path } is already being worked on.
    .help = Another window, or the command line, is changing it at this moment. Look again in a few seconds.
problem-run-finished = The run { $id } is finished: there is nothing left to go on with.
    .help = To train further, start a new run with this run’s best.pt as own weights.
problem-run-under-way = The run { $id } is under way already.
problem-run-not-pausing = The run { $id } rests already.
    .help = Resume it instead.
problem-run-no-checkpoint = The run { $id } cannot go on: no epoch of it was finished, so there is no checkpoint.
    .help = Start it again as a new run.
problem-run-epochs-fixed = The number of epochs of a run cannot be changed when it goes on.
    .help = The learning rates of all epochs were laid out for that number when it began. Let it finish, then start a new run with its best.pt as own weights, or start again with another number.
problem-run-not-changeable = { $name } cannot be changed when a run goes on.
    .help = Ultralytics { $version } takes it from the checkpoint. Start a new run to change it.
problem-run-classes-changed = The dataset now has { $now } classes; the run began with { $before }.
    .help = A model can only go on with the classes it began with. Restore the dataset, or start a new run.
problem-run-not-ended = What is left of the run { $id } could not be ended.
problem-run-no-environment = There is no working training environment.
    .help = Install the training environment first.
problem-run-no-device = It is not clear which device { $device } stands for on this computer.
    .help = Choose a graphics card that is there, or the processor.
problem-run-no-weights = The weights { $path } cannot be used.
    .help = Choose another weights file, or start from scratch.
problem-run-no-supervisor = The process that looks after the training could not be started.
problem-run-trainer-not-started = { $program } could not be started.
problem-home-not-unicode = The app's folder { $path } has a name that is no valid text.
    .help = Set PREFLIGHT_HOME to a folder with another name.

# Why a run failed, rests or was lost.
finding-start-adopted = The process that looks after the training was ended, and another one took over
    .detail = The training itself went on, and nothing of it was lost. How its trainer ends can only be told from what it says.
finding-start-no-room = The disk is too full to go on
    .detail = Training rests until { $path } has room for the next checkpoint ({ BYTES($needed) } and a reserve). It goes on by itself then; what was trained is kept.
finding-data-changed-since = The dataset is not the one the training began with
    .detail = Images or labels of { $path } were added, removed or changed since. From here on it trains with the dataset as it is now.
finding-train-ended-unseen = The trainer ended early, and nobody saw how
    .detail = The process that had started it was ended before. The last lines of its log may tell.
finding-train-lost = The training was ended from outside, together with the process that looked after it
    .detail = { $epoch ->
        [0] No epoch had been finished. It can begin again.
       *[other] It can go on after epoch { $epoch }.
    }
finding-train-rebooted = The computer was turned off or restarted during the training
    .detail = { $epoch ->
        [0] No epoch had been finished. It can begin again.
       *[other] It can go on after epoch { $epoch }.
    }
fact-last-sign = Last sign of life
remedy-resume-run = Go on with the training
finding-data-not-prepared = The dataset could not be made ready for training
    .detail = The trainer gets links to the dataset's files instead of the dataset itself, so that it changes nothing in it. Making them failed.
finding-start-trainer-not-started = The trainer could not be started
    .detail = The Python of the training environment did not run. It may have been removed or replaced.
finding-start-no-supervisor = The training could not be started
    .detail = The process that looks after the training ended before the training began.
finding-memory-cuda-oom = The graphics card ran out of memory
    .detail = The training needed more memory than the card had left. A smaller batch or smaller images need less.
finding-train-killed = The training was ended from outside (signal { $signal })
    .detail = The system or another program ended the trainer. Signal 9 is most often the system itself, when the computer's memory runs out.
finding-train-ended = The trainer ended early with code { $code }
    .detail = It did not say why. The last lines of its log may tell.
finding-train-failed = The training failed: { $class }
    .detail = The trainer said: { $text }

# Trying the trained model, exporting it.
try-on-processor-card-trains = Tried on the processor: a training uses the graphics card now.
try-on-processor-card-unavailable = Tried on the processor: the graphics card cannot be used now.
export-loading = Loading the model
export-converting = Converting to ONNX
export-comparing = Comparing on validation images, { $done } of { $total }
export-agrees = The exported model finds the same as the weights.
export-differs = The exported model does not find the same as the weights.
export-figures = { $images ->
        [one] 1 validation image
       *[other] { $images } validation images
    }, { $boxes ->
        [one] 1 box
       *[other] { $boxes } boxes
    } from a confidence of { $from } on, before overlapping ones are dropped. Without a counterpart: { $unmatched }. Largest difference in confidence: { $difference } (allowed: { $differencemost }). Smallest overlap: { $overlap } (needed: { $overlapleast }).
export-not-compared = Not compared: the validation images are not where they were, or nothing is found in them.
problem-results-no-weights = There are no weights in { $path }.
    .help = They are written after the first epoch. If they were there before, someone moved or deleted them.
problem-results-no-environment = The environment that trained this run is gone: { $path }
    .help = Install the training environment again, or put the other one back where it was.
problem-results-model-failed = The model could not be used.
problem-results-cancelled = It was cancelled.
problem-results-no-export = The model of the run { $id } has not been exported yet.
problem-results-packages-missing = To export, the training environment lacks: { $packages }
problem-results-packages-missing-elsewhere = To export, the environment of this run lacks: { $packages }
    .help = It is not the app's own, so nothing is installed into it. You can: "{ $python }" -m pip install { $names }
problem-results-busy = Another model is being exported.
    .help = Wait until it is done, or cancel it.
problem-results-not-pasted = What was pasted is no image, or larger than { BYTES($most) }.
