### A look at the computer alone.

cli-doctor = Says whether this computer is fit for training: cards, driver, environment, limits
cli-arg-watch = Look again about once a second, until Ctrl+C
cli-arg-times = With --watch: look this many times and end
cli-arg-without-computing = Leave out computing a little in the environment
cli-doctor-looking = Looking at this computer…
doctor-system = System
doctor-processor = Processor
doctor-memory = Memory free
doctor-swap = Swap free
doctor-shared-memory = Shared memory free
doctor-open-files = Files open at once
doctor-watches = Watched folders
doctor-load = Load
volume-for-runs = Disk for runs
volume-for-environment = for the environment
volume-for-temporary = for temporary files
volume-for-dataset = for the dataset

finding-driver-computes = torch computes on { $name }, tried in { DURATION($seconds) }
finding-driver-does-not-compute = torch fails on the graphics card
    .detail = The card, the driver and torch look as if they fit, but a small computation failed ({ $step }).
finding-image-computes = torch computes on the processor, tried in { DURATION($seconds) }
finding-image-does-not-compute = torch fails on the processor
    .detail = The environment loads, but a small computation failed ({ $step }).
fact-torch-error = torch's own words
