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
link-ok = fine
link-warning = warning
link-unknown = unknown
link-blocker = blocked

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
reason-still-looking = It is still being looked at.
reason-no-answer = There was no answer within { $seconds } seconds.
reason-system-error = The system reported an error: { $error }
reason-no-dataset-chosen = No dataset has been chosen yet.
remedy-look-again = Look again
