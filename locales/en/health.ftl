### How a run goes while it goes.

finding-train-stalled = No progress for { DURATION($seconds) }
    .detail = { $doing ->
        [idle] The trainer is there, but neither it nor the graphics card does anything: most often it waits for a file on a slow or lost drive, or for one of its own processes that is stuck.
        [busy] The trainer is at work but finishes no step. It may be caught in an endless calculation, or the graphics card no longer answers.
       *[unknown] The trainer is there but finishes no step.
    }
finding-train-not-finite = The losses are no numbers any more, since epoch { $epoch }, step { $step }
    .detail = From here on the model learns nothing. Newer trainers go back to the last weights by themselves, a few times; this goes away after an epoch that is sound from start to end.
finding-train-slower = Training has become { DECIMAL($times) } times slower
    .detail = Compared with what this run itself once managed, validation left out. Most often another program has begun to use the graphics card, the processor or the disk.
finding-data-loading-slow = Loading images takes { PERCENT($share) } of the time
    .detail = The model waits for images more than it learns. Faster loading makes this training faster; a faster graphics card would not.
finding-memory-ram-nearly-full = The computer’s memory is nearly full
    .detail = { BYTES($free) } are left. When nothing is left, the system ends a program to get some back, and the training is the largest one.
finding-memory-gpu-nearly-full = The card’s memory is { $percent } full
    .detail = { BYTES($free) } are left. An image with more objects than those before, or another program on the card, ends the training.
finding-memory-batch-halved = The trainer made the batch smaller, from { $before } to { $batch }
    .detail = The card’s memory ran out, so the trainer began anew with fewer images per step. The training goes on, but not as it was planned.
finding-start-disk-running-out = The disk is filling up
    .detail = { BYTES($free) } are left. What the rest of this training writes will not fit if this goes on.
finding-gpu-pool-lost = The graphics card is lost
    .detail = The driver says that the card no longer answers. The training cannot go on with it.
finding-gpu-pool-too-hot = The graphics card is too hot and slows itself down
    .detail = It is safe, but the training takes longer.
fact-since-last-step = Since the last step
fact-usual-step = A step usually takes
fact-cpu-use = Use of a processor core
fact-gpu-use = Use of the graphics card
fact-losses-not-finite = No numbers
fact-step-now = A step takes now
fact-step-before = It took before
fact-loading-share = Time spent waiting for images
fact-memory-of-run = Held by the training
fact-disk-need = The training still needs at least
fact-disk-falls = Free space falls by
fact-gpu-temperature = Temperature
fact-effective-batch = Images per step
remedy-read-log = Look at the end of the log: it says what the trainer was doing.
remedy-start-again = If nothing moves for much longer, end the training and start it again.
remedy-lower-learning-rate = Train again with a lower learning rate (lr0), for example a tenth.
remedy-without-mixed-precision = Or train again without mixed precision (amp = false).
remedy-see-what-else-runs = See what else runs on this computer and on the card.
remedy-more-workers = Use more image loaders, as far as the processor has free cores.
remedy-cache-images = Keep the images in memory (cache = "ram") if they fit, or put them on a faster disk.
remedy-fewer-workers = Next time use fewer image loaders, or no image cache in memory.
remedy-restart-after-loss = Restart the computer. If it happens again, the card, its cable or its power supply is at fault.
remedy-cool-card = Give it air: dust, fans, room around the case. Or lower its power limit.

# The run page.
run-loading = Loading images
run-stalled = No progress for { DURATION($seconds) }

# The settings page.
settings-training = While a training runs
settings-keep-awake = Keep the computer awake
settings-keep-awake-about = It does not fall asleep by itself until the training is over. The screen still goes dark, and closing the lid still puts it to sleep.
settings-resume = Go on after a restart
settings-resume-about = Trainings that were cut off when the computer was turned off or restarted go on by themselves once the app is opened.
settings-notifications = Notifications
settings-notifications-about = The desktop tells when a training finishes, fails, pauses by itself or no longer moves on, also while this window is closed.

# What the desktop tells.
notice-succeeded = Training finished
notice-failed = Training failed
notice-paused = Training rests: the disk is full
notice-stalled = Training no longer moves on
notice-run = { $dataset } · { $model }
notice-result = { $dataset } · { $model }: mAP50 { DECIMAL($map50, digits: 3) }
notice-why = { $dataset } · { $model }: { $why }
finding-start-not-kept-awake = The computer may fall asleep during the training
    .detail = The system did not agree to stay awake. A computer that sleeps does not train; the training goes on when it wakes up.
fact-system-answer = The system’s answer
remedy-no-automatic-sleep = Turn off automatic sleep in the system’s power settings while it trains.
