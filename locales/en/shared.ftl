### shared

# The links of the chain, in order.
stage-auth = Account
stage-quota = Budget
stage-gpu-pool = GPU
stage-driver = Driver
stage-image = Environment
stage-data = Dataset
stage-memory = Memory
stage-start = Start
stage-train = Training
stage-results = Results

# How a link of the chain stands.
link-not-needed = not needed
link-pending = not yet
link-active = in progress
link-paused = paused
link-cancelled = cancelled
link-ok = fine
link-warning = warning
link-unknown = unknown
link-blocker = blocked
link-stopped = stopped here

# What a person can do about a blocker.
verb-wait = Wait
verb-change = Change
verb-ask = Ask

# The life of a run.
run-state-queued = Queued
run-state-preparing = Preparing
run-state-running = Running
run-state-paused = Paused
run-state-succeeded = Finished
run-state-failed = Failed
run-state-cancelled = Cancelled
run-state-lost = Lost

# Why something is not known.
reason-not-observed = It was not looked at yet.
reason-model-needs-environment = It can be looked at once the training environment works.
reason-still-looking = It is still being looked at.
reason-no-answer = There was no answer within { $seconds } seconds.
reason-system-error = The system reported an error: { $error }
reason-no-dataset-chosen = No dataset has been chosen yet.
remedy-look-again = Look again

# What could not be done, whatever the part of the app.
problem-internal-task = An internal task ended unexpectedly.
problem-internal-no-program = The system did not say where this program is.
problem-file-unwritable = { $path } could not be written.
    .help = Check that the folder exists, that it may be written to, and that the disk is not full.
problem-file-unreadable = { $path } could not be read.
problem-home-unknown = The system did not say where your files are.
    .help = Set the variable PREFLIGHT_HOME to a folder of your choice.
problem-home-unusable = The app's folder { $path } could not be made.
    .help = Check that it may be written to, or set the variable PREFLIGHT_HOME to another folder.
problem-settings-invalid = The settings in { $path } could not be read.
    .help = Correct the file, or remove it to start with the default settings.
problem-settings-unwritable = The settings could not be stored.
problem-plan-invalid = The plan { $path } is not valid in line { $line }.
    .help = Correct that line. The file was left as it is.
problem-plan-draft-broken = The unfinished training from last time cannot be read.
    .help = A new one begins. The old one was kept as { $path }.
problem-plan-too-new = The plan was written by a newer version of the app (format { $format }; this version reads up to { $supported }).
    .help = Update the app.
problem-plan-unwritable = The plan holds a path or name that its file cannot hold.

# Plain words.
bytes = { BYTES($bytes) }
bytes-about = about { BYTES($bytes) }
duration = { DURATION($seconds) }
percent = { PERCENT($share) }
cancel = Cancel
close = Close
save = Save
undo = Undo
loading = Loading
settings-look = Language and look
settings-language = Language
settings-theme = Theme
settings-theme-system = System
settings-theme-light = Light
settings-theme-dark = Dark
settings-saved = The settings were saved.
settings-about = About
settings-about-licence = YOLO Preflight is licensed MIT or Apache-2.0. Ultralytics, which does the training, is a program of its own under AGPL-3.0 or a commercial licence.
