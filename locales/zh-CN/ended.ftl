# 训练为什么结束：已知的情况、变化、补救办法。

fact-known-amp = 混合精度（AMP）
fact-known-batch = 每步图片数（batch）
fact-known-cache = 图片缓存
fact-known-dataset-finding = 数据集里发现的问题
fact-known-device = 训练设备
fact-known-driver = NVIDIA 驱动
fact-known-ended-by = 被信号终止
fact-known-error = 训练程序自己的报错
fact-known-exit-code = 退出码
fact-known-gpu-memory-left = 最后一次看到的空闲显存
fact-known-gpu-state = 显卡状态
fact-known-gpus = 显卡
fact-known-imgsz = 图片尺寸
fact-known-losses-not-finite = 不是数字的损失
fact-known-memory-left = 最后一次看到的电脑空闲内存
fact-known-memory-peak = 占用内存的最大值
fact-known-model = 模型
fact-known-oom-kills = 期间系统因内存不足而结束的程序数
fact-known-optimizer = 优化器
fact-known-python = Python
fact-known-room-for-outputs = 结束时运行目录所在磁盘的剩余空间
fact-known-room-for-workers = 结束时读图进程可用的共享内存
fact-known-system = 系统
fact-known-torch = PyTorch
fact-known-trained-epochs = 已完成的轮数
fact-known-ultralytics = Ultralytics
fact-known-workers = 读图进程数（workers）
changed-driver = NVIDIA 驱动
changed-gpus = 显卡
changed-system = 系统
changed-cpu = 处理器
changed-memory = 内存
changed-torch = PyTorch
changed-torchvision = torchvision
changed-ultralytics = Ultralytics
changed-python = Python 版本
changed-environment = 用于训练的 Python
changed-app = 本应用的版本
changed-dataset = 数据集
changed-fingerprint = 数据集的内容
changed-trained-on = 训练设备
changed-model = 模型
changed-weights = 初始权重
changed-batch = batch
changed-imgsz = 图片尺寸
changed-epochs = 轮数
changed-seed = 随机种子
changed-workers = 读图进程数（workers）
changed-device = 选择的设备
changed-chosen-python = 选择的 Python
changed-argument = { $name }
remedy-run-batch = 把 batch 从 { $before } 降到 { $batch }，重新训练
remedy-run-imgsz = 把图片尺寸从 { $before } 降到 { $imgsz } 像素，重新训练
remedy-run-amp-off = 关闭混合精度，重新训练
remedy-run-workers =
    { $workers ->
        [0] 不用单独的读图进程
       *[other] 用 { $workers } 个读图进程
    }，重新训练
remedy-run-cache-off = 不把图片缓存在内存里，重新训练
remedy-run-device = 改用第 { $index } 张显卡（{ $name }），重新训练
remedy-run-one-gpu = 只用一张显卡（第 { $index } 张），重新训练
remedy-run-gentle = 把学习率设为 0.001，重新训练
remedy-run-usual-rate = 恢复默认学习率，重新训练
remedy-run-weights = 重新下载 { $model } 的权重
remedy-run-mend-dataset = 在副本上修复数据集
remedy-run-again = 原样重新开始训练
remedy-run-free-disk = 查看哪些内容占用空间并删除
remedy-run-sign-in = 登录
remedy-run-write-to = 给管理员写消息
remedy-mend-killed = 先弄清是谁结束了它：有人手动结束、时间限制，还是别的程序。然后继续训练；如果还没有保存过，就重新开始。
remedy-mend-package-missing = 换用齐全的环境：使用应用自带的环境，或在当前环境里装上缺少的包。

finding-train-ended-from-outside = 训练被外部结束了
    .detail = 是别的东西让系统结束了它。训练日志里没有导致结束的原因。
finding-image-package-missing = 用于训练的 Python 缺少软件包
    .detail = 训练需要的软件包（PyTorch、Ultralytics 及其依赖）没有安装在启动训练所用的 Python 里。
cli-diagnosis-of-none = 训练 { $id } 没有失败。
ended-changed-since = 与上一次成功的训练（{ $id }）相比，有这些不同：
ended-nothing-changed = 已知的情况与上一次成功的训练（{ $id }）没有不同。

ended-report = 训练 { $name } 为什么失败
ended-why = 判断依据
ended-not-found = 没有识别出已知的原因。下面几行最能说明问题。
ended-what-to-do = 怎么办
ended-what-else = 还可能是什么
ended-what-changed = 与上一次成功训练相比的变化
ended-what-is-known = 关于这次训练的已知情况
ended-letter-hello = 您好，电脑 { $host } 上的一次训练无法继续。
ended-letter-seen = 看到的情况：
ended-letter-ask = 希望您帮忙：
ended-letter-run = 这次训练的编号是 { $id }；需要的话，我可以把报告和日志打包发给您。
problem-run-not-failed = 训练 { $id } 没有失败
    .help = 没有需要解释或发送的内容。
cli-runs-bundle = 打包处理失败训练所需的资料，不含隐私内容
cli-arg-bundle-to = 要写入的 zip 文件；不给出时只列出其中会有的内容
ended-bundle-piece =
    { BYTES($bytes) }{ $taken ->
        [0] { "" }
       *[other] ，去掉了 { $taken } 处隐私内容
    }
ended-bundle-how = 用 --to FILE.zip 写出。
window-dialog-bundles = 诊断包
window-dialog-save-bundle = 保存诊断包

failed-at = 停在：{ $stage }
failed-verb-wait = 可以等：它会自己恢复。
failed-verb-change = 这个问题您自己就能解决。
failed-verb-ask = 需要别人来处理。
failed-passed = 在它之前已通过：{ $stages }
failed-never = 在它之后没有运行：{ $stages }
failed-show-line = 在日志中查看第 { $line } 行
failed-nothing-changed = 已知的情况没有不同。
failed-help = 寻求帮助
failed-help-about = 一份关于这次失败的报告，或别人帮您时需要的全部资料。
failed-bundle = 打包发送…
failed-html = 报告（HTML）
failed-markdown = 报告（Markdown）
again-title = 修复并重新开始
again-about = 失败的那次训练保持原样，另外开始一次新的训练。
again-plan-changed = 方案已修改
again-plan-same = 方案保持不变
again-checking = 正在检查整条链路…
again-clear = 没有阻碍
again-blocked = 还有阻碍
again-starting = 正在启动…
again-open-plan = 打开方案
again-anyway = 仍然开始
mended-title = 已代替一次失败的训练重新开始
mended-undo = 撤销：结束这次训练并返回
mended-fine = 知道了
letter-title = 给管理员写消息
letter-about = 复制到消息里即可。其中不含密码和密钥。
letter-copy = 复制消息
bundle-title = 诊断包里有什么
bundle-about = 诊断包里就是这些文件，一字不差。不含图片和模型。
bundle-reading = 正在整理…
bundle-taken =
    { $count ->
        [0] 这些文件里没有发现隐私内容。
       *[other] 已去掉 { $count } 处密码、名称和地址。
    }
bundle-save = 保存诊断包…
bundle-saved = 已保存：{ $path }
failed-list-separator = { "、" }
finding-start-argument-invalid = 有一个训练参数无法识别
    .detail = 某个参数的名称或取值不被这个版本的 Ultralytics 接受，所以训练还没开始就结束了。
finding-data-images-corrupt = 图片无法读取
    .detail = 本应是图片的文件是空的、损坏的，或是别的类型。训练程序会跳过它们；如果一张也不剩，训练就结束。
remedy-mend-argument-invalid = 改正提示里指出的参数，或把它删掉。
remedy-mend-images-corrupt = 替换下面的依据里列出的文件，或在副本中去掉它们。
remedy-run-copy-dataset = 把数据集复制到本机，用副本训练
copy-title = 复制数据集并重新开始
copy-about = 图片和标注原样复制，不会改动数据集本身。
copy-looking = 正在查看需要复制的内容…
copy-size = { $images } 张图片，连同标注共 { BYTES($bytes) }。目标位置剩余空间：{ BYTES($free) }。
copy-size-alone = { $images } 张图片，连同标注共 { BYTES($bytes) }。
copy-no-room = 空间不足，放不下副本。请选择另一块磁盘上的文件夹。
copy-copying = 正在复制…
copy-begin = 复制并重新开始
room-title = 空间占用
room-about = 本应用存放在这块磁盘上的全部内容。您的数据集不在其中，不会受影响。
room-looking = 正在计算…
room-free = 共 { BYTES($total) }，剩余 { BYTES($free) }。
room-environment = 训练环境（Python、PyTorch）
room-weights = { $model } 的预训练权重
room-copy = 数据集 { $name } 的副本
room-rest = 示例、工具和设置
room-delete = 删除
room-delete-what = 删除 { $name }
room-delete-yes = 确认删除
room-in-use = 使用中
finding-data-dataset-gone = 找不到数据集（硬盘没接上？）
    .detail = 训练要开始时，一张图片也没有找到：可能是移动硬盘被拔出、网络文件夹没有连接，或文件夹被移走。请插上硬盘或重新连接网络文件夹，然后点击按钮。
