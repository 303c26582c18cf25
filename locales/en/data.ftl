### Datasets: what can be wrong with them, and what helps.

# What could not be done.
problem-dataset-not-found = There is nothing at { $path }
    .help = Check the path. A drive may be disconnected, or the folder may have been moved or renamed.
problem-dataset-unreadable = { $path } cannot be read
    .help = Check that you have the right to read it and that its drive is connected.
problem-dataset-not-a-dataset = { $path } is not a dataset
    .help = { $kind ->
        [archive] It is a packed file. Unpack it first, then choose the folder that comes out of it.
       *[other] Choose a data.yaml, or the folder that holds the images and labels folders.
    }
problem-dataset-cancelled = Reading the dataset was stopped
problem-dataset-tiles-need-boxes = Images with outlines cannot be cut into tiles: { $path }
    .help = Cutting is for boxes. Leave out --tile, or convert the outlines to boxes first.
problem-dataset-no-split = The dataset has no { $split } images
problem-image-unreadable = { $path } cannot be shown as an image

# What was seen.
fact-looked-in = Looked in
fact-used-instead = Used instead
fact-looked-for-label = Looked for the label file
fact-boxes = Boxes

# What helps.
remedy-open-file = Open { $file }

# The declaration.
finding-data-yaml-invalid = The dataset's YAML file is not valid in line { $line }
    .detail = { $message }. Often a tab, a missing space after a colon or an unclosed bracket or quote is to blame.
finding-data-yaml-not-a-mapping = The dataset's YAML file holds no settings
    .detail = It has to consist of lines such as “train: images/train”, “val: images/val” and “names: [scratch, dent]”.
finding-data-yaml-wrong-type = “{ $key }” in the YAML file is not what it should be
    .detail = { $expected ->
        [text] It has to be one path
        [list] It has to be a list, such as “[17, 3]”
        [text-or-list] It has to be a path or a list of paths
       *[list-or-mapping] It has to be a list, or a numbered list such as “0: scratch”
    }, but it is “{ $value }”.
finding-data-no-train = The dataset does not say where the training images are
    .detail = Add a line such as “train: images/train” to its YAML file, or put the training images in images/train.
finding-data-no-val = The dataset has no validation images
    .detail = The trainer needs images it has not learned from to measure how good the model is. Move about a fifth of the images to images/val and their label files to labels/val. In a YAML file, write “val: images/val”.
finding-data-no-split = The images are not split into training and validation
    .detail = The trainer needs images it has not learned from to measure how good the model is. Put about four fifths of the images in images/train and the rest in images/val, and their label files in labels/train and labels/val.
finding-data-class-names-made-up = Nothing in the folder names the classes: they will be called { $names }
    .detail = The names become a part of the model. If there is a data.yaml with the names, choose it instead of the folder. If there is none, write the names into a file classes.txt in the folder, one a line, in the order of the ids in the label files.
finding-data-no-names = The dataset does not name its classes
    .detail = Add a line such as “names: [scratch, dent, hole]” to its YAML file, in the order of the ids in the label files.
finding-data-no-classes = The dataset has no classes
    .detail = Write the name of at least one class after “names:” in its YAML file.
finding-data-class-count-invalid = The number of classes (“nc: { $value }”) is not a whole number
    .detail = Correct it, or remove the line: the number of names says the same.
finding-data-class-count-mismatch = The YAML file says { $nc } classes and names { $names }
    .detail = Correct the names, or remove the line “nc”: the number of names says the same.
finding-data-class-ids-invalid = The class ids in the YAML file are not 0, 1, 2, … without a gap (at “{ $id }”)
    .detail = Number the names from 0 on without leaving a number out, in the order of the ids in the label files.
finding-data-class-name-not-text = The class name “{ $name }” is not what you wrote
    .detail = In YAML, unquoted words such as no, yes, on, off and null and numbers with a leading zero mean something else. Put the name in quotes.

# Where the images are.
finding-data-split-missing = The { $split ->
        [train] training
       *[val] validation
    } images are not where the YAML file says: { $written }
    .detail = Correct the path in the YAML file, or move the images there.
finding-data-test-missing = The test images are not where the YAML file says: { $written }
    .detail = Training does not use them.
finding-data-split-empty = There are no { $split ->
        [train] training
       *[val] validation
    } images
    .detail = The folder is there, but it holds no image. Check that it is the right one.
finding-data-split-unsupported = The { $split ->
        [train] training
       *[val] validation
    } images are in a format the trainer does not read: { $endings }
    .detail = Convert them to JPEG or PNG.
finding-data-list-unreadable = The list of images cannot be read
    .detail = It has to be a UTF-8 text file with the path of one image a line.
finding-data-folder-unreadable = { $count ->
        [one] A folder cannot be opened
       *[other] { $count } folders cannot be opened
    }
    .detail = The images in it would be missing from the training. Give yourself the right to read it.
finding-data-folder-loop = A linked folder leads back into itself
    .detail = Its images are used once. Remove the link.
finding-data-folder-repeated = A folder is reached by more links than can be followed
    .detail = Links lead to folders of links. Its images are taken 16 times; the trainer by itself would take them far more often. Remove all links but one.
finding-data-moved = The images are not where the YAML file says, but beside it
    .detail = The dataset was probably made on another computer. The images that were found are used; nothing needs to be changed.
finding-data-list-relative = { $count ->
        [one] A path in the list of images is
       *[other] { $count } paths in the list of images are
    } relative to a folder the list does not name
    .detail = They were looked for beside the list and in the dataset's folder.

# Images.
finding-data-no-usable-image = None of the { $count } { $split ->
        [train] training
       *[val] validation
    } images can be used
    .detail = The other findings say what is wrong with each.
finding-data-image-missing = { $count ->
        [one] An image of the list is
       *[other] { $count } images of the list are
    } not there
    .detail = The trainer leaves them out.
finding-data-image-unreadable = { $count ->
        [one] An image file cannot be read
       *[other] { $count } image files cannot be read
    }
    .detail = The trainer leaves them out. Give yourself the right to read them, or remove them.
finding-data-image-empty = { $count ->
        [one] An image file is empty
       *[other] { $count } image files are empty
    }
    .detail = The trainer leaves them out. They were probably not copied or downloaded completely.
finding-data-image-truncated = { $count ->
        [one] An image file ends too early
       *[other] { $count } image files end too early
    }
    .detail = The trainer leaves them out. They were probably not copied or downloaded completely.
finding-data-image-damaged = { $count ->
        [one] An image file is damaged or is no image
       *[other] { $count } image files are damaged or are no images
    }
    .detail = The trainer leaves them out.
finding-data-image-wrong-format = { $count ->
        [one] An image file is
       *[other] { $count } image files are
    } in a format the trainer does not read, whatever the name says ({ $format })
    .detail = The trainer leaves them out. Convert them to JPEG or PNG.
finding-data-image-needs-heif = { $count ->
        [one] An image is
       *[other] { $count } images are
    } in the HEIC format of phones
    .detail = The trainer leaves them out. Convert them to JPEG.
finding-data-image-too-small = { $count ->
        [one] An image is
       *[other] { $count } images are
    } smaller than 10 pixels
    .detail = The trainer leaves them out.
finding-data-image-too-large = { $count ->
        [one] An image has
       *[other] { $count } images have
    } more than 178 million pixels
    .detail = The trainer leaves them out. Cut them into smaller images.
finding-data-image-repaired = { $count ->
        [one] A JPEG file does
       *[other] { $count } JPEG files do
    } not end where the image ends
    .detail = The trainer writes such files anew. It is given copies; your files stay as they are.

# Labels.
finding-data-no-labels = None of the { $count } training images has a label file
    .detail = The label file of images/train/a.jpg has to be labels/train/a.txt. Without labels there is nothing to learn.
finding-data-no-boxes = None of the { $count } training images has a box
    .detail = All label files are empty. Without boxes there is nothing to learn.
finding-data-label-unreadable = { $count ->
        [one] A label file cannot be read
       *[other] { $count } label files cannot be read
    }
    .detail = The trainer would leave out their images. Give yourself the right to read them.
finding-data-label-too-large = { $count ->
        [one] A label file is
       *[other] { $count } label files are
    } far too large for one image
    .detail = A label file has one line for each object. Check where this one comes from.
finding-data-label-utf16 = { $count ->
        [one] A label file is
       *[other] { $count } label files are
    } saved as UTF-16 (“Unicode”)
    .detail = The trainer reads UTF-8 only and would leave out the images. Save the files as UTF-8.
finding-data-label-binary = { $count ->
        [one] A label file is
       *[other] { $count } label files are
    } not text
    .detail = The trainer would leave out the images. Check where these files come from.
finding-data-label-not-utf8 = { $count ->
        [one] A label file is
       *[other] { $count } label files are
    } not saved as UTF-8
    .detail = The trainer would leave out the images. Save the files as UTF-8.
finding-data-label-mixed = { $count ->
        [one] A label file mixes
       *[other] { $count } label files mix
    } boxes and outlines
    .detail = The trainer would leave out the images. A label file has to hold either boxes (5 columns) or outlines.
finding-data-label-columns = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } lines with the wrong number of columns ({ $columns })
    .detail = The trainer would leave out the images. A line is “class x y width height”: 5 columns, separated by spaces.
finding-data-label-outline = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } outlines with a coordinate missing
    .detail = The trainer would leave out the images. A line is “class x y x y …”, with a y for every x.
finding-data-label-decimal-comma = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } commas in the numbers
    .detail = The trainer would leave out the images. Numbers are written with a point (0.5), columns are separated by spaces.
finding-data-label-not-a-number = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } something in it that is not a number
    .detail = The trainer would leave out the images. A line is “class x y width height”, where class is a number, not a name.
finding-data-label-out-of-bounds = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } coordinates beyond the image ({ $value })
    .detail = The trainer would leave out the images. Coordinates are shares of the image's width and height, between 0 and 1. Values far above 1 are usually pixels: divide them by the image's width or height.
finding-data-label-negative = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } negative values ({ $value })
    .detail = The trainer would leave out the images. Class ids start at 0 and coordinates lie between 0 and 1.
finding-data-label-class-not-whole = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } a class id that is not a whole number ({ $value })
    .detail = The trainer would leave out the images. The class id is the first number of a line.
finding-data-class-out-of-range = { $count ->
        [one] A label file uses
       *[other] { $count } label files use
    } a class that the dataset does not have (id { $class })
    .detail = The trainer would leave out the images. With { $classes } { $classes ->
        [one] class, the only id is 0
       *[other] classes, ids go from 0 to { $last }
    }. Add the missing class to the names in the YAML file, or correct the ids.
finding-data-label-several = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } more than one fault; the trainer names only the first
    .detail = The lines shown here are those it would name. The other findings show the rest.
finding-data-label-duplicates = { $count ->
        [one] A label file names
       *[other] { $count } label files name
    } the same box twice
    .detail = The trainer uses each box once.
finding-data-label-without-image = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } no image
    .detail = The trainer does not use them. Images may be missing or have other names.
finding-data-images-unlabelled = { $count ->
        [one] An image has
       *[other] { $count } images have
    } no label file
    .detail = The trainer takes them as images without any object. If there is something on them, label it; if not, all is well.

# What the task needs.
finding-data-task-needs-labels = The images are only sorted into folders; { $task } needs label files
    .detail = Folders say what is on a whole image. They suit the task classify.
finding-data-task-needs-outlines = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } boxes; { $task } needs outlines
    .detail = The trainer refuses the whole dataset as long as one of its images has boxes only.
finding-data-task-needs-key-points = The dataset declares no key points; { $task } needs them
    .detail = Add a line such as “kpt_shape: [17, 3]” to its YAML file: how many points an object has, and 3 values for each, or 2 without visibility.
finding-data-key-point-values = The YAML file gives each key point { $values } values; the trainer needs 2 or 3
    .detail = The second number of “kpt_shape” is 2 for x and y, or 3 for x, y and visibility.
finding-data-mirroring-length = “flip_idx” lists { $count } key points; the dataset has { $points }
    .detail = It says where each key point is in a mirrored image: one number for each of them. The trainer stops at once if one is missing.
finding-data-mirroring-index = “flip_idx” names the key point { $index }; the last one is { $last }
    .detail = Key points are counted from 0. Training would stop at the first image that is mirrored.
finding-data-mirroring-off = Images are not mirrored while training: the YAML file does not say which key points change places
    .detail = A line “flip_idx” with the number of each key point's counterpart lets the trainer mirror images, which helps with few images.
finding-data-no-train-folder = There is no folder “train”
    .detail = Images that are sorted into classes belong in train/CLASS and val/CLASS. Without these folders the trainer would split them itself and write a second dataset beside this one.
finding-data-no-val-folder = There is no folder “val”
    .detail = The trainer needs images it has not learned from to measure how good the model is. Move about a fifth of each class to val/CLASS.
finding-data-no-class-folders = The folder “train” holds no folders
    .detail = Each class needs a folder of its own, with its images in it.
finding-data-val-is-test = There is no folder “val”, so the trainer measures with the test images
    .detail = The choice of the best epoch then depends on them, and nothing is left to test with.
finding-data-class-folder-unknown = { $count ->
        [one] An image is
       *[other] { $count } images are
    } in a class that the training images do not have
    .detail = The trainer leaves them out.

# What ruins a result though the trainer takes it.
remedy-larger-imgsz = Use { $imgsz } as the image size
remedy-tile-images = Cut the images into tiles, on a copy: preflight dataset FOLDER --fix-to NEW-FOLDER --tile 640
problem-dataset-manifest-unreadable = { $path } does not hold a dataset's content as this program keeps it
finding-data-changed = The dataset has changed
    .detail = { $added } images were added and { $removed } removed; { $images } images and { $labels } label files are different; { $moved } images went to another split.
finding-data-changed-since-run = The dataset has changed since it was last trained with
    .detail = Since the run { $run }: { $added } images were added and { $removed } removed; { $images } images and { $labels } label files are different; { $moved } images went to another split. { $names ->
        [true] The class names are others, too.
       *[other] The class names are the same.
    }
finding-data-boxes-small = { $percent } % of the training boxes are smaller than 8 pixels at the image size { $imgsz }
    .detail = The finest grid of the model has cells of 8 pixels; smaller objects are hardly found. { $keeps ->
        [0] No usual image size keeps them: cut the images into tiles.
       *[other] At the image size { $keeps } nearly all of them are larger. It needs more memory and time.
    }
    .source = the finest grid of the detection heads has cells of 8 pixels (P3, stride 8, in Ultralytics’ model files)
finding-data-crowded = An image has { $count } objects; a model finds { $most } at most
    .detail = Crowded images also need much memory in training. Cut them into tiles, or raise max_det when you use the model.
    .source = Ultralytics’ default max_det = 300
finding-data-class-rare = { $count ->
        [one] A class is on
       *[other] { $count } classes are on
    } no more than { $images } training images: { $names }
    .detail = Models find such classes far worse than others. Add images, or merge the class with a similar one.
    .source = LVIS (Gupta et al., 2019) calls classes on up to 10 images rare
finding-data-class-imbalance = “{ $most }” is { $ratio } times as frequent as “{ $least }”
    .detail = The model will favour the frequent class. Add images of the rare one.
    .source = Buda, Maki and Mazurowski, 2018: accuracy suffers clearly from a ratio of about 50 on
finding-data-class-names-alike = Two classes have nearly the same name: { $names }
    .detail = They are probably one. The model would learn to tell apart what is the same.
finding-data-many-backgrounds = { $percent } % of the training images ({ $count }) have no object
    .detail = Up to 10 % reduce false alarms. If these images are not finished, label them; if there is nothing on them, leave some out.
    .source = Ultralytics, Tips for best training results: up to 10 % background images
finding-data-image-sizes-mixed = Image sides differ between { $smallest } and { $largest } pixels
    .detail = All are scaled to one size for training, so the same object is large on one image and tiny on another.
finding-data-box-sliver = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } boxes that are lines rather than boxes
    .detail = They are two pixels wide or a hundred times as long as wide; the trainer drops such boxes while it trains.
finding-data-box-whole-image = { $count ->
        [one] A label file has
       *[other] { $count } label files have
    } a box around the whole image
    .detail = If that is not meant, the object on it was not marked.
finding-data-box-two-classes = { $count ->
        [one] A label file gives
       *[other] { $count } label files give
    } the same box two classes
    .detail = The model cannot be right about both. Keep one.
finding-data-leak-exact = { $count ->
        [one] An image that is measured with is
       *[other] { $count } images that are measured with are
    } also a training image, as an exact copy
    .detail = The measured quality will look better than it is.
finding-data-leak-near = { $count ->
        [one] An image that is measured with looks
       *[other] { $count } images that are measured with look
    } the same as a training image
    .detail = Frames of one video, and images that were cut, scaled or saved anew, belong on the same side. The measured quality will look better than it is.
finding-data-duplicates-exact = { $count ->
        [one] An image is there twice
       *[other] { $count } images are there more than once
    } in its split
    .detail = They count as often as they are there.
finding-data-duplicates-near = { $count ->
        [one] An image looks
       *[other] { $count } images look
    } the same as another one of its split
    .detail = They add little: the model sees nearly the same twice.
finding-data-image-gray-mixed = { $count ->
        [one] An image is grey
       *[other] { $count } images are grey
    } while others have colours
    .detail = If a class is mostly on grey images, the model may learn the greyness instead of the class.
finding-data-image-sixteen-bit = { $count ->
        [one] An image has
       *[other] { $count } images have
    } more than 8 bits a channel
    .detail = The trainer keeps the upper 8 bits. If the picture uses only a part of its range, it becomes dark: stretch the range before you save it as 8 bits.
finding-data-image-cmyk = { $count ->
        [one] An image is
       *[other] { $count } images are
    } in the colours of printing (CMYK)
    .detail = Colours may look wrong to the model. Convert them to RGB.
finding-data-image-huge = { $count ->
        [one] An image has
       *[other] { $count } images have
    } more than 20 million pixels
    .detail = Decoding them slows every epoch down. Scale them down if the objects stay large enough, else cut them into tiles.
finding-data-image-turned = { $count ->
        [one] An image is
       *[other] { $count } images are
    } turned by its EXIF data
    .detail = The trainer turns them upright. If the labelling tool did not, the boxes lie beside the objects: look at some of them.
finding-data-names-differ-by-case = { $count ->
        [one] An image's name differs
       *[other] { $count } images' names differ
    } from another only in upper and lower case
    .detail = On Windows and macOS they are one file, and one is lost when the dataset is copied there.
finding-data-label-shared = { $count ->
        [one] An image shares
       *[other] { $count } images share
    } the label file of another image
    .detail = Their names differ only in the ending, and the label file's name has none of it. Rename one of them.
finding-data-path-too-long = { $count ->
        [one] An image's path is
       *[other] { $count } images' paths are
    } longer than 259 characters
    .detail = Many programs on Windows cannot open them. Move the dataset to a shorter path.
finding-data-not-downloaded = { $count ->
        [one] An image is
       *[other] { $count } images are
    } not on this computer but in a cloud storage
    .detail = Training would download them one by one. Tell the storage to keep the folder on this computer.
finding-data-slow-drive = The images come slowly from their drive
    .detail = The graphics card will wait for them. Copy the dataset to a fast drive of this computer.

# Other forms.
problem-dataset-nothing-to-convert = Nothing at { $path } can be converted
    .help = COCO, Pascal VOC, LabelMe, CVAT and Label Studio annotations can be. A dataset with a data.yaml needs no conversion.
problem-dataset-folder-not-empty = The folder { $path } is not empty
    .help = Choose a folder that is empty or does not exist yet: nothing that is there is ever overwritten.
problem-dataset-inside-source = { $path } lies inside the dataset itself
    .help = Choose a folder outside of { $source }: the dataset is never written to.
problem-dataset-archive-damaged = The archive { $path } is damaged
    .help = It was probably not downloaded completely. Download it again.
problem-dataset-archive-encrypted = The archive { $path } is protected by a password
    .help = Unpack it yourself, then choose the folder that comes out of it.
problem-dataset-archive-too-large = Far more would come out of { $path } than an archive of images holds
    .help = Such archives are made to fill a disk. If you trust it, unpack it yourself and choose the folder.
finding-data-foreign-form = These are { $form } annotations; the trainer reads its own form only
    .detail = Convert them into a new folder: preflight dataset FOLDER --convert yolo --to NEW-FOLDER. Nothing is changed in this one.
finding-data-archive-entry-unsafe = { $count ->
        [one] An entry of the archive was
       *[other] { $count } entries of the archive were
    } left out: a link, or a name that leads out of the folder
    .detail = No dataset needs such entries.
finding-data-archive-entry-twice = { $count ->
        [one] An entry of the archive has
       *[other] { $count } entries of the archive have
    } the name of another
    .detail = The first of each name was unpacked.
finding-data-convert-unreadable = { $count ->
        [one] An annotation file cannot be read
       *[other] { $count } annotation files cannot be read
    }
    .detail = Their images are kept apart from the splits, without labels.
finding-data-convert-object-unusable = { $count ->
        [one] An object has
       *[other] { $count } objects have
    } no class or no place
    .detail = They were left out.
finding-data-convert-shape-unsupported = { $count ->
        [one] An object is
       *[other] { $count } objects are
    } neither a box nor an outline
    .detail = They were left out: the trainer has no form for single points, lines, crowds and tracks.
finding-data-convert-class-unknown = { $count ->
        [one] An object has
       *[other] { $count } objects have
    } a class that the annotation file does not name
    .detail = They were left out.
finding-data-convert-image-unknown = { $count ->
        [one] An object belongs
       *[other] { $count } objects belong
    } to an image that the annotation file does not name
    .detail = They were left out.
finding-data-convert-image-missing = { $count ->
        [one] An image is annotated, but not there
       *[other] { $count } images are annotated, but not there
    }
    .detail = They were looked for by their names in the whole folder.
finding-data-convert-image-ambiguous = { $count ->
        [one] For an annotation,
       *[other] For { $count } annotations,
    } several images with the same name are there
    .detail = Which one is meant cannot be told, so they were left out.
finding-data-convert-image-twice = { $count ->
        [one] An image is
       *[other] { $count } images are
    } annotated twice
    .detail = The first annotation of each was used.
finding-data-convert-annotated-twice = { $count ->
        [one] An image was
       *[other] { $count } images were
    } annotated by several people
    .detail = What is marked as ground truth was used, else what came last.
finding-data-convert-labels-several = { $count ->
        [one] An object has
       *[other] { $count } objects have
    } several labels
    .detail = The first label of each was used: to the trainer, an object has one class.
finding-data-convert-image-refused = { $count ->
        [one] An image is
       *[other] { $count } images are
    } annotated, but the trainer would refuse the file
    .detail = They were left out. Checking the original folder says why.
finding-data-convert-size-mismatch = { $count ->
        [one] An image has another size than its
       *[other] { $count } images have another size than their
    } annotations say
    .detail = The annotations may be for another image, so they were left out.
finding-data-convert-size-differs = { $count ->
        [one] An image was
       *[other] { $count } images were
    } scaled after being annotated
    .detail = The objects were scaled with them.
finding-data-convert-box-empty = { $count ->
        [one] A box has
       *[other] { $count } boxes have
    } no area inside the image
    .detail = They were left out.
finding-data-convert-box-clipped = { $count ->
        [one] An object reached
       *[other] { $count } objects reached
    } beyond the image
    .detail = They were cut at its edge.
finding-data-convert-box-as-outline = { $count ->
        [one] An object has a box, but
       *[other] { $count } objects have a box, but
    } no outline
    .detail = The box became the outline.
finding-data-convert-unlisted = { $count ->
        [one] An annotated image is
       *[other] { $count } annotated images are
    } listed in no split
    .detail = They are kept apart in “unlisted”, with their labels. Training does not use them.
finding-data-convert-unannotated = { $count ->
        [one] An image has
       *[other] { $count } images have
    } no annotation
    .detail = They are kept apart in “unlisted”. Training does not use them.

# The whole.
finding-data-val-no-boxes = None of the { $count } validation images has a box
    .detail = The trainer cannot measure how good the model is, and cannot tell which epoch was the best.
finding-data-val-is-train = All validation images are also training images
    .detail = The measured quality will look better than it is, because the model has learned these very images. Keep about a fifth of the images apart for validation.
finding-data-val-in-train = { $count ->
        [one] A validation image is also a training image
       *[other] { $count } validation images are also training images
    }
    .detail = The measured quality will look better than it is, because the model has learned these very images. Often one folder lies inside the other.
finding-data-class-not-in-train = { $count ->
        [one] A class has
       *[other] { $count } classes have
    } no example in the training images: { $names }
    .detail = The model cannot learn what it never sees. Add examples, or remove the class.
finding-data-class-not-in-val = { $count ->
        [one] A class does
       *[other] { $count } classes do
    } not occur in the validation images: { $names }
    .detail = How well the model finds them cannot be measured.

# The report.
report-title = Dataset report
report-fingerprint = Fingerprint of the content: { $fingerprint }
report-split = Split
report-images = Images
report-background = Without objects
report-corrupt = Refused
report-objects = Objects
report-findings = Findings
report-no-findings = Nothing wrong was found.
report-classes = Classes
report-class = Class
report-more-data = { $count ->
        [one] A class has
       *[other] { $count } classes have
    } fewer than the { $images } training images that Ultralytics recommends in “Tips for best training results”. Small datasets can work; more images help more than anything else.
report-box-places = Where the objects are
report-box-sizes = How large they are: width to the right, height downwards; each cell is half as large again as the one before, the last is the whole image
report-objects-per-image = Objects on an image
report-image-size = Image size
report-alike = Images that look the same

# The sample dataset.
problem-sample-folder-not-empty = The folder { $path } is not empty
    .help = Choose a folder that is empty or does not exist yet.
sample-readme =
    Sample dataset: metal plates
    60 drawn plates with scratches, dents and holes: 48 to learn from, 12 to validate with.
    Each image in “images” has a text file of the same name in “labels”. A line there is one defect:
    class, centre x, centre y, width, height; the last four as shares of the image's width and height.
    The classes are in data.yaml. You may use, change and share everything in this folder freely.

## Why changes of a dataset are not told by the system

reason-watch-network = It lies on a network drive or in a cloud folder: the system does not tell what others change there.
reason-watch-links = Some images are links to files elsewhere: the system does not tell when those change.
reason-watch-limit = The system's limit for watched folders is reached. On Linux it is set by fs.inotify.max_user_watches and fs.inotify.max_user_instances.
