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
finding-data-label-duplicates = 有 { $count } 个标注文件重复标了同一个框
    .detail = 每个框训练程序只用一次。
finding-data-label-without-image = 有 { $count } 个标注文件没有对应的图片
    .detail = 训练程序不会使用它们。可能是缺少图片，或者文件名不一致。
finding-data-images-unlabelled = 有 { $count } 张图片没有标注文件
    .detail = 训练程序会把它们当作没有任何物体的图片。如果图上有物体，请标注；如果没有，就没问题。

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

# 示例数据集。
problem-sample-folder-not-empty = 文件夹 { $path } 不是空的
    .help = 选择一个空文件夹，或者尚不存在的文件夹。
sample-readme =
    示例数据集：金属板
    60 张绘制的金属板图片，带有划痕、凹坑和孔洞：48 张用于学习，12 张用于验证。
    “images”中的每张图片在“labels”中都有同名的文本文件，其中每行是一处缺陷：
    类别、中心 x、中心 y、宽、高；后四项是占图片宽高的比例。
    类别名称见 data.yaml。此文件夹中的所有内容均可自由使用、修改和分享。
