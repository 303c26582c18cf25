### The command line.

## Help

cli-about = 从一个图片文件夹到训练好的 YOLO 模型；开始之前先说明训练能否开始。
cli-sample = 写出一个小数据集，供试用全部功能
cli-dataset = 查看数据集的内容和问题
cli-plan = 输出训练方案：训练什么、用什么数据、在哪里训练
cli-check = 逐个环节检查方案能否开始
cli-run = 先检查方案，再开始训练
cli-runs = 列出、查看、暂停、恢复、取消、试用、导出、备注和删除运行
cli-runs-list = 列出所有运行，最新的在前
cli-runs-show = 查看一个运行
cli-runs-logs = 输出训练程序打印的内容
cli-runs-pause = 让运行在当前一轮结束后暂停，以便之后继续
cli-runs-resume = 继续一个已暂停、失败、已取消或失联的运行
cli-runs-cancel = 结束一个运行，并等到它完全退出
cli-runs-try = 查看一个运行的模型在图片中识别到什么
cli-runs-export = 把一个运行的模型导出为 ONNX，并与权重比较
cli-runs-note = 为一个运行写备注，或输出已有的备注
cli-runs-delete = 删除运行及其文件夹中的所有内容
cli-env = 查找、创建、修复和删除训练环境
cli-env-list = 列出找到的环境
cli-env-create = 创建应用自己的环境
cli-env-repair = 应用自己的环境不能用时重新创建
cli-env-remove = 删除应用自己的环境
cli-weights = 列出、下载、校验和删除预训练权重
cli-weights-list = 列出各模型及本机已有的预训练权重
cli-weights-fetch = 下载模型的预训练权重，可从断点继续
cli-weights-verify = 完整读取权重文件，并说明其中的内容
cli-weights-remove = 删除模型的预训练权重及未下载完的部分
cli-trial = 用几步真实训练试运行一个方案，测量内存和耗时
cli-vram = 不运行训练，估算它需要多少显存
cli-diagnose = 根据日志说明训练为何失败，并给出作为证据的行
cli-gpu = 查看 NVIDIA 显卡及其空闲显存

cli-heading-usage = 用法:
cli-heading-commands = 命令
cli-heading-command = 命令
cli-heading-arguments = 参数
cli-heading-options = 选项
cli-placeholder-options = 选项

cli-arg-help = 显示此帮助
cli-arg-version = 显示版本
cli-arg-format = 结果的格式：text、json，数据集还可以是 html（默认：{ $default }）
cli-arg-lang = 语言：en 或 zh-CN（默认：与应用相同，否则跟随系统）
cli-arg-sample-dir = 空文件夹，或尚不存在的文件夹
cli-arg-sample-plan = 同时写出一个几分钟即可学会它的方案
cli-arg-dataset = data.yaml、包含图片和标注的文件夹，或者它的 zip 压缩包
cli-arg-task = 按此任务检查：detect、segment、pose、obb 或 classify
cli-arg-convert = 把 COCO、Pascal VOC、LabelMe、CVAT 或 Label Studio 标注转换为此格式，放入 --to 指定的文件夹
cli-arg-to = 存放转换或解压结果的新文件夹
cli-arg-deep = 读取每个文件并解码每张图片：查找重复、跨部分的相同图片、过小的框等
cli-arg-deep-imgsz = 判断框是否过小所用的图片尺寸，像素（默认：{ $default }）
cli-arg-manifest = 说明与此文件记录相比有什么变化，然后更新此文件
cli-arg-fix-to = 先显示改动，再把修好的副本写入这个新文件夹
cli-arg-val = 没有验证集时，修好的副本留作验证的图片比例（默认：{ $default }）
cli-arg-val-seed = 换一个数就会选出不同的验证图片（默认：{ $default }）
cli-arg-tile = 把修好的副本中更大的图片切成此边长的小块，相邻块重叠五分之一
cli-arg-yes-fix = 不再询问，直接写入修好的副本
cli-arg-model = yolov8、yolo11 或 yolo26，加上规格 n、s、m、l 或 x（默认：{ $default }）
cli-arg-weights = pretrained（预训练）、scratch（从零开始）或自己的 .pt 文件（默认：{ $default }）
cli-arg-imgsz = 图片尺寸，单位像素，须为 32 的倍数（默认：{ $default }）
cli-arg-batch = 每步的图片数（默认：{ $default }）
cli-arg-epochs = 遍历全部图片的轮数（默认：{ $default }）
cli-arg-device = auto、cpu、mps、gpu:0、gpu:0,1 或显卡实例 MIG-…（默认：{ $default }）
cli-arg-workers = 读取图片的进程数（默认：由训练程序决定）
cli-arg-seed = 所有随机过程的种子（默认：{ $default }）
cli-arg-set = Ultralytics 训练程序的其他设置，可多次使用
cli-arg-python = 装有 Ultralytics 的环境的 Python（默认：应用自己的环境）
cli-arg-output = 同时把方案写入此文件
cli-arg-plan = 方案文件，- 表示标准输入
cli-arg-strict = 警告也视为阻碍
cli-arg-start-anyway = 接受此代码对应的预测阻碍，并记录在运行中
cli-arg-trust-python = 接受方案指定的 Python，今后不再询问
cli-arg-follow-run = 显示进展直到运行结束；按 Ctrl-C 取消运行
cli-arg-when-free = 等待显卡空闲，再全面检查一次后开始；按 Ctrl-C 结束等待
cli-arg-follow-logs = 持续输出直到运行结束
cli-arg-weights-model = yolov8、yolo11 或 yolo26，加上规格 n、s、m、l 或 x
cli-arg-weights-file = 模型名或 .pt 文件；不写则校验本机已有的全部预训练权重
cli-arg-again = 即使本机已有该文件也重新下载
cli-arg-yes-run = 缺少训练环境或预训练权重时直接创建和下载，不再询问
cli-arg-pause-now = 立即暂停；当前这一轮已完成的部分会丢失
cli-arg-resume-batch = 此后每步的图片数
cli-arg-resume-imgsz = 此后的图片尺寸（像素）
cli-arg-resume-device = 此后使用的设备：auto、cpu、mps、gpu:0、gpu:0,1 或显卡实例 MIG-…
cli-arg-resume-workers = 此后读取图片的进程数
cli-arg-resume-dataset = 数据集若已移动，指定它现在的位置
cli-arg-resume-set = 恢复时训练程序会重新采用的其他设置，例如 patience=50
cli-arg-yes = 不再询问，直接执行
cli-arg-run = 运行的编号、其中唯一的一段，或 latest（最新的运行）
cli-arg-runs = 一个或多个运行：编号、其中唯一的一段，或 latest
cli-arg-images = 图片，或包含图片的文件夹
cli-arg-conf = 只列出置信度不低于此值的框，0 到 1（默认：{ $default }）
cli-arg-export-to = 同时把文件复制到这里
cli-arg-yes-export = 无需询问，直接把导出所需的软件包加入应用自带的环境
cli-arg-search = 只列出编号、数据集、模型、备注或状态中包含全部这些词的运行
cli-arg-state = 只列出处于该状态的运行；可多次使用
cli-arg-note = 备注内容；"" 表示删除备注（不给出时：输出备注）
cli-arg-cuda = 使用对应 CUDA 版本的 torch，例如 cu128（默认：适合本机的版本）
cli-arg-vram-model = 已发布的模型，例如 yolov8s、yolo11m-seg 或 yolo26n，或自己的 .pt、.yaml 文件（默认：{ $default }）
cli-arg-vram-python = 用哪个 Python 分析自己的模型文件；不写则用本应用的环境
cli-arg-vram-task = detect、segment、pose、obb 或 classify（默认：由模型名决定）
cli-arg-amp = 混合精度：on 或 off（默认：{ $default }）
cli-arg-optimizer = 优化器，例如 SGD 或 AdamW（默认：由训练器选择）
cli-arg-classes = 数据集的类别数（默认：80）
cli-arg-max-boxes = 目标框最多的图片中的框数
cli-arg-boxes-per-image = 平均每张图片的框数
cli-arg-multi-scale = 图片可比设定尺寸大多少（比例，默认：{ $default }）
cli-arg-ultralytics = Ultralytics 版本（默认：较新版本）
cli-arg-gpu-name = 显卡名称；末尾的容量即显存大小，例如 "RTX 3060 12 GB"
cli-arg-gpu-memory = 显卡上可供训练使用的显存（GiB）
cli-arg-gpus = 分担批量的显卡数（默认：{ $default }）
cli-arg-no-calibration = 不使用此类显卡上已完成训练的修正
cli-arg-solve = 输出一定放得下的最大批量（batch）或最大图片尺寸（imgsz）
cli-arg-rows = 估算 CSV 文件中的每一行；列的说明见用户指南
cli-arg-log = 训练的日志，或一次训练的编号；- 表示从管道读入
cli-arg-facts = 日志以外的已知情况：退出码、容器状态、驱动等；JSON 或文本
cli-arg-diagnose-rows = 逐行诊断一个 JSON Lines 文件（{ "{" }"id", "log", "context"{ "}" }），每行输出一个结果
cli-arg-cpu = 使用只支持 CPU 的 torch

cli-exit-codes =
    退出码：
      0    已得出答案，没有阻碍
      1    有阻碍，或运行失败
      2    无法完成，或无法判断
      130  被中断

## Usage

problem-usage-html-of-datasets-only = 只有数据集和诊断可以输出为 HTML
    .help = 请使用 --format text 或 json。
problem-usage-unknown-argument = 没有选项 { $argument }。
    .help = { $suggestion ->
        [none] 查看可用选项：{ $help }
       *[other] 相近的有：{ $suggestion }。查看可用选项：{ $help }
    }
problem-usage-unknown-command = 没有命令 { $command }。
    .help = { $suggestion ->
        [none] 查看可用命令：{ $help }
       *[other] 相近的有：{ $suggestion }。查看可用命令：{ $help }
    }
problem-usage-missing-value = { $argument } 需要一个值。
    .help = 查看用法：{ $help }
problem-usage-missing-argument = 缺少：{ $argument }
    .help = 查看用法：{ $help }
problem-usage-invalid-value = { $argument } 不接受“{ $value }”。
    .help = 可以是：{ $values }。查看用法：{ $help }
problem-usage-conflict = { $argument } 和 { $other } 不能同时使用。
    .help = 查看用法：{ $help }
problem-usage-given-twice = { $argument } 只能指定一次。
    .help = 查看用法：{ $help }
problem-usage-other = 无法理解输入的内容。
    .help = 查看用法：{ $help }
problem-usage-unknown-model = 没有模型“{ $model }”。
    .help = 可以是：{ $models }。自己的权重用 --weights 文件.pt 指定。
problem-usage-not-a-device = “{ $value }”不是设备。
    .help = 可以是：auto、cpu、mps、gpu:0，多块显卡如 gpu:0,1，或显卡实例的名称，即 MIG-…。preflight gpu 会列出这些名称。
problem-usage-not-a-number = { $argument } 不接受“{ $value }”。
    .help = 应为整数，至少为 { $least }。
problem-usage-not-a-share = “{ $value }”不是 { $argument } 的有效值。
    .help = 应为 0 到 1 之间的数。
problem-usage-not-an-amount = { $argument } 不接受“{ $value }”。
    .help = 应为不小于 0 的数。
problem-usage-not-a-switch = { $argument } 不接受“{ $value }”。
    .help = 请写 on 或 off。
problem-memory-unknown-model = 没有“{ $model }”的显存数据。
    .help = 请写已发布的模型名，任务写在末尾：yolov8s、yolo11m-seg、yolo26n-pose、yolov9c；或自己的 .pt、.yaml 文件。
problem-memory-model-unreadable = 无法读取模型 { $path }。
    .help = 请给出确实存在的 .pt 或 .yaml 文件。
problem-memory-model-not-traced = 无法得知 { $path } 训练时占用多少内存。
    .help = 所用环境无法建立该模型，或无法训练一步，原因见上。模型若依赖自己的代码，请用 --python 指定装有该代码的环境。
problem-memory-no-card = 不知道显卡的显存大小。
    .help = 请加上 --memory（单位 GiB），或用末尾带容量的 --gpu，例如 --gpu "RTX 3060 12 GB"。
problem-memory-rows-unreadable = 无法读取 { $path } 中的训练设置。
    .help = 应为 CSV 文件，至少包含 id、model、imgsz、batch 四列。出错的行和原因见上。
problem-usage-not-a-cuda-version = “{ $value }”不是 CUDA 版本。
    .help = 写法与 PyTorch 软件源相同，例如 cu128 或 12.8。
problem-usage-not-a-setting = “{ $value }”不是设置。
    .help = 写法为 键=值，例如 lr0=0.002。
problem-usage-has-an-option = 设置 { $key } 有专门的选项。
    .help = 用 { $option } 代替 --set { $key }=…

## Problems

problem-plan-unreadable = 无法读取方案 { $path }。
    .help = 请检查文件名和读取权限。尚无方案时，可用以下命令生成：preflight plan --dataset 路径 --output 文件
problem-output-unwritable = 无法写出结果。
problem-confirmation-missing = 此操作需要确认，但没有可供询问的终端。
    .help = 加上 --yes。
problem-run-ambiguous = 有 { $count } 个运行的编号含有“{ $id }”。
    .help = 多输入几个字符；查看全部：preflight runs list

## Reports

cli-headline = { $model } · { $imgsz } 像素 · 批大小 { $batch } · { $epochs } 轮 · { $device }
cli-checking = 正在检查…
cli-reading = 正在读取数据集…
cli-converting = 正在转换…
cli-unpacking = 正在解压…
cli-looking-closely = 正在仔细检查…
cli-writing = 正在写入…
cli-nothing-to-mend = 没有需要修的：没有生成副本。
cli-mending = 将修改 { $files } 个标注文件，略去 { $left } 张图片，{ $val } 张图片转入验证集，{ $cut } 张图片切成 { $tiles } 块。副本写入 { $path }，原数据集不变。
cli-mended-recoded = 另存为 UTF-8
cli-mended-commas = 逗号
cli-mended-pixels = 像素换算为比例
cli-mended-clipped = 在图片边缘截断
cli-mended-empty = 已删除：不在图片内
cli-mended-duplicate = 已删除：重复
cli-more-changes = …… 还有 { $count } 处改动
cli-converted = 已从 { $form } 转换：{ $images } 张图片，{ $objects } 个物体{ $unlisted ->
        [0] {""}
       *[other] ；{ $unlisted } 张不属于任何一部分
    }
cli-severity-blocker = 阻碍
cli-severity-predicted = 预测的阻碍
cli-severity-warning = 警告
cli-severity-unknown = 未知
cli-severity-note = 提示
cli-value = { $name }：{ $value }
cli-more-evidence = 另有 { $count } 处
cli-start-anyway = 仍要开始：--start-anyway { $code }
cli-start-anyway-refused = { $code } 是确定的阻碍，不能用 --start-anyway 接受。
cli-verdict-clear = { $warnings ->
        [0] 没有阻碍，可以开始。
       *[other] 没有阻碍，可以开始。有 { $warnings } 个警告。
    }
cli-verdict-ask-first = 预计有 { $blockers } 个阻碍。
cli-verdict-blocked = { $blockers ->
        [0] 训练无法开始：警告在此视为阻碍。
       *[other] 训练无法开始：有 { $blockers } 个阻碍。
    }
cli-verdict-undecided = 无法判断训练能否开始：有 { $unknowns } 项未知。

## Datasets

cli-classes = { $count ->
        [0] 没有类别
       *[other] { $count } 个类别：{ $names }
    }
cli-split-train = 训练集
cli-split-val = 验证集
cli-split-test = 测试集
cli-split-counts = { $images } 张图片，{ $instances } 个框{ $background ->
        [0] {""}
       *[other] ，{ $background } 张没有框
    }{ $corrupt ->
        [0] {""}
       *[other] ，{ $corrupt } 张无法使用
    }

## GPUs

cli-vram-headline = { $model } · { $imgsz } px · 批量 { $batch }
cli-vram-card = 每张显卡约需 { BYTES($expected) }，在 { BYTES($low) } 与 { BYTES($high) } 之间。
cli-vram-reserved = 其中训练器显示为 GPU_mem 的部分：约 { BYTES($expected) }，在 { BYTES($low) } 与 { BYTES($high) } 之间。
cli-vram-calibrated = 已按本机此类显卡上完成的 { $runs } 次训练修正：{ $percent }。
cli-vram-part = { BYTES($bytes) }  { $part }
cli-vram-fits = { BYTES($memory) } 足够。
cli-vram-tight = { BYTES($memory) } 比较紧张，但很可能够用。
cli-vram-unlikely = { BYTES($memory) } 很可能不够。
cli-vram-impossible = { BYTES($memory) } 不够。
cli-vram-without = 不用混合精度：大约 { BYTES($expected) }，在 { BYTES($low) } 到 { BYTES($high) } 之间。
cli-vram-without-no = 不用混合精度就放不下：大约 { BYTES($expected) }，在 { BYTES($low) } 到 { BYTES($high) } 之间。GTX 16 系列和 T 系列显卡训练时不使用混合精度。
cli-vram-looking = 正在分析模型占用的内存
cli-vram-largest = 一定放得下：在此图片尺寸下批量最大 { $batch }；在此批量下图片最大 { $imgsz } px。
cli-gpu-no-driver = 没有安装 NVIDIA 驱动，训练将使用 CPU。
cli-gpu-failed = NVIDIA 驱动没有响应：{ $message }
cli-gpu-none = 驱动没有检测到显卡。
cli-gpu-driver = 驱动 { $driver }，最高支持 CUDA { $cuda }
cli-gpu-memory = 空闲 { BYTES($free) }，共 { BYTES($total) }

## Runs

cli-gpu-run = 训练 { $run }
cli-wait = 正在等待显卡空闲。按 Ctrl-C 结束等待，不会开始训练。
cli-wait-card = { $name }：已用 { BYTES($used) }，共 { BYTES($total) }
cli-wait-ended = 已结束等待，没有开始训练。
cli-run-started = 运行 { $id } 已开始。
cli-run-stopping = 已请求停止运行。再按一次 Ctrl-C 直接离开。
cli-run-ending = 正在结束…
cli-run-epoch = 第 { $epoch }/{ $epochs } 轮
cli-run-validating = 正在验证
cli-run-remaining = 剩余 { $left }
cli-run-logs = 完整日志：preflight runs logs { $id }
cli-run-settings = { $imgsz } 像素 · 批大小 { $batch } · 种子 { $seed } · { $device }
cli-run-pausing = 将在当前一轮结束后暂停…
cli-run-pausing-in = 将在当前一轮结束后暂停，约需 { $left }…
cli-run-pausing-last = 这是最后一轮，运行将直接完成…
cli-run-pausing-now = 正在暂停…
cli-run-finished-instead = 运行在暂停之前已经完成。
cli-run-resume = 继续：preflight runs resume { $id }
cli-run-resumed = 运行 { $id } 从第 { $epoch } 轮之后继续。
cli-run-begins-again = 运行 { $id } 重新开始：此前没有完成任何一轮。
cli-run-keeps-on = 运行 { $id } 将继续进行，不再暂停。
cli-runs-none = 还没有运行。
cli-runs-none-such = 没有符合条件的运行。
cli-runs-delete-question = 将删除 { $count } 个运行及其权重、日志和图片，共 { BYTES($bytes) }。数据集不受影响。
cli-runs-deleted = 已删除 { $count } 个运行，释放 { BYTES($bytes) }。
cli-try-loading = 正在加载模型…
cli-try-nothing = 没有识别到置信度不低于 { $conf } 的目标。
cli-export-price = 导出需要把 { $packages } 加入训练环境：下载约 { BYTES($download) }，占用磁盘约 { BYTES($disk) }。
cli-field-state = 状态
cli-field-created = 开始时间
cli-field-dataset = 数据集
cli-field-model = 模型
cli-field-training = 训练
cli-field-epochs = 轮数
cli-field-took = 用时
cli-field-accepted = 已接受的阻碍
cli-field-note = 备注
cli-field-folder = 文件夹

## Environments

cli-go-on = 继续吗？[y/N]
cli-nothing-changed = 没有做任何更改。
cli-env-looking = 正在查找环境…
cli-env-price = 创建训练环境（{ $build }）：约下载 { BYTES($download) }，占用磁盘 { BYTES($disk) }，位于 { $path }。以 50 Mbit/s 的速度约需 { DURATION($seconds) }。
cli-env-remove-question = 将删除 { $path } 中的训练环境（{ BYTES($bytes) }）。
cli-env-removed = 已删除，释放了 { BYTES($bytes) }。
cli-weights-price = 下载 { $model } 的预训练权重：约 { BYTES($bytes) }。
cli-weights-holds = { $model }，参数 { $parameters } 个，类别 { $classes } 个，{ BYTES($bytes) }
cli-env-works = 训练环境可以使用，无需修复。
cli-env-missing = 应用自己的环境尚未创建。
cli-env-own = 应用自己的环境
cli-env-found = 在本机找到
cli-env-step-installer = 正在获取安装程序…
cli-env-step-python = 正在获取 Python
cli-env-step-resolving = 正在确定需要的软件包…
cli-env-step-installing = 正在安装…
cli-env-step-verifying = 正在验证：导入 torch 和 Ultralytics…
