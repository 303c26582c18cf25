### window

# The system's dialogs.
window-dialog-dataset-folder = Choose the dataset's folder
window-dialog-dataset-file = Choose the dataset's data.yaml
window-dialog-dataset-files = Dataset descriptions
window-dialog-weights = Choose a weights file
window-dialog-weights-files = PyTorch weights
window-dialog-open-plan = Open a plan
window-dialog-save-plan = Save the plan
window-dialog-plans = Plans

# What the window could not do.
problem-window-not-opened = The window could not be opened.
problem-window-no-desktop = There is no desktop to open a window on.
    .help = In a terminal, use the command `preflight`: it checks and trains without a window.
problem-run-blocked = The training was not started: something blocks it ({ $codes }).
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
