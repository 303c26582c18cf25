### window

# The system's dialogs.
window-dialog-dataset-folder = Choose the dataset's folder
window-dialog-dataset-file = Choose a data.yaml, an archive or annotations
window-dialog-dataset-files = Datasets
window-dialog-weights = Choose a weights file
window-dialog-weights-files = PyTorch weights
window-dialog-images = Choose images
window-dialog-images-files = Images
window-dialog-save-export = Save the exported model
window-dialog-exports = ONNX models
window-dialog-open-plan = Open a plan
window-dialog-save-plan = Save the plan
window-dialog-plans = Plans
window-dialog-connector = Choose a connector file
window-dialog-connectors = Connector files

# What the window could not do.
problem-window-not-opened = The window could not be opened.
problem-window-no-desktop = There is no desktop to open a window on.
    .help = In a terminal, use the command `preflight`: it checks and trains without a window.
problem-run-blocked = The training was not started: something blocks it. The chain shows what.
problem-open-refused = { $target } is not opened from here.
problem-open-failed = { $target } could not be opened.

skip-to-content = Skip to content
nav-label = Pages
nav-new = New training
nav-runs = Runs
nav-settings = Settings
language-switch = 切换到中文
theme-system = Theme: as the system has it
theme-light = Theme: light
theme-dark = Theme: dark
dismiss = Dismiss
problem-causes = What the system said
problem-internal-window = The window ran into an error of its own.

step-dataset = Dataset
step-model = Model
step-where = Where
step-batch = Batch & memory
step-account = Account
step-review = Review
steps-label = Steps of a new training
step-state-ok = fine
step-state-warning = has a warning
step-state-blocker = something blocks
next-step = Continue: { $step }
back = Back
change = Change
show-fewer = Show fewer

# The chain.
chain-title = Preflight
chain-looking = Looking at every link
chain-look-again = Look again
chain-looked-at = Looked at { $time }
chain-about-not-needed = Training on this computer does not need this.
chain-about-pending = This is looked at once the training runs.
chain-about-active = This is being looked at.
chain-about-paused = The training rests here and can go on.
chain-about-cancelled = The training was cancelled here.
chain-about-ok = Nothing stands in the way here.
chain-about-warning = There is a warning here.
chain-about-unknown = This could not be looked at.
chain-about-blocker = Something blocks here.
verdict-clear = Ready to start
verdict-ask-first = Ready, but it will probably fail
verdict-undecided = Not everything could be looked at
verdict-blocked = { $count ->
    [one] Blocked by { $count } problem
   *[other] Blocked by { $count } problems
}
severity-ok = fine
severity-note = note
severity-warning = warning
severity-unknown = unknown
severity-blocker = blocker
certainty-predicted = foreseen
verb-about-wait = busy now, will be free again
verb-about-change = can be changed here
verb-about-ask = someone else has to act
open-file = Open this file

# Dataset.
dataset-title = Which images?
dataset-about = Labelled images for training and for validation. Nothing in them is changed.
drop-title = Drop your dataset here
drop-now = Let go to use it
drop-about = A data.yaml, a folder that holds images and labels, a .zip, or annotations of COCO, Pascal VOC, LabelMe, CVAT or Label Studio
choose-folder = Choose folder
choose-data-yaml = Choose file
dataset-path = Path of the dataset
dataset-path-hint = or paste a path
dataset-read = Read
dataset-reading = Reading the dataset
dataset-reading-of = Reading { $done } of { $total } files
dataset-again = Read again
dataset-other = Another dataset
dataset-took = Read in { $seconds }.
recent-title = Recent
recent-empty = Datasets that were read appear here.
sample-title = Just looking?
sample-about = 60 drawn metal plates with scratches, dents and holes. They train in a few minutes, even without a graphics card.
sample-use = Try with the sample dataset
figure-images = images
figure-boxes = boxes
figure-classes = classes
figure-most-boxes = most in one image
splits-title = Training and validation
split = Part
split-train = Training
split-val = Validation
split-test = Test
split-column-images = Images
split-column-labelled = Labelled
split-column-background = Without boxes
split-column-corrupt = Refused
split-column-instances = Boxes
split-rule-absolute = “{ $written }” is a full path.
split-rule-dataset-root = “{ $written }”, starting from the dataset’s folder.
split-rule-yaml-folder = “{ $written }”, starting from the folder of data.yaml.
split-rule-datasets-folder = “{ $written }”, found in the trainer’s folder for datasets.
split-rule-plain-folder = The folder “{ $written }”.
classes-title = { $count ->
    [one] { $count } class
   *[other] { $count } classes
}
class = Class
classes-share = Boxes
classes-all = Show all { $count }
gallery-title = Images and their boxes
gallery-split = Part shown
gallery-open = { $name }, { $boxes ->
    [one] { $boxes } box
   *[other] { $boxes } boxes
}
gallery-empty = There are no images to show.
image-unreadable = cannot be shown
viewer-about = { $width } × { $height } px, { $boxes ->
    [one] { $boxes } box
   *[other] { $boxes } boxes
}
viewer-before = Previous image
viewer-after = Next image

# Model.
model-title = Which model?
model-about = Larger models find more, and need more memory and time. Start small: a larger one can be trained later on the same images.
model-family = Family
model-size = Size
model-speed = Speed
model-accuracy = Accuracy
model-parameters = Params
model-gflops = GFLOPs
model-figures = Figures published by Ultralytics, measured on COCO at 640 px.
model-source = Source
weights-title = Start from
weights-choice-pretrained = Pretrained weights
weights-choice-scratch = From scratch
weights-choice-file = Own file
weights-about-pretrained = Weights that have seen 118,000 everyday photographs. Learns faster and needs fewer images: right for almost everyone.
weights-about-scratch = Random weights. Needs many images and epochs; nothing has to be downloaded.
weights-about-file = A .pt file of an earlier training. It is loaded by the trainer: use only files from people you trust.
weights-other = Choose another file
licence-more = Ultralytics licences

# Where.
where-title = Where does it train?
where-about = On this computer. Memory and load of the cards are shown as they are now.
device-auto = Automatic
device-auto-about = The card with the most free memory when training starts.
device-auto-cpu = There is no card that can train, so the processor does.
device-mps = Apple GPU
device-mps-about = Usually faster than the processor. It shares its memory with the whole computer.
device-cpu = Processor (CPU)
device-cpu-about = Usually 10 to 50 times slower than a graphics card. Good for a first try with few, small images.
device-foreign = As the plan says; there is no such card here now.
cpu-cores = { $count ->
    [one] { $count } core
   *[other] { $count } cores
}
cpu-memory = { $free } of { $total } memory free
gpu-number = GPU { $index }
gpu-capability = compute { $version }
gpu-busy = { $percent } % busy
gpu-memory = { BYTES($free) } free of { BYTES($total) }
gpu-more-processes = and { $count } more
process-unnamed = unnamed program
gpus-unknown = The graphics cards could not be looked at
gpus-none = No NVIDIA graphics card
gpus-none-about = No NVIDIA driver is installed on this computer. Training works on the processor.
gpus-failed = The NVIDIA driver does not work
environment-apps-own = The app’s own environment
environment-other = Found on this computer
environment-missing = missing
environment-missing-about = Python, torch and Ultralytics, in a folder of their own. The size is said before anything is downloaded.
environment-look-again = Look for environments again

# Batch and memory.
batch-title = How much at once?
batch-about = Larger batches and images learn more steadily and need more memory.
batch = Batch
batch-hint = Images per step. Powers of two are usual.
batch-images = { $count ->
    [one] { $count } image per step
   *[other] { $count } images per step
}
batch-largest = Largest that fits: { $batch }
imgsz = Image size
imgsz-hint = Images are scaled to this. Larger finds smaller objects.
epochs = Epochs
epochs-hint = How often every image is seen.
memory-title-gpu = Graphics memory
memory-title-ram = Memory
memory-unknown = How much memory this needs can be said once the dataset is read.
memory-need = Needed
memory-interval = between { BYTES($low) } and { BYTES($high) }
memory-supply-gpu = Free on the card
memory-supply-ram = Free now
memory-of = of { BYTES($total) }
memory-parts = What it is made of
memory-parts-hint = Point at a part to see what it is.
zone-fits-gpu = Fits on the card
zone-fits-ram = Fits into memory
zone-tight-gpu = Fits on the card, but only just
zone-tight-ram = Fits into memory, but only just
zone-unlikely-gpu = Will probably not fit on the card
zone-unlikely-ram = Will probably not fit into memory
zone-impossible-gpu = Does not fit on the card
zone-impossible-ram = Does not fit into memory
zone-unknown-gpu = How much memory is free is not known
zone-unknown-ram = How much memory is free is not known
advanced = Advanced
workers = Image loaders
workers-hint = Processes that read images while the model trains.
workers-auto = as the trainer decides
seed = Seed
seed-hint = The same seed gives the same training, as far as the hardware allows.
extra = Further arguments
extra-hint = From the plan file; handed to Ultralytics as they are.

# Account.
account-title = Account
account-not-needed = No account needed
account-about = This computer trains by itself: no sign-in, no quota, no budget. Nothing leaves it.

# Review.
review-title = Ready to go?
review-about = Everything that was chosen. The chain is looked at once more when training starts.
review-row-dataset = Dataset
review-row-model = Model
review-row-weights = Starts from
review-row-where = Trains on
review-row-environment = Environment
review-row-batch = Batch
review-row-imgsz = Image size
review-row-epochs = Epochs
review-row-workers = Image loaders
review-row-seed = Seed
review-row-extra = Argument
review-nothing = not chosen yet
review-images = { $split }: { $count ->
    [one] { $count } image
   *[other] { $count } images
}
review-pixels = { $side } × { $side } px
review-change = Change: { $what }
plan-title = Plan
plan-about = Save it to open it again here, or to check and run it in a terminal with the command “preflight”.
plan-open = Open plan
plan-save = Save plan
plan-saved = Saved as { $name }.
plan-copy = Copy the plan
command-title = Command
command-about = What is run when you start. RUN stands for the name of the run’s folder, which is given at the start.
command-copy = Copy the command
command-arguments = arguments.json: what the trainer is told
command-arguments-copy = Copy the arguments
command-ultralytics = For comparison: Ultralytics’ own command
command-ultralytics-about = Not what is run here. It writes its caches beside your labels and does without the checks; a dataset without a data.yaml cannot be handed to it.
command-ultralytics-copy = Copy Ultralytics’ command
start = Start training
start-clear = Nothing stands in the way.
start-blocked = { $count ->
    [one] This has to be solved before training can start
   *[other] These have to be solved before training can start
}
start-predicted = { $count ->
    [one] This will probably stop the training
   *[other] These will probably stop the training
}
start-undecided = This could not be looked at; training can start all the same
start-why = { $more ->
    [0] { $first }
    [one] { $first }, and { $more } more
   *[other] { $first }, and { $more } more
}
start-anyway = Start anyway
start-anyway-title = Start in spite of this?
start-anyway-about = This is foreseen, not certain. That you started anyway is kept with the run.
