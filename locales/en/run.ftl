### Runs: what happens after "Start training".

# A plan's further arguments.
problem-plan-reserved-argument = The plan sets { $name }, which this app sets itself.
    .help = Remove { $name } from the plan's further arguments. What it controls has a field of its own, or is decided by the app.
problem-plan-unknown-argument = { $name } is not an argument of training in Ultralytics { $version }.
    .help = Look for a typing mistake, or remove it from the plan's further arguments.

# The list of runs.
runs-search = Search runs
runs-none = No training has been started yet
runs-none-about = Choose your images in a new training. Everything is checked before it starts, and the run appears here.
runs-nothing-found = No run matches the search.

# The run page.
run-epoch = Epoch { $epoch } of { $epochs }
run-progress = Progress of the training
run-step-queued = Waiting to begin
run-step-preparing = Preparing the images
run-step-loading = Starting the trainer
run-step-batch = Step { $batch } of { $batches }
run-step-validation = Measuring on the validation images, step { $batch } of { $batches }
run-step-final-validation = Measuring the best model once more, step { $batch } of { $batches }
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
run-cancel = End training
run-cancel-title = End this training?
run-cancel-about = The trainer is asked to stop, and everything it started is ended.
run-cancel-kept = The weights of the epochs that are finished stay in the run’s folder.
run-cancel-no = Keep training
run-cancel-yes = End training
run-tabs = Parts of the run
run-tab-charts = Charts
run-tab-results = Results
run-tab-log = Log
run-tab-details = Details
charts-waiting = The charts begin with the first finished epoch.
charts-none = It ended before the first epoch was finished.
chart-metrics = Accuracy on the validation images
chart-metrics-about = Higher is better; 1 is perfect.
chart-losses = Training losses
chart-losses-about = Lower is better; they should fall and level off.
results-none = No results yet
results-none-about = The final figures and pictures appear here when the training is finished.
metric-map50 = Boxes found and roughly in place
metric-map50-95 = Boxes found and precisely in place
metric-precision = Of the boxes drawn, the share that is right
metric-recall = Of the objects there, the share that is found
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
detail-peak = Most GPU memory held
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
problem-run-busy = The run in { $path } is already being worked on.
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

# Why a run failed.
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
