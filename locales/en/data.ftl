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

# The sample dataset.
problem-sample-folder-not-empty = The folder { $path } is not empty
    .help = Choose a folder that is empty or does not exist yet.
sample-readme =
    Sample dataset: metal plates
    60 drawn plates with scratches, dents and holes: 48 to learn from, 12 to validate with.
    Each image in “images” has a text file of the same name in “labels”. A line there is one defect:
    class, centre x, centre y, width, height; the last four as shares of the image's width and height.
    The classes are in data.yaml. You may use, change and share everything in this folder freely.
