### The dataset step of the window: images, problems, health, fixing, importing.

# What could not be done.
problem-dataset-busy = Something else is being done with a dataset right now.
    .help = Wait until it is done, or cancel it.
problem-dataset-nothing-proposed = What was to be written is no longer known.
    .help = Open the dialog again: it is thought through once more.

# The system's dialogs.
window-dialog-target-folder = Choose the folder to put it into
window-dialog-save-report = Save the report
window-dialog-reports = Reports

# Reading.
dataset-cancelled = Reading was stopped
dataset-cancelled-about = What was read so far is kept: reading goes on from there when you want it.
dataset-go-on = Go on
dataset-looked-for = Changes on the disk are looked for every few seconds.

# The panels.
panels = Parts of the dataset
panel-overview = Overview
panel-images = Images
panel-problems = Problems
panel-problems-counted = Problems ({ $count })
panel-health = Health

# The gallery.
gallery-again = Try again
gallery-none = No image is like this
gallery-place = Image { $index }
filter-title = Narrow down
filter-every-split = All
filter-every-class = Any class
filter-every-finding = Any problem
filter-finding = Problem
filter-name = File name
filter-counted = { $label } ({ $count })
filter-shown = { $shown } of { $all } images
filter-clear = Show all
class-unknown = class { $id }, not declared

# The viewer.
viewer-place = { $index } of { $total }
viewer-keys = Plus and minus zoom, 0 fits, 1 shows actual size, drag moves
viewer-loading = Loading
viewer-missing = This file is no longer in the dataset.
viewer-smaller = Smaller (−)
viewer-larger = Larger (+)
viewer-fit = Fit (0)
viewer-boxes = Draw the boxes
viewer-refused = refused by the trainer
viewer-findings = What is wrong
viewer-rows = Rows of the label file
viewer-more-rows = and { $count } more
viewer-no-label = No label file: nothing is to be found on it.
viewer-no-rows = No row that draws anything.
viewer-files = Files
viewer-size = { $width } × { $height } px

# Problems.
problems-blocker = { $count ->
    [one] { $count } problem stops the training
   *[other] { $count } problems stop the training
}
problems-warning = { $count ->
    [one] { $count } problem makes the result worse
   *[other] { $count } problems make the result worse
}
problems-unknown = Could not be looked at
problems-note = Worth knowing
problems-none = Nothing is wrong
problems-none-about = Every image and every label file is as the trainer wants it.
problem-images = { $count ->
    [one] { $count } image
   *[other] { $count } images
}
problem-more = { $count } more
problem-show = Show these images
problem-example = Open the example { $name }
problem-convert = Convert
problem-mend-labels = Fix on a copy
problem-mend-split = Choose validation images
problem-mend-tiles = Cut into tiles
problem-source = Source: { $source }

# The second look.
closer-title = Look closer
closer-about = Reads every byte and decodes every image: finds images that are in training and validation at once, duplicates, boxes that are too small, rare classes and more.
closer-begin = Look closer
closer-looking = Looking closer
closer-cancelled = Stopped. Nothing of it was kept.
job-of = { $done } of { $total }

# Health.
health-empty = Not looked at yet
health-classes = Objects per class
health-class-count = { $objects } on { $images } images
health-split = { $split }: { $images } images
health-places = Where objects are
health-sizes = How large objects are
health-left-right = left – right
health-top-bottom = bottom – top
health-width = width: small – whole image
health-height = height: whole – small
health-map = { $caption }, up to { $most } in one cell
health-objects = Images by number of objects
health-objects-most = at most { $most } on one
health-images = Image sizes, the most frequent
health-report = Report
health-fingerprint = Fingerprint
health-took = { $bytes } read in { $seconds }.
report-save-html = Save as page (HTML)
report-save-json = Save for programs (JSON)
report-saved = Saved as { $name }.
suggestions-title = What would make it better
suggestions-none = Nothing to suggest.
suggestion-other-size = Small objects were judged for images of { $then } px; the plan now says { $now } px.
suggestion-look-again = Look again
suggestion-more = { $count ->
    [one] { $count } of { $all } classes has fewer than { $recommended } training images. More help, most of all where results are weak.
   *[other] { $count } of { $all } classes have fewer than { $recommended } training images. More help, most of all where results are weak.
}
suggestion-more-source = Ultralytics, Tips for best training results: at least 1,500 images per class

# A mended copy.
mend-open = Fix on a copy
mend-title = A fixed copy
mend-about = Your dataset stays as it is. What can be fixed is written into a new folder; undoing it is deleting that folder.
mend-choices = What is fixed
mend-choice-labels = Fix label files
mend-choice-labels-hint = Encodings, decimal commas, pixels, boxes beyond the edge, repeated rows. Rows that are right stay to the letter.
mend-choice-leave-out = Leave out broken images
mend-choice-leave-out-hint = Images the trainer refuses whatever is done to their labels.
mend-choice-val = Choose validation images
mend-choice-val-hint = Every class keeps its share, and images that look the same stay on one side.
mend-choice-share = Share for validation
mend-choice-seed = Seed
mend-choice-tile = Cut large images into tiles
mend-choice-tile-hint = Tiles overlap by a fifth. A tile keeps a box of which it shows a tenth of the area and two pixels of each side: the trainer’s own rule.
mend-choice-side = Side of a tile
mend-planning = Working out what would change
mend-comparing = Comparing images, so that those alike stay together
mend-cancelled = Stopped
mend-again = Try again
mend-nothing = There is nothing to fix
mend-write = Write { $images } images
mend-write-plain = Write the copy
mend-writing = Writing the copy
mend-done = The fixed copy is ready
mend-undo = To undo this, delete the folder.
mend-later = Not now
making-use = Use it in the plan
making-cancelled = Stopped. Nothing was left behind.
diff-title = What would change
diff-files = { $count ->
    [one] { $count } label file changes
   *[other] { $count } label files change
}
diff-left-out = { $count ->
    [one] { $count } image is left out
   *[other] { $count } images are left out
}
diff-to-val = { $count ->
    [one] { $count } image becomes validation
   *[other] { $count } images become validation
}
diff-cut = { $cut } images become { $tiles } tiles
diff-more-rows = { $count } more rows
diff-more-files = Show more ({ $count } files)
diff-more-images = and { $count } more images
mended-recoded = saved as UTF-8
mended-commas = commas
mended-pixels = pixels to shares
mended-clipped = cut at the edge
mended-empty = removed: not on the image
mended-duplicate = removed: there already

# A dataset made of what a person has.
target-folder = New folder
target-folder-hint = Empty, or not there yet.
target-folder-choose = Choose …
unpack-title = Unpack { $name }
unpack-about = The archive stays as it is. Links and names that lead out of the folder are left out.
unpack-size = { $bytes }, packed.
unpack = Unpack
unpack-go-on = Go on
unpacking = Unpacking
convert-title = Convert { $name }
convert-about = The trainer reads its own form only. Images are copied into a new folder; yours stays as it is.
convert-task = For
convert-form = Annotations
convert-objects = Objects
convert-classes = Classes
convert-unlisted = In no split
convert-reading = Reading the annotations
convert-reading-cancelled = Reading the annotations was stopped
convert-not = What is not taken over as it is
convert-all = Everything can be taken over.
convert-where = Where
convert = Convert
converting = Converting
convert-done = Converted
form-coco = COCO
form-pascal-voc = Pascal VOC
form-label-me = LabelMe
form-cvat = CVAT
form-label-studio = Label Studio
task-detect = Boxes
task-segment = Outlines
task-obb = Rotated boxes
task-pose = Key points
