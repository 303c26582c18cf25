### This computer: graphics cards, driver, processor, disks.

reason-memory-not-told = The system did not say how much memory this computer has.
reason-folder-not-found = The folder { $path } does not exist.
reason-process-hidden = The system does not tell which program this is.
reason-gpu-memory-not-told = The driver does not tell how much memory this program holds.
reason-gpu-answer-unreadable = The driver's answer makes no sense.
reason-gpu-not-supported = This card or its driver does not tell.
reason-gpu-no-permission = This user may not ask.
reason-gpu-lost = The card no longer answers. Restarting the computer often helps; otherwise check its power and cooling.
reason-gpu-no-power = The card's power cables are not attached properly.
reason-gpu-error = The driver reported an error: { $error }

# Which device trains.
finding-gpu-pool-unknown = The graphics cards could not be looked at
    .detail = Without an answer from the NVIDIA driver it is not known whether a card is free.
finding-gpu-pool-invalid-device-id = There is no graphics card { $index } in this computer
    .detail = The plan asks for a card that is not there. Choose one of the cards that are, or the processor.
finding-gpu-pool-memory-unknown = { $name } does not say how much of its memory is free
finding-gpu-pool-memory-busy = { $name } is busy: other programs hold almost all of its memory
    .detail = Only { BYTES($free) } of { BYTES($total) } are free. Wait until the programs listed here are done, close them, or choose another card.
finding-gpu-pool-computing = Another program is computing on { $name }
    .detail = It was { PERCENT($utilization) } busy. Training works, but both will be slower.
finding-gpu-pool-memory-shared = { $name } is partly in use, { BYTES($free) } of its memory are free
finding-gpu-pool-free = { $name } is free, with { BYTES($free) } of memory
finding-gpu-pool-processor = The processor will train
    .detail = How long it takes can be said once a dataset is chosen. A graphics card is usually 10 to 50 times faster.
finding-gpu-pool-processor-quick = The processor will train, for about { DURATION($low) } to { DURATION($high) }
finding-gpu-pool-processor-slow = Training on the processor is slow: about { DURATION($low) } to { DURATION($high) }
    .detail = A rough estimate from the images, the epochs and the model. A graphics card is usually 10 to 50 times faster; smaller images or a smaller model help as well.
finding-gpu-pool-processor-takes-days = Training on the processor would take days: about { DURATION($low) } to { DURATION($high) }
    .detail = A rough estimate from the images, the epochs and the model. Use a graphics card, a smaller model, smaller images or fewer epochs.

# NVIDIA's driver, and how torch fits it.
finding-driver-unknown = The NVIDIA driver did not answer
finding-driver-driver-not-installed = No NVIDIA driver is installed
    .detail = A graphics card can only train with NVIDIA's driver.
finding-driver-driver-not-loaded = The NVIDIA driver is installed but not running
    .detail = This happens after an update of the system, or when Secure Boot refuses the driver. Restarting the computer often helps; otherwise the driver must be installed again.
finding-driver-nvml-version-mismatch = The NVIDIA driver was updated and the computer has not been restarted since
    .detail = The running driver and its library have different versions, so no program can use the card until the computer is restarted.
finding-driver-no-permission = This user may not use the graphics card
finding-driver-driver-failed = The NVIDIA driver reports an error
finding-driver-torch-cpu-build = The training environment cannot use graphics cards
    .detail = Its torch ({ $torch }) is made for the processor only. It must be replaced by one for NVIDIA cards.
finding-driver-driver-too-old = The NVIDIA driver { $driver } is too old for this training environment
    .detail = The driver serves CUDA up to { $serves }; torch { $torch } was built for CUDA { $needs }. Update the driver, or install a torch for an older CUDA.
finding-driver-no-kernel-image = { $age ->
    [new] { $name } is too new for this training environment
   *[old] { $name } is too old for this training environment
}
    .detail = { $age ->
        [new] torch { $torch } has no code for compute capability { $capability }. This card needs a torch built for CUDA { $first } or newer.
       *[old] torch { $torch } has no code for compute capability { $capability } any more. The last CUDA for this card is { $last }.
    }
finding-driver-cuda-unavailable = torch cannot reach the graphics card
    .detail = torch { $torch } is built for NVIDIA cards and the driver answers, but torch found no card it can use. A restart of the computer often helps.
finding-driver-works = The NVIDIA driver { $driver } works
finding-driver-fits = The NVIDIA driver { $driver } and torch { $torch } fit together

# Whether the trainer can start and write.
finding-start-unknown = The disk for results could not be looked at
finding-start-ready = Results can be written, { BYTES($free) } are free
finding-start-not-writable = Nothing can be written to { $path }
    .detail = Training saves its weights there. Give this user the right to write, or set PREFLIGHT_HOME to another folder.
finding-start-disk-full = There is too little space for the results
    .detail = A run needs at least { BYTES($need) }; { $path } has { BYTES($free) } free.
finding-start-disk-nearly-full = There is little space left for the results
    .detail = A run needs at least { BYTES($need) }; { $path } has { BYTES($free) } free.
finding-start-no-epochs = At least one epoch is needed
finding-start-no-batch = The batch must have at least one image
finding-start-image-size-too-small = An image size of { $imgsz } px is too small
    .detail = The smallest size is 32 px; most trainings use 320 to 1,280 px.
finding-start-image-size-rounded = The image size will be { $rounded } px instead of { $imgsz }
    .detail = The model needs a multiple of 32, so the trainer rounds up.
finding-start-batch-below-cards = A batch of { $batch } cannot be split over { $cards } graphics cards
finding-start-batch-uneven = A batch of { $batch } cannot be split evenly over { $cards } graphics cards
    .detail = Depending on its version, the trainer refuses this or leaves images out of each step.
finding-start-argument-refused = The trainer would refuse the further argument { $name }

# What was seen.
fact-gpu = Graphics card
fact-gpu-memory-used = Memory in use
fact-gpu-utilization = Utilisation
fact-gpu-process = Program on the card
fact-processor = Processor
fact-driver-message = The driver's own words
fact-driver-version = Driver
fact-driver-cuda = CUDA version the driver serves
fact-torch = torch
fact-torch-architectures = Architectures torch has code for
fact-disk-free = Free space
fact-write-error = The system's answer

# What helps.
remedy-use-processor = Train on the processor
remedy-use-gpu = Use graphics card { $index }
remedy-use-graphics-card = Use the graphics card
remedy-get-graphics-card = Use a computer with an NVIDIA graphics card
remedy-free-gpu = Close the programs that hold the card's memory
remedy-install-driver = Install the NVIDIA driver from nvidia.com/drivers and restart the computer
remedy-reinstall-driver = Install the NVIDIA driver again and restart the computer
remedy-update-driver = Update the NVIDIA driver from nvidia.com/drivers and restart the computer
remedy-restart-computer = Restart the computer
remedy-ask-for-gpu-rights = Ask whoever manages this computer for the right to use the graphics card (on Linux often the groups video and render)
remedy-make-writable = Give this user the right to write there
remedy-free-disk = Delete files that are no longer needed
remedy-set-epochs = Train { $epochs } epochs
remedy-set-batch = Use a batch of { $batch }
remedy-set-image-size = Use { $imgsz } px
remedy-smaller-images = Use images of { $imgsz } px
remedy-remove-argument = Remove { $name } from the further arguments

# What trains: the Python environment, the model, its first weights.
finding-image-unknown = The training environment could not be looked at
finding-image-missing = The training environment is not installed yet
    .detail = Python, torch and Ultralytics are installed into a folder of this app. Nothing else on this computer changes.
finding-image-python-missing = There is no Python at { $path }
finding-image-python-not-accepted = The plan names a program that this computer does not know yet
    .detail = { $path } would be started as the Python that trains. A plan from someone else can name any program: accept it only if you know what it is.
finding-image-broken = The training environment does not work
    .detail = { $path } was started, but torch and Ultralytics could not be loaded.
finding-image-ultralytics-too-old = Ultralytics { $ultralytics } does not know { $model } yet
    .detail = { $model } needs Ultralytics { $needed } or newer.
finding-image-ready = The training environment works: Ultralytics { $ultralytics }, torch { $torch }, Python { $python }
finding-image-model-unknown = There is no model named { $model }
finding-image-model-without-figures = The memory and time that { $model } needs are not known

finding-data-not-chosen = No dataset has been chosen yet
finding-data-unknown = The dataset could not be read yet
finding-data-unreadable = The dataset cannot be read
finding-data-read = { $train } images to learn from, { $val } to validate, { $classes } classes
finding-data-fewer-images-than-batch = The batch of { $batch } is larger than the { $images } images to learn from
    .detail = The trainer will use { $images } images per step.
finding-data-labels-are-outlines = The labels are outlines; the model learns the boxes around them
finding-data-labels-are-rotated-boxes = The labels are rotated boxes; the model learns the upright boxes around them
finding-data-labels-are-key-points = The labels hold boxes with key points; the model learns the boxes only
finding-data-dataset-wrong-type-for-task = This dataset sorts whole images into classes and has no boxes
    .detail = The model learns where things are in an image, so every object needs a box. Choose a dataset with boxes.

remedy-create-environment = Install the training environment
remedy-repair-environment = Install the training environment again
remedy-mend-own-environment = Repair this Python environment yourself, or choose another one
remedy-accept-python = Use this Python
remedy-own-environment = Use the app's own environment
remedy-choose-model = Choose a model
remedy-from-scratch = Start from scratch
remedy-choose-dataset = Choose a dataset
