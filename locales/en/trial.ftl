### Trial runs, how long a training takes, and what was learned from trainings on this computer.

# The trial run.
trial-run = Trial run
trial-about = A few real steps with the images that have most boxes, and one validation step, on the device and in the environment that will train. It shows whether everything works, and measures what is only estimated otherwise. Nothing is kept but the figures.
trial-about-processor = On the processor it checks environment and data and measures memory and time here. It says nothing about a graphics card.
trial-start = Try it out
trial-again = Try again
trial-cancel = Cancel
trial-preparing = Looking for the fullest images…
trial-loading-model = Starting Python, loading the model…
trial-training = Training, step { $step } of { $steps }
trial-validating = Validating…
trial-done = It works
trial-measured-at = measured { $when }
trial-failed = The trial run failed
trial-failed-about = The training would have failed in the same way.
trial-headline = Tried out: { $model }, { $imgsz } px, { $batch } images a step, { $steps } steps
trial-shown = Card memory, as the driver shows it
trial-reserved = Card memory, as the trainer prints it
trial-memory = Memory of the computer
trial-step = Time per step
trial-loading = of it waiting for images
trial-validation = Validation step
trial-not-validated = The time was up before the validation step.
trial-seconds = { $seconds } s
problem-trial-busy = A trial run is under way already.
problem-trial-cancelled = The trial run was cancelled.
problem-experience-unreadable = What was learned from earlier trainings, in { $path }, could not be read.
    .help = Estimates are made without it. The file is kept aside when something new is learned.
problem-experience-too-new = What was learned from earlier trainings, in { $path }, was written by a newer version of the app.
    .help = Update the app. Until then estimates are made without it.

# How long it takes.
time-all = All epochs
time-gpu-hours = Hours of the card
time-interval = about { $expected } ({ $low } to { $high })
time-about = It takes about { $low } to { $high }: { $least } to { $most } hours of a card.
time-by-trial = By the trial run.
time-by-runs = { $count ->
    [one] By a training like it on this device.
   *[other] By { $count } trainings like it on this device.
}
time-by-rule = By the model’s size and the device’s speed: a rough figure. A trial run tells better.
review-row-time = Takes
review-row-cost = Costs
review-time-hours = { $low } to { $high } hours of a card

# What the figures rest on.
source-estimate = Estimate
source-calibration = { $runs ->
    [one] Estimate, corrected by { $runs } training on this card ({ $percent })
   *[other] Estimate, corrected by { $runs } trainings on this card ({ $percent })
}
source-trial = Measured by a trial run
learned-title = What trainings here showed
learned-about = Finished trainings correct the estimates for the card they ran on, by about a third at most.
learned-accuracy = { $runs ->
    [one] The last training: off by { PERCENT($off) }.
   *[other] The last { $runs } trainings: off by { PERCENT($off) }, { $inside } of them within the bounds.
}
learned-none = No training on a graphics card has finished here yet.
learned-card = { $runs ->
    [one] { $card }: { $percent } by { $runs } training
   *[other] { $card }: { $percent } by { $runs } trainings
}
learned-trials = { $count ->
    [one] { $count } trial run is remembered.
   *[other] { $count } trial runs are remembered.
}
learned-forget = Forget what was learned
learned-forgotten = Estimates are again as on a new computer.

# Comparing.
imgsz-largest = Largest that fits: { $imgsz } px
holders-title = Held by others
holder-about = Another program holds this memory of the card. When it ends, the memory is free again.
holder-unnamed = The driver and programs it does not name
holder-unnamed-about = What the driver keeps for itself, the screen, and programs of other users.
holder-process = { $name } (process { $pid })
holder-unknown-process = A program (process { $pid })
alternatives-title = What helps, what costs least first
remedy-smaller-model = Use { $model }
remedy-mixed-precision = Train with mixed precision
remedy-one-size = Train without changing image sizes
cost-other-card = Costs nothing: the same training on { $card }.
cost-mixed-precision = Accuracy stays the same, and it is faster.
cost-one-size = The model sees fewer sizes; other sizes than “Image size” may be found a little less well.
cost-smaller-batch = Accuracy hardly changes; an epoch takes a little longer.
cost-smaller-images = Small objects are found less well. It is faster: { PERCENT($share) } of the pixels.
cost-smaller-model = About { DECIMAL($points) } points of mAP less on COCO. It is faster: { PERCENT($share) } of the operations.
cost-use-processor = Accuracy stays the same; it takes many times longer.
precision-title = Precision of the numbers
precision-mixed = Mixed precision (AMP)
precision-single = Without (amp = false)
precision-refused = The trainer goes without mixed precision on this card, because it does not work there.
precision-asked = chosen
fits-title = What fits
fits-about = Images per step, on the same device and with the same settings. It compares with what is free now.
fits-model = Model
fits-largest = Largest
fits-largest-use = Use { $model } with a batch of { $batch }
fits-all = All models
fits-family = Only this family
fits-cell = { $model }, batch { $batch }: { $zone }, about { BYTES($expected) }
zone-name-fits = fits
zone-name-tight = tight
zone-name-unlikely = unlikely
zone-name-impossible = does not fit
zone-name-unknown = not known
cards-title = Which card
cards-about = Those on which it fits first, the fastest of them on top.
cards-chosen = trains
cards-use = Use this card
cards-largest = up to a batch of { $batch }
cards-free = { BYTES($free) } of { BYTES($total) } free
card-only-one = It fits here only.
card-fastest = It fits, and this is the fastest.
card-roomiest = It fits, and this one has most room.
card-slower = It fits; about { DECIMAL($times) } times slower by its data sheet.
card-fits-too = It fits here as well.
card-tight = It fits, but only just.
card-taken = Large enough, but other programs hold too much of it now.
card-too-small = Too small for it.
card-untold = It does not say how much is free.
spills-about = On Windows the driver moves what does not fit into the computer’s memory. The training then does not stop, it crawls: ten times slower and more.
memory-processor-about = The processor trains: what counts is the memory of the computer.

# Findings.
finding-memory-fits-measured = The memory is enough: { BYTES($expected) } of { BYTES($supply) }, measured by a trial run
finding-memory-will-crawl = The training will crawl: { BYTES($expected) } are needed, { BYTES($supply) } of the card are free
    .detail = On Windows the driver moves what does not fit into the computer’s memory instead of failing. Training is then ten times slower and more.
fact-memory-measured = Measured by a trial run
fact-calibration = Corrected by finished trainings
