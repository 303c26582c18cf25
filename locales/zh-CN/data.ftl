### 数据集：可能有什么问题，怎么解决。

# 没能做到的事。
problem-dataset-not-found = { $path } 不存在
    .help = 检查路径。可能是磁盘没有连接，或者文件夹被移动或改名了。
problem-dataset-unreadable = 无法读取 { $path }
    .help = 检查是否有读取权限，以及所在磁盘是否已连接。
problem-dataset-not-a-dataset = { $path } 不是数据集
    .help = { $kind ->
        [archive] 这是一个压缩包。先解压，再选择解压出来的文件夹。
       *[other] 选择一个 data.yaml，或者包含 images 和 labels 的文件夹。
    }
problem-dataset-cancelled = 已停止读取数据集
problem-dataset-tiles-need-boxes = 带轮廓的图片不能切块：{ $path }
    .help = 切块只适用于框。请去掉 --tile，或先把轮廓转换为框。
problem-dataset-no-split = 数据集没有 { $split } 图片
problem-image-unreadable = 无法将 { $path } 显示为图片

# 看到的情况。
fact-looked-in = 查找位置
fact-used-instead = 实际使用
fact-looked-for-label = 查找的标注文件
fact-boxes = 标注框

# 解决办法。
remedy-open-file = 打开 { $file }

# 数据集的声明。
finding-data-yaml-invalid = 数据集的 YAML 文件第 { $line } 行有语法错误
    .detail = { $message }。常见原因：用了制表符、冒号后缺少空格，或者括号、引号没有闭合。
finding-data-yaml-not-a-mapping = 数据集的 YAML 文件里没有任何设置
    .detail = 文件应由“train: images/train”“val: images/val”“names: [scratch, dent]”这样的行组成。
finding-data-yaml-wrong-type = YAML 文件中的“{ $key }”写法不对
    .detail = { $expected ->
        [text] 这里应是一个路径
        [list] 这里应是一个列表，例如“[17, 3]”
        [text-or-list] 这里应是一个路径或一组路径
       *[list-or-mapping] 这里应是一个列表，或“0: scratch”这样的编号列表
    }，实际是“{ $value }”。
finding-data-no-train = 数据集没有说明训练图片在哪里
    .detail = 在 YAML 文件中加一行，例如“train: images/train”；或者把训练图片放到 images/train。
finding-data-no-val = 数据集没有验证图片
    .detail = 训练程序需要用没学过的图片来衡量模型好坏。把大约五分之一的图片移到 images/val，对应的标注文件移到 labels/val。如有 YAML 文件，写上“val: images/val”。
finding-data-no-split = 图片没有划分为训练集和验证集
    .detail = 训练程序需要用没学过的图片来衡量模型好坏。把大约五分之四的图片放到 images/train，其余放到 images/val，标注文件对应放到 labels/train 和 labels/val。
finding-data-class-names-made-up = 文件夹中没有写明类别名称：将使用 { $names }
    .detail = 这些名称会写进模型。如果有写明名称的 data.yaml，请选择它，而不是选择文件夹。如果没有，在文件夹中新建 classes.txt，按标注文件中编号的顺序每行写一个名称。
finding-data-no-names = 数据集没有写类别名称
    .detail = 在 YAML 文件中加一行，例如“names: [scratch, dent, hole]”，顺序与标注文件中的编号一致。
finding-data-no-classes = 数据集没有类别
    .detail = 在 YAML 文件的“names:”后至少写一个类别名称。
finding-data-class-count-invalid = 类别数（“nc: { $value }”）不是整数
    .detail = 改正它，或者删掉这一行：名称的个数已经说明了类别数。
finding-data-class-count-mismatch = YAML 文件写了 { $nc } 个类别，却有 { $names } 个名称
    .detail = 改正名称，或者删掉“nc”这一行：名称的个数已经说明了类别数。
finding-data-class-ids-invalid = YAML 文件中的类别编号不是连续的 0、1、2……（出错处：“{ $id }”）
    .detail = 从 0 开始连续编号，不要跳号，顺序与标注文件中的编号一致。
finding-data-class-name-not-text = 类别名称“{ $name }”与写的不一样
    .detail = 在 YAML 中，没加引号的 no、yes、on、off、null 以及以 0 开头的数字另有含义。请给名称加上引号。

# 图片的位置。
finding-data-split-missing = { $split ->
        [train] 训练
       *[val] 验证
    }图片不在 YAML 文件所写的位置：{ $written }
    .detail = 改正 YAML 文件中的路径，或者把图片移到那里。
finding-data-test-missing = 测试图片不在 YAML 文件所写的位置：{ $written }
    .detail = 训练用不到它们。
finding-data-split-empty = 没有{ $split ->
        [train] 训练
       *[val] 验证
    }图片
    .detail = 文件夹存在，但里面没有图片。检查是否选对了文件夹。
finding-data-split-unsupported = { $split ->
        [train] 训练
       *[val] 验证
    }图片的格式训练程序不支持：{ $endings }
    .detail = 把它们转换为 JPEG 或 PNG。
finding-data-list-unreadable = 无法读取图片列表
    .detail = 它应是 UTF-8 文本文件，每行一个图片路径。
finding-data-folder-unreadable = 有 { $count } 个文件夹打不开
    .detail = 训练时会缺少其中的图片。请获取读取权限。
finding-data-folder-loop = 有文件夹链接又指回自身
    .detail = 其中的图片只使用一次。请删除这个链接。
finding-data-folder-repeated = 通向同一个文件夹的链接过多
    .detail = 链接指向的文件夹里还有链接。其中的图片按 16 次计；训练程序自身会重复得更多。请只保留一个链接。
finding-data-moved = 图片不在 YAML 文件所写的位置，而是在它旁边
    .detail = 数据集可能是在另一台电脑上制作的。将使用找到的图片，无需改动。
finding-data-list-relative = 图片列表中有 { $count } 个路径没有说明相对于哪个文件夹
    .detail = 已在列表所在的文件夹和数据集文件夹中查找。

# 图片。
finding-data-no-usable-image = { $count } 张{ $split ->
        [train] 训练
       *[val] 验证
    }图片全都不能用
    .detail = 具体问题见其他各项。
finding-data-image-missing = 列表中有 { $count } 张图片不存在
    .detail = 训练程序会跳过它们。
finding-data-image-unreadable = 有 { $count } 个图片文件无法读取
    .detail = 训练程序会跳过它们。请获取读取权限，或者删除它们。
finding-data-image-empty = 有 { $count } 个图片文件是空的
    .detail = 训练程序会跳过它们。可能是复制或下载不完整。
finding-data-image-truncated = 有 { $count } 个图片文件不完整
    .detail = 训练程序会跳过它们。可能是复制或下载不完整。
finding-data-image-damaged = 有 { $count } 个图片文件已损坏或不是图片
    .detail = 训练程序会跳过它们。
finding-data-image-wrong-format = 有 { $count } 个图片文件的实际格式训练程序不支持（{ $format }），与文件名无关
    .detail = 训练程序会跳过它们。把它们转换为 JPEG 或 PNG。
finding-data-image-needs-heif = 有 { $count } 张图片是手机的 HEIC 格式
    .detail = 训练程序会跳过它们。把它们转换为 JPEG。
finding-data-image-too-small = 有 { $count } 张图片小于 10 像素
    .detail = 训练程序会跳过它们。
finding-data-image-too-large = 有 { $count } 张图片超过 1.78 亿像素
    .detail = 训练程序会跳过它们。把它们切成小图。
finding-data-image-repaired = 有 { $count } 个 JPEG 文件在图片结束后还有多余内容
    .detail = 训练程序会重写这类文件。它拿到的是副本，原文件不变。

# 标注。
finding-data-no-labels = { $count } 张训练图片都没有标注文件
    .detail = images/train/a.jpg 的标注文件应是 labels/train/a.txt。没有标注就没有可学的内容。
finding-data-no-boxes = { $count } 张训练图片都没有标注框
    .detail = 所有标注文件都是空的。没有标注框就没有可学的内容。
finding-data-label-unreadable = 有 { $count } 个标注文件无法读取
    .detail = 训练程序会跳过对应的图片。请获取读取权限。
finding-data-label-too-large = 有 { $count } 个标注文件大得不像一张图片的标注
    .detail = 标注文件中每个物体占一行。检查这个文件的来源。
finding-data-label-utf16 = 有 { $count } 个标注文件保存成了 UTF-16（“Unicode”）
    .detail = 训练程序只认 UTF-8，会跳过对应的图片。把文件另存为 UTF-8。
finding-data-label-binary = 有 { $count } 个标注文件不是文本
    .detail = 训练程序会跳过对应的图片。检查这些文件的来源。
finding-data-label-not-utf8 = 有 { $count } 个标注文件不是 UTF-8 编码
    .detail = 训练程序会跳过对应的图片。把文件另存为 UTF-8。
finding-data-label-mixed = 有 { $count } 个标注文件混用了框和轮廓
    .detail = 训练程序会跳过对应的图片。一个标注文件只能全是框（5 列）或全是轮廓。
finding-data-label-columns = 有 { $count } 个标注文件的列数不对（{ $columns } 列）
    .detail = 训练程序会跳过对应的图片。每行是“类别 x y 宽 高”，共 5 列，用空格分隔。
finding-data-label-outline = 有 { $count } 个标注文件的轮廓缺少坐标
    .detail = 训练程序会跳过对应的图片。每行是“类别 x y x y …”，每个 x 都要有 y。
finding-data-label-decimal-comma = 有 { $count } 个标注文件的数字里有逗号
    .detail = 训练程序会跳过对应的图片。数字用小数点（0.5），列之间用空格分隔。
finding-data-label-not-a-number = 有 { $count } 个标注文件含有不是数字的内容
    .detail = 训练程序会跳过对应的图片。每行是“类别 x y 宽 高”，类别是编号，不是名称。
finding-data-label-out-of-bounds = 有 { $count } 个标注文件的坐标超出图片（{ $value }）
    .detail = 训练程序会跳过对应的图片。坐标是占图片宽高的比例，在 0 到 1 之间。远大于 1 的值多半是像素：除以图片的宽或高即可。
finding-data-label-negative = 有 { $count } 个标注文件含有负数（{ $value }）
    .detail = 训练程序会跳过对应的图片。类别编号从 0 开始，坐标在 0 到 1 之间。
finding-data-label-class-not-whole = 有 { $count } 个标注文件的类别编号不是整数（{ $value }）
    .detail = 训练程序会跳过对应的图片。类别编号是每行的第一个数。
finding-data-class-out-of-range = 有 { $count } 个标注文件用了数据集中没有的类别（编号 { $class }）
    .detail = 训练程序会跳过对应的图片。数据集有 { $classes } 个类别，{ $classes ->
        [1] 编号只能是 0
       *[other] 编号从 0 到 { $last }
    }。在 YAML 文件的名称中补上缺少的类别，或者改正编号。
finding-data-label-several = 有 { $count } 个标注文件不止一处错误，训练程序只报第一处
    .detail = 这里显示的是它会报的那一行，其余见其他各项。
finding-data-label-duplicates = 有 { $count } 个标注文件重复标了同一个框
    .detail = 每个框训练程序只用一次。
finding-data-label-without-image = 有 { $count } 个标注文件没有对应的图片
    .detail = 训练程序不会使用它们。可能是缺少图片，或者文件名不一致。
finding-data-images-unlabelled = 有 { $count } 张图片没有标注文件
    .detail = 训练程序会把它们当作没有任何物体的图片。如果图上有物体，请标注；如果没有，就没问题。

# 任务所需。
finding-data-task-needs-labels = 图片只是按文件夹分了类，{ $task } 任务需要标注文件
    .detail = 文件夹只能说明整张图片是什么，适合 classify 任务。
finding-data-task-needs-outlines = 有 { $count } 个标注文件是框，{ $task } 任务需要轮廓
    .detail = 只要有一张图片只有框，训练程序就会拒绝整个数据集。
finding-data-task-needs-key-points = 数据集没有声明关键点，{ $task } 任务需要关键点
    .detail = 在 YAML 文件中加一行，例如“kpt_shape: [17, 3]”：每个物体的点数，以及每个点的 3 个值（没有可见性则为 2 个）。
finding-data-key-point-values = YAML 文件给每个关键点 { $values } 个值，训练程序需要 2 个或 3 个
    .detail = “kpt_shape” 的第二个数：2 表示 x 和 y，3 表示 x、y 和可见性。
finding-data-mirroring-length = “flip_idx” 列出了 { $count } 个关键点，数据集有 { $points } 个
    .detail = 它说明每个关键点在镜像图片中对应哪一个，每个关键点一个数。缺少时训练会立即停止。
finding-data-mirroring-index = “flip_idx” 中有关键点 { $index }，而最后一个是 { $last }
    .detail = 关键点从 0 开始编号。训练会在第一张镜像图片处中断。
finding-data-mirroring-off = 训练时不会镜像图片：YAML 文件没有说明哪些关键点左右互换
    .detail = 加一行 “flip_idx”，写出每个关键点的对称点编号，训练程序就能镜像图片；图片少时尤其有用。
finding-data-no-train-folder = 没有“train”文件夹
    .detail = 按类别存放的图片应放在 train/类别 和 val/类别 中。没有这些文件夹时，训练程序会自行划分，并在旁边另写一个数据集。
finding-data-no-val-folder = 没有“val”文件夹
    .detail = 训练程序需要用没学过的图片来衡量模型好坏。把每个类别大约五分之一的图片移到 val/类别。
finding-data-no-class-folders = “train”文件夹中没有子文件夹
    .detail = 每个类别需要一个单独的文件夹，里面放该类别的图片。
finding-data-val-is-test = 没有“val”文件夹，训练程序会用测试图片来衡量
    .detail = 这样一来，选出最佳轮次也靠它们，就没有可用于最终测试的图片了。
finding-data-class-folder-unknown = 有 { $count } 张图片的类别在训练图片中不存在
    .detail = 训练程序会跳过它们。

# 训练程序接受、但会毁掉结果的问题。
remedy-larger-imgsz = 图片尺寸改用 { $imgsz }
remedy-tile-images = 在副本上把图片切块：preflight dataset 文件夹 --fix-to 新文件夹 --tile 640
problem-dataset-manifest-unreadable = { $path } 不是本程序保存的数据集内容记录
finding-data-changed = 数据集有变化
    .detail = 新增 { $added } 张图片，删除 { $removed } 张；{ $images } 张图片和 { $labels } 个标注文件内容不同；{ $moved } 张图片换到了另一部分。
finding-data-changed-since-run = 自上次训练以来，数据集有变化
    .detail = 与运行 { $run } 相比：新增 { $added } 张图片，删除 { $removed } 张；{ $images } 张图片和 { $labels } 个标注文件内容不同；{ $moved } 张图片换到了另一部分。{ $names ->
        [true] 类别名称也变了。
       *[other] 类别名称没有变化。
    }
finding-data-boxes-small = 图片尺寸为 { $imgsz } 时，{ $percent }% 的训练标注框小于 8 像素
    .detail = 模型最细的网格每格 8 像素，更小的物体很难找到。{ $keeps ->
        [0] 常用的图片尺寸都不够：请把图片切块。
       *[other] 图片尺寸为 { $keeps } 时几乎都大于 8 像素，但需要更多显存和时间。
    }
    .source = 检测头最细的网格每格 8 像素（Ultralytics 模型文件中的 P3，步长 8）
finding-data-crowded = 有一张图片上有 { $count } 个物体，而模型最多能找到 { $most } 个
    .detail = 物体密集的图片训练时也很占显存。把它们切块，或在使用模型时调大 max_det。
    .source = Ultralytics 的默认值 max_det = 300
finding-data-class-rare = 有 { $count } 个类别最多只出现在 { $images } 张训练图片上：{ $names }
    .detail = 模型对这类类别的识别效果远差于其他类别。请补充图片，或者与相近的类别合并。
    .source = LVIS（Gupta 等，2019）把不超过 10 张图片的类别称为稀有
finding-data-class-imbalance = “{ $most }”的数量是“{ $least }”的 { $ratio } 倍
    .detail = 模型会偏向常见的类别。请补充少见类别的图片。
    .source = Buda、Maki、Mazurowski，2018：比例约到 50 时精度明显下降
finding-data-class-names-alike = 有两个类别的名称几乎一样：{ $names }
    .detail = 它们很可能是同一类。模型会被要求区分本来相同的东西。
finding-data-many-backgrounds = { $percent }% 的训练图片（{ $count } 张）上没有物体
    .detail = 不超过 10% 可以减少误报。如果这些图片还没标完，请补标；如果确实没有物体，请去掉一些。
    .source = Ultralytics《Tips for best training results》：背景图片不超过 10 %
finding-data-image-sizes-mixed = 图片边长从 { $smallest } 到 { $largest } 像素不等
    .detail = 训练时都会缩放到同一尺寸，同样的物体在有的图片上很大，在有的图片上极小。
finding-data-box-sliver = 有 { $count } 个标注文件含有细得像线的框
    .detail = 它们只有两像素宽，或者长宽相差百倍；训练程序在训练中会丢弃这样的框。
finding-data-box-whole-image = 有 { $count } 个标注文件含有覆盖整张图片的框
    .detail = 如果不是有意的，说明图上的物体没有标出来。
finding-data-box-two-classes = 有 { $count } 个标注文件给同一个框标了两个类别
    .detail = 模型不可能两个都对。请只保留一个。
finding-data-leak-exact = 有 { $count } 张用于衡量的图片与训练图片完全相同
    .detail = 测得的效果会比实际好。
finding-data-leak-near = 有 { $count } 张用于衡量的图片与训练图片看起来相同
    .detail = 同一段视频的画面，以及裁剪、缩放、重新保存过的图片，应放在同一边。测得的效果会比实际好。
finding-data-duplicates-exact = 同一部分中有 { $count } 张重复的图片
    .detail = 重复几次就算几次。
finding-data-duplicates-near = 同一部分中有 { $count } 张图片与另一张看起来相同
    .detail = 它们作用不大：模型只是把几乎一样的内容看了两遍。
finding-data-image-gray-mixed = 有 { $count } 张图片是灰度的，其余是彩色的
    .detail = 如果某个类别大多出现在灰度图片上，模型学到的可能是灰度而不是类别。
finding-data-image-sixteen-bit = 有 { $count } 张图片每通道超过 8 位
    .detail = 训练程序只保留高 8 位。如果画面只用到一部分取值范围，就会变得很暗：先拉伸取值范围，再保存为 8 位。
finding-data-image-cmyk = 有 { $count } 张图片是印刷用的 CMYK 颜色
    .detail = 模型看到的颜色可能不对。请转换为 RGB。
finding-data-image-huge = 有 { $count } 张图片超过 2000 万像素
    .detail = 每一轮都要花时间解码。如果物体缩小后仍足够大，请先缩小图片，否则请切块。
finding-data-image-turned = 有 { $count } 张图片的 EXIF 信息里带有旋转
    .detail = 训练程序会把它们转正。如果标注工具没有转正，框就会偏离物体：请看看其中几张。
finding-data-names-differ-by-case = 有 { $count } 张图片与另一张的文件名只差大小写
    .detail = 在 Windows 和 macOS 上它们是同一个文件，复制过去时会丢失一个。
finding-data-label-shared = 有 { $count } 张图片与另一张共用一个标注文件
    .detail = 它们的文件名只有扩展名不同，而标注文件名不含图片的扩展名。请改掉其中一个的名字。
finding-data-path-too-long = 有 { $count } 张图片的路径超过 259 个字符
    .detail = Windows 上的许多程序打不开它们。请把数据集移到更短的路径。
finding-data-not-downloaded = 有 { $count } 张图片不在本机，而在云盘上
    .detail = 训练时会逐个下载。请在云盘中设置把该文件夹保留在本机。
finding-data-slow-drive = 从磁盘读取图片很慢
    .detail = 显卡会一直等图片。请把数据集复制到本机的高速磁盘上。

# 其他格式。
problem-dataset-nothing-to-convert = { $path } 中没有可以转换的标注
    .help = 可以转换 COCO、Pascal VOC、LabelMe、CVAT 和 Label Studio 标注。已有 data.yaml 的数据集不需要转换。
problem-dataset-folder-not-empty = 文件夹 { $path } 不是空的
    .help = 选择一个空文件夹，或者尚不存在的文件夹：已有的内容绝不会被覆盖。
problem-dataset-inside-source = { $path } 在数据集自己的文件夹里
    .help = 选择 { $source } 以外的文件夹：数据集本身绝不会被写入。
problem-dataset-archive-damaged = 压缩包 { $path } 已损坏
    .help = 可能是下载不完整。请重新下载。
problem-dataset-archive-encrypted = 压缩包 { $path } 有密码保护
    .help = 请先自行解压，再选择解压出来的文件夹。
problem-dataset-archive-too-large = { $path } 解压后的大小远超一个图片压缩包应有的大小
    .help = 这类压缩包是用来塞满磁盘的。如果确信没有问题，请自行解压，再选择解压出来的文件夹。
finding-data-foreign-form = 这是 { $form } 标注，训练程序只认自己的格式
    .detail = 转换到一个新文件夹：preflight dataset 文件夹 --convert yolo --to 新文件夹。原文件夹不会有任何改动。
finding-data-archive-entry-unsafe = 压缩包中有 { $count } 项没有解压：是链接，或者路径指向文件夹之外
    .detail = 数据集用不到这样的内容。
finding-data-archive-entry-twice = 压缩包中有 { $count } 项与其他项重名
    .detail = 重名的只解压了第一个。
finding-data-convert-unreadable = 有 { $count } 个标注文件无法读取
    .detail = 对应的图片单独存放，没有标注，不属于任何一部分。
finding-data-convert-object-unusable = 有 { $count } 个物体没有类别或没有位置
    .detail = 已略去。
finding-data-convert-shape-unsupported = 有 { $count } 个物体既不是框也不是轮廓
    .detail = 已略去：单个点、线、群体和轨迹在训练格式中无法表示。
finding-data-convert-class-unknown = 有 { $count } 个物体的类别在标注文件中没有定义
    .detail = 已略去。
finding-data-convert-image-unknown = 有 { $count } 个物体所属的图片在标注文件中没有列出
    .detail = 已略去。
finding-data-convert-image-missing = 有 { $count } 张图片有标注，但文件不存在
    .detail = 已在整个文件夹中按文件名查找。
finding-data-convert-image-ambiguous = 有 { $count } 条标注对应多张同名图片
    .detail = 无法判断指的是哪一张，已略去。
finding-data-convert-image-twice = 有 { $count } 张图片被标注了两次
    .detail = 只使用了第一份标注。
finding-data-convert-annotated-twice = 有 { $count } 张图片由多人标注过
    .detail = 优先使用标记为 Ground Truth 的标注，否则使用最新的一份。
finding-data-convert-labels-several = 有 { $count } 个目标带有多个标签
    .detail = 只使用了第一个标签：训练时一个目标只能属于一个类别。
finding-data-convert-image-refused = 有 { $count } 张图片有标注，但训练程序不会接受该文件
    .detail = 已略去。检查原文件夹可以看到原因。
finding-data-convert-size-mismatch = 有 { $count } 张图片的尺寸与标注所写的不一致
    .detail = 标注可能属于另一张图片，已略去。
finding-data-convert-size-differs = 有 { $count } 张图片在标注之后被缩放过
    .detail = 其中的物体已按同样比例缩放。
finding-data-convert-box-empty = 有 { $count } 个框在图片内没有面积
    .detail = 已略去。
finding-data-convert-box-clipped = 有 { $count } 个物体超出图片
    .detail = 已在图片边缘截断。
finding-data-convert-box-as-outline = 有 { $count } 个物体只有框，没有轮廓
    .detail = 用框作为轮廓。
finding-data-convert-unlisted = 有 { $count } 张有标注的图片不在任何一部分的列表中
    .detail = 它们连同标注单独放在“unlisted”中，训练不会用到。
finding-data-convert-unannotated = 有 { $count } 张图片没有标注
    .detail = 它们单独放在“unlisted”中，训练不会用到。

# 整体。
finding-data-val-no-boxes = { $count } 张验证图片都没有标注框
    .detail = 训练程序无法衡量模型好坏，也无法判断哪一轮最好。
finding-data-val-is-train = 所有验证图片同时也是训练图片
    .detail = 测得的效果会比实际好，因为模型学过这些图片。请留出大约五分之一的图片专门用于验证。
finding-data-val-in-train = 有 { $count } 张验证图片同时也是训练图片
    .detail = 测得的效果会比实际好，因为模型学过这些图片。常见原因是一个文件夹在另一个里面。
finding-data-class-not-in-train = 训练图片中有 { $count } 个类别没有样本：{ $names }
    .detail = 没见过的东西模型学不会。请补充样本，或者删除该类别。
finding-data-class-not-in-val = 验证图片中没有出现 { $count } 个类别：{ $names }
    .detail = 无法衡量模型找到它们的能力。

# 报告。
report-title = 数据集报告
report-fingerprint = 内容指纹：{ $fingerprint }
report-split = 部分
report-images = 图片
report-background = 无物体
report-corrupt = 被拒绝
report-objects = 物体
report-findings = 发现的问题
report-no-findings = 没有发现问题。
report-classes = 类别
report-class = 类别
report-more-data = 有 { $count } 个类别的训练图片少于 Ultralytics 在“最佳训练效果建议”中推荐的 { $images } 张。小数据集也能训练，但增加图片比什么都有效。
report-box-places = 物体的位置
report-box-sizes = 物体的大小：向右为宽，向下为高；每格是前一格的 1.5 倍，最后一格是整张图片
report-objects-per-image = 每张图片的物体数
report-image-size = 图片尺寸
report-alike = 看起来相同的图片

# 示例数据集。
problem-sample-folder-not-empty = 文件夹 { $path } 不是空的
    .help = 选择一个空文件夹，或者尚不存在的文件夹。
sample-readme =
    示例数据集：金属板
    60 张绘制的金属板图片，带有划痕、凹坑和孔洞：48 张用于学习，12 张用于验证。
    “images”中的每张图片在“labels”中都有同名的文本文件，其中每行是一处缺陷：
    类别、中心 x、中心 y、宽、高；后四项是占图片宽高的比例。
    类别名称见 data.yaml。此文件夹中的所有内容均可自由使用、修改和分享。

## Why changes of a dataset are not told by the system

reason-watch-network = 数据集位于网络驱动器或云端文件夹，其他人在那里做的修改，系统不会通知。
reason-watch-links = 部分图片是指向别处文件的链接，那些文件改动时，系统不会通知。
reason-watch-limit = 已达到系统可监视文件夹数量的上限。在 Linux 上由 fs.inotify.max_user_watches 和 fs.inotify.max_user_instances 决定。
