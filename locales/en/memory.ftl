### Memory of graphics cards and computers: need against supply.

finding-memory-unknown = It is not known how much memory is free
    .detail = The training needs about { BYTES($expected) }, between { BYTES($low) } and { BYTES($high) }.
finding-memory-own-model-unknown = It is not known how much memory your own model needs
    .detail = It is no published model. One training step in the training environment tells; it takes about ten seconds, and is kept.
finding-memory-fits = The memory is enough: about { BYTES($expected) } of { BYTES($supply) }
finding-memory-tight = The memory is tight: the training needs { BYTES($low) } to { BYTES($high) }, { BYTES($supply) } are free
    .detail = It will probably work. A smaller batch or smaller images make it safe.
finding-memory-cuda-oom-likely = The card's memory is probably too small: { BYTES($expected) } are needed, { BYTES($supply) } are free
    .detail = The training needs between { BYTES($low) } and { BYTES($high) }. Use a smaller batch, smaller images or a smaller model.
finding-memory-cuda-oom-foreseen = The card's memory is too small: at least { BYTES($low) } are needed, { BYTES($supply) } are free
    .detail = Training would stop in its first steps. Use a smaller batch, smaller images or a smaller model.
finding-memory-cuda-oom-other-process = Other programs hold memory of the card that the training needs
    .detail = About { BYTES($expected) } are needed and { BYTES($supply) } are free now. The card is large enough once those programs are done.
finding-memory-host-ram-oom-likely = This computer's memory is probably too small: { BYTES($expected) } are needed, { BYTES($supply) } are free
    .detail = The training needs between { BYTES($low) } and { BYTES($high) }. When memory runs out, the system ends the training or becomes very slow.
finding-memory-host-ram-oom-foreseen = This computer's memory is too small: at least { BYTES($low) } are needed, { BYTES($supply) } are free
    .detail = When memory runs out, the system ends the training or becomes very slow. Use a smaller batch, smaller images or a smaller model.

# What the memory is needed for.
memory-part-context = CUDA itself
    .about = What NVIDIA's driver takes for every program that computes on the card, whatever it does.
memory-part-process = Python and its libraries
    .about = The Python process with torch and Ultralytics loaded, before the first image is read.
memory-part-workspace = Working memory of the libraries
    .about = Space in which the fastest way to compute each layer works.
memory-part-weights = Weights
    .about = The numbers the model consists of. Larger models have more.
memory-part-gradients = Gradients
    .about = For each weight, the direction in which it has to change.
memory-part-average = Averaged weights
    .about = A second, smoothed copy of the weights. It is the one that is measured and saved.
memory-part-optimizer = Optimizer
    .about = What the optimizer remembers about each weight.
memory-part-activations = Intermediate results of the images
    .about = What every layer made of the images of a batch; needed to learn from them. Grows with the batch and with the area of the images.
memory-part-images = Images
    .about = The images of the batches that wait to be trained on.
memory-part-objects = Outlines, key points or angles of the boxes
    .about = What is compared for each box beyond its place. Grows with the number of boxes.
memory-part-assignment = Matching boxes to predictions
    .about = Working out which prediction belongs to which box. Grows with the most boxes in one image.

fact-gpu-memory-free = Free memory of the card
fact-memory-available = Free memory

remedy-smaller-batch = Use a batch of { $batch }
remedy-close-programs = Close other programs
