### Graphics cards, their health, and what lies around them.

reason-smi-does-not-ask = nvidia-smi was asked in place of the driver's library, and does not tell this.
reason-not-on-this-system = This operating system does not tell.
reason-kernel-log-closed = This user may not read the kernel's log.

# Whether a card can be used at all.
finding-gpu-pool-card-lost = { $name } does not answer any more
    .detail = The computer lost the connection to the card. Power, heat, its seat or the card itself is at fault, not the training.
finding-gpu-pool-compute-prohibited = { $name } is set so that no program may compute on it
    .detail = An administrator set its compute mode to “Prohibited”.
finding-gpu-pool-held-exclusively = { $name } lets in one program at a time, and one is there
    .detail = Its compute mode is “Exclusive Process”: free memory does not help until that program ends.
finding-gpu-pool-divided = { $name } is divided into { $count } parts
    .detail = With MIG a training gets one part and its memory, never the whole card. Unless a part is chosen, it gets the one with most free memory: { $slice }
finding-gpu-pool-divided-among-several = { $name } is divided into { $count } parts, and cannot train together with other cards
    .detail = With MIG a program sees one part and no other card. Choose one of the parts, or cards that are not divided.
finding-gpu-pool-no-such-slice = There is no part { $name } on this computer
    .detail = The plan asks for a part of a card that is not there. Whoever divides a card anew gives its parts new names.
finding-gpu-pool-divided-without-parts = { $name } is set to be divided, and no part was made
    .detail = With MIG switched on and no part made, no program can compute on the card.

# Your training, or your card?
finding-gpu-pool-memory-defective = The memory of { $name } is failing
    .detail = Spare rows for failed ones are used up. Trainings on this card will break off or learn nonsense; that is the card's fault.
finding-gpu-pool-memory-repair-pending = { $name } has memory errors that a restart repairs
    .detail = The card found rows of its memory that fail and puts spare ones in their place when it is started anew.
finding-gpu-pool-memory-errors-before = { $name } had memory errors, and put spare memory in their place
    .detail = It works as before. If trainings break off on this card and on no other, suspect the card.
finding-gpu-pool-throttled-by-heat = { $name } is slowed down by heat
    .detail = Training works, but takes longer until the card is cooled better.
finding-gpu-pool-power-brake = { $name } is slowed down by its power supply
    .detail = The card, or the power supply, protects itself. A weak supply or a loose cable ends trainings sooner or later.
finding-gpu-pool-power-set-low = { $name } is set to draw less power than usual
    .detail = Somebody set a lower limit. Training works, only slower.
finding-gpu-pool-slow-link = { $name } is connected slower than it could be
    .detail = Images reach the card more slowly. Often it sits in the wrong slot or not quite in it.
finding-gpu-pool-card-reported-faults = { $name } reported faults of its own since the computer was started
    .detail = These reports of the driver point to the card, its power or its slot, not to what was computed. If a training broke off, this may be why.
finding-gpu-pool-program-reported-faults = A program on { $name } did something wrong since the computer was started
    .detail = These reports of the driver point to the program that computed, not to the card.

# Several cards.
finding-gpu-pool-cards-differ = The chosen cards are not alike
    .detail = Each gets the same share of a batch: the one with the least memory decides how large it may be, and the slowest how fast it goes.
finding-gpu-pool-several-on-windows = Training on several cards is slow and delicate on Windows
    .detail = NVIDIA's library for cards that work together (NCCL) exists for Linux only. One card, or Linux, is the better choice.

# Apple's own GPU.
finding-gpu-pool-apple-gpu = Apple's GPU will train
    .detail = It shares its memory with the whole computer.
finding-gpu-pool-no-apple-gpu = This computer has no GPU of Apple's
    .detail = The plan asks for it (mps). Choose one of the devices that are here.
finding-gpu-pool-apple-gpu-offered = Apple's GPU can train
    .detail = It is usually faster than the processor. Choose it in the plan.

# What programs see.
finding-gpu-pool-hidden-from-programs = Programs started here see no graphics card
    .detail = CUDA_VISIBLE_DEVICES hides them all. Trainings of this app are started without that variable and see every card.
finding-gpu-pool-other-numbers-for-programs = Programs started here see { $first } as card 0
    .detail = CUDA_VISIBLE_DEVICES makes them count otherwise than this app, which calls it card { $index }. Trainings of this app are started without that variable.
finding-gpu-pool-numbers-unclear-for-programs = Programs started here may count the cards otherwise
    .detail = Without CUDA_DEVICE_ORDER=PCI_BUS_ID the fastest card is number 0 for them, whichever that is. Trainings of this app always count as shown here.
finding-gpu-pool-other-maker = The graphics card here is { $vendor }'s
    .detail = Trainings use cards with NVIDIA's CUDA; this one is left alone, and the processor trains.

# NVIDIA's driver.
finding-driver-told-by-program = The cards were seen through nvidia-smi
    .detail = The driver's library could not be loaded, so some values are missing here. Trainings are not affected by that.
finding-driver-card-beyond-knowledge = { $name } is newer than what this app knows
    .detail = Its tables end in { $date }. Whether torch runs on this card is found out by trying: use a trial run before a long training.
finding-driver-fits-forward = The NVIDIA driver { $driver } serves CUDA { $serves }, and torch { $torch } works with it all the same
finding-driver-ptx-too-new = torch { $torch } will probably not run on { $name } with this driver
    .detail = It has no finished code for compute capability { $capability }, only a form that the driver must translate; and a driver for CUDA { $serves } does not understand what CUDA { $needs } wrote.
finding-driver-device-file-closed = This user may not use { $path }
    .detail = The driver works, but programs of this user cannot reach the card through that file.
finding-driver-uvm-missing = A part of the driver is missing: /dev/nvidia-uvm
    .detail = The card is seen, but nothing can be computed on it: often after sleep or an update, or in a container that was not given this file.
finding-driver-driver-not-installed-wsl = Windows does not hand its graphics driver to this Linux
    .detail = In WSL the driver is the one of Windows. None may be installed inside Linux.
finding-driver-nouveau-holds-card = The card is held by nouveau, a driver that cannot compute
    .detail = NVIDIA's own driver is needed for training.
finding-driver-module-missing = The NVIDIA driver was not built for the running kernel
    .detail = This happens after an update of the kernel: the driver's module has to be built again for it.
finding-driver-module-refused = Secure Boot refuses the NVIDIA driver
    .detail = The driver is installed, but the computer only loads modules that are signed with a key it knows.

# What else a training needs.
finding-data-shared-memory-too-small = There is too little shared memory for { BYTES($need) } of images on their way
    .detail = Processes that read images hand them over through /dev/shm, where { BYTES($free) } are free. Trainings then end with a “Bus error”.
finding-data-shared-memory-short = Shared memory may not be enough
    .detail = Up to { BYTES($need) } of images are on their way through /dev/shm, where { BYTES($free) } are free.
finding-data-few-watches = Large datasets may not be seen changing
    .detail = This user may watch few folders at once. Training is not affected.
finding-memory-paging-file-small = Windows' paging file is small
    .detail = Each process that reads images reserves several GB when it loads torch, most of it never used. Where Windows cannot promise them, it ends with “The paging file is too small”.
finding-start-few-open-files = Only { $files } files may be open at once
    .detail = Processes that read images may fail with “Too many open files”.
finding-start-processor-busy = The processor has much to do already
    .detail = Reading images will be slower than usual.
finding-start-clock-wrong = This computer's clock is wrong
    .detail = Downloads and sign-ins fail where the date is far off.
finding-start-temporary-space-short = There is little space for temporary files
    .detail = { $path } has { BYTES($free) } free.

# What was seen.
fact-compute-mode = Compute mode
fact-compute-capability = Compute capability
fact-kernel-log = Kernel log
fact-kernel-module = Kernel module
fact-mig-part = Part
fact-mig-part-memory = Part, { BYTES($free) } of { BYTES($total) } free
fact-gpu-run = Training of this app on the card
fact-remapped-rows = Replaced rows of memory
fact-retired-pages = Retired pages of memory
fact-ecc-uncorrected = Memory errors that could not be corrected
fact-throttled = Slowed down by
fact-temperature = Temperature
fact-power-limit = Power limit, now and usual
fact-pcie-link = Connection, now and possible
fact-cuda-visible-devices = CUDA_VISIBLE_DEVICES
fact-cuda-device-order = CUDA_DEVICE_ORDER
fact-display-adapter = Display adapter
fact-shared-memory = Shared memory free
fact-paging-file = Paging file free
fact-open-files = Files open at once
fact-watches = Watched folders
fact-load = Load and cores
fact-clock = Seconds since 1970

# What helps.
remedy-set-compute-mode = Have an administrator allow computing: nvidia-smi -i { $index } -c DEFAULT
remedy-make-mig-parts = Have an administrator make parts, or switch MIG off: nvidia-smi -i { $index } -mig 0
remedy-use-slice = Use the part { $name }
remedy-use-apple-gpu = Use Apple's GPU
remedy-open-run = Show the training { $run }
remedy-cancel-run = End the training { $run }
remedy-replace-card = Train on another card and have this one replaced
remedy-improve-cooling = Clean filters and fans, and give the computer more air
remedy-check-power = Have the card's power cables, power supply and slot checked
remedy-reseat-card = Have the card put into the fastest slot, firmly
remedy-end-process = End { $name } ({ $pid })
remedy-install-torch-for = Install torch for CUDA { $cuda }
remedy-update-driver-to = Update the NVIDIA driver to { $driver } or newer from nvidia.com/drivers and restart the computer
remedy-card-no-longer-served = Use another card: no torch that is still published has code for this one
remedy-install-cuda-compat = Or have the package { $package } installed, which NVIDIA offers for data centre cards
remedy-load-uvm = Restart the computer, or load the module: sudo modprobe nvidia_uvm
remedy-install-windows-driver = Install NVIDIA's driver in Windows and run: wsl --shutdown
remedy-enrol-key = Enrol the driver's key (mokutil) or switch Secure Boot off, and restart the computer
remedy-no-workers = Read images without extra processes (workers = 0)
remedy-larger-shared-memory = Start the container with more: --shm-size 8g or --ipc host
remedy-enlarge-paging-file = Let Windows manage the paging file, on a disk with space
remedy-raise-open-files = Allow more: ulimit -n 4096
remedy-raise-watches = Have an administrator raise fs.inotify.max_user_watches
remedy-set-clock = Turn on automatic time in the system's settings

# The page of cards.
nav-gpu = GPU
gpu-summary = { $free } of { $count } free · driver { $driver } · CUDA up to { $cuda }
gpu-chart-memory = Memory
gpu-chart-utilization = Utilisation
gpu-chart-temperature = Temperature
gpu-chart-power = Power
gpu-no-holders = No program holds memory on it.
gpu-slices = Parts
gpu-part-memory = { BYTES($used) } of { BYTES($total) } used
gpu-run = training { $run }
gpu-not-told = not told
gpu-clock = { $mhz } of { $max } MHz
gpu-link = PCIe { $generation }.0 × { $width }
gpu-mode-exclusive = one program at a time
gpu-mode-prohibited = no programs
gpu-tell = Tell me when it is free
gpu-tell-stop = Do not tell me
examine-title = This computer
examine-about = Driver, training environment and what lies around them, with a small computation to be sure.
examine = Look at everything
end-process-title = End { $name } ({ $pid })?
end-process-about = It is asked to end, and made to after a few seconds.
end-process-warning = What it has not saved is lost. A training of this app is better ended on its own page.
end-process = End it
start-when-free = Start when free
start-waiting = Waiting for the card
wait-tell = You will be told when { $what } is free
wait-tell-about = Keep the app open. Only one thing is waited for at a time.
wait-start = The training on { $what } starts when its card is free
wait-start-about = Everything is checked once more just before. Keep the app open.
wait-since = Has waited { $time }.
wait-stop = Wait no longer
wait-free = { $what } is free
wait-started = The training on { $what } has started
wait-look = Show it
wait-stopped = The training on { $what } was not started
wait-review = Go to the plan
notice-card-free = A graphics card is free
notice-card-free-text = { $name }
notice-started = A training that waited has started
notice-not-started = A training that waited cannot start
notice-waited-text = { $name }
problem-gpu-not-your-program = Program { $pid } is not on a graphics card, or is not yours
    .help = Look at the cards again: it may have ended by itself.
problem-gpu-does-not-end = Program { $pid } does not end
    .help = It may be stuck in the driver. Restarting the computer ends it.
