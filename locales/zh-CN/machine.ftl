### 本机：显卡、驱动、处理器、磁盘。

reason-memory-not-told = 系统未提供本机的内存大小。
reason-folder-not-found = 文件夹 { $path } 不存在。
reason-process-hidden = 系统未提供该程序的名称。
reason-gpu-memory-not-told = 驱动未提供该程序占用的显存。
reason-gpu-answer-unreadable = 驱动返回的内容无法识别。
reason-gpu-not-supported = 该显卡或其驱动不提供此信息。
reason-gpu-no-permission = 当前用户无权查询。
reason-gpu-lost = 显卡已无响应。重启电脑通常可以解决，否则请检查供电和散热。
reason-gpu-no-power = 显卡供电线未正确连接。
reason-gpu-error = 驱动报告错误：{ $error }

# Which device trains.
finding-gpu-pool-unknown = 无法查看显卡状态
    .detail = NVIDIA 驱动没有响应，无法判断显卡是否空闲。
finding-gpu-pool-invalid-device-id = 本机没有编号为 { $index } 的显卡
    .detail = 方案指定的显卡不存在。请改选现有的显卡，或使用 CPU。
finding-gpu-pool-memory-unknown = { $name } 未提供空闲显存信息
finding-gpu-pool-memory-busy = { $name } 正忙：其他程序占用了几乎全部显存
    .detail = 显存共 { BYTES($total) }，仅剩 { BYTES($free) }。可以等待下列程序结束、将其关闭，或改用其他显卡。
finding-gpu-pool-computing = 另一个程序正在使用 { $name } 计算
    .detail = 显卡利用率为 { PERCENT($utilization) }。可以训练，但两边都会变慢。
finding-gpu-pool-memory-shared = { $name } 已被部分占用，剩余显存 { BYTES($free) }
finding-gpu-pool-free = { $name } 空闲，可用显存 { BYTES($free) }
finding-gpu-pool-processor = 将使用 CPU 训练
    .detail = 选择数据集后才能估计用时。显卡通常快 10 到 50 倍。
finding-gpu-pool-processor-quick = 将使用 CPU 训练，大约需要 { DURATION($low) } 到 { DURATION($high) }
finding-gpu-pool-processor-slow = CPU 训练较慢：大约需要 { DURATION($low) } 到 { DURATION($high) }
    .detail = 根据图片数量、轮数和模型粗略估计。显卡通常快 10 到 50 倍；减小图片尺寸或换用更小的模型也有帮助。
finding-gpu-pool-processor-takes-days = CPU 训练需要数天：大约 { DURATION($low) } 到 { DURATION($high) }
    .detail = 根据图片数量、轮数和模型粗略估计。建议使用显卡、更小的模型、更小的图片尺寸或更少的轮数。

# NVIDIA's driver, and how torch fits it.
finding-driver-unknown = NVIDIA 驱动没有响应
finding-driver-driver-not-installed = 未安装 NVIDIA 驱动
    .detail = 使用显卡训练必须安装 NVIDIA 驱动。
finding-driver-driver-not-loaded = NVIDIA 驱动已安装，但没有运行
    .detail = 常见于系统更新之后，或安全启动（Secure Boot）拒绝加载驱动。重启电脑通常可以解决，否则需要重新安装驱动。
finding-driver-nvml-version-mismatch = NVIDIA 驱动更新后尚未重启电脑
    .detail = 正在运行的驱动与其库文件版本不一致，重启之前任何程序都无法使用显卡。
finding-driver-no-permission = 当前用户无权使用显卡
finding-driver-driver-failed = NVIDIA 驱动报告错误
finding-driver-torch-cpu-build = 训练环境无法使用显卡
    .detail = 其中的 torch（{ $torch }）只支持 CPU，需要换成支持 NVIDIA 显卡的版本。
finding-driver-driver-too-old = NVIDIA 驱动 { $driver } 对这个训练环境来说过旧
    .detail = 驱动最高支持 CUDA { $serves }，而 torch { $torch } 基于 CUDA { $needs } 构建。请更新驱动，或安装基于较旧 CUDA 的 torch。
finding-driver-no-kernel-image = { $age ->
    [new] { $name } 太新，训练环境尚不支持
   *[old] { $name } 太旧，训练环境已不支持
}
    .detail = { $age ->
        [new] torch { $torch } 不包含计算能力 { $capability } 的代码。这张卡需要面向 CUDA { $first } 或更高版本的 torch。
       *[old] torch { $torch } 已不再包含计算能力 { $capability } 的代码。支持这张卡的最后一个 CUDA 版本是 { $last }。
    }
finding-driver-cuda-unavailable = torch 无法访问显卡
    .detail = torch { $torch } 支持 NVIDIA 显卡，驱动也正常响应，但 torch 没有找到可用的显卡。重启电脑通常可以解决。
finding-driver-works = NVIDIA 驱动 { $driver } 工作正常
finding-driver-fits = NVIDIA 驱动 { $driver } 与 torch { $torch } 匹配

# Whether the trainer can start and write.
finding-start-unknown = 无法查看存放结果的磁盘
finding-start-ready = 可以写入结果，剩余空间 { BYTES($free) }
finding-start-not-writable = 无法写入 { $path }
    .detail = 训练会把权重保存在这里。请为当前用户授予写入权限，或用 PREFLIGHT_HOME 指定其他文件夹。
finding-start-disk-full = 磁盘空间不足，无法保存结果
    .detail = 一次训练至少需要 { BYTES($need) }，{ $path } 只剩 { BYTES($free) }。
finding-start-disk-nearly-full = 存放结果的磁盘空间所剩不多
    .detail = 一次训练至少需要 { BYTES($need) }，{ $path } 还剩 { BYTES($free) }。
finding-start-no-epochs = 至少需要训练 1 轮
finding-start-no-batch = 每批至少需要 1 张图片
finding-start-image-size-too-small = 图片尺寸 { $imgsz } px 过小
    .detail = 最小为 32 px，多数训练使用 320 到 1,280 px。
finding-start-image-size-rounded = 图片尺寸将使用 { $rounded } px，而不是 { $imgsz }
    .detail = 模型要求尺寸为 32 的倍数，训练程序会向上取整。
finding-start-batch-below-cards = 批大小 { $batch } 无法分配到 { $cards } 张显卡
finding-start-batch-uneven = 批大小 { $batch } 无法平均分配到 { $cards } 张显卡
    .detail = 不同版本的训练程序会直接报错，或在每一步中少用一些图片。
finding-start-argument-refused = 训练程序会拒绝其他参数中的 { $name }

# What was seen.
fact-gpu = 显卡
fact-gpu-memory-used = 已用显存
fact-gpu-utilization = 利用率
fact-gpu-process = 占用显卡的程序
fact-processor = 处理器
fact-driver-message = 驱动返回的信息
fact-driver-version = 驱动版本
fact-driver-cuda = 驱动支持的 CUDA 版本
fact-torch = torch
fact-torch-architectures = torch 支持的架构
fact-disk-free = 剩余空间
fact-write-error = 系统返回的信息

# What helps.
remedy-use-processor = 使用 CPU 训练
remedy-use-gpu = 使用 { $index } 号显卡
remedy-use-graphics-card = 使用显卡
remedy-get-graphics-card = 换用带 NVIDIA 显卡的电脑
remedy-free-gpu = 关闭占用显存的程序
remedy-install-driver = 从 nvidia.com/drivers 安装 NVIDIA 驱动，然后重启电脑
remedy-reinstall-driver = 重新安装 NVIDIA 驱动，然后重启电脑
remedy-update-driver = 从 nvidia.com/drivers 更新 NVIDIA 驱动，然后重启电脑
remedy-restart-computer = 重启电脑
remedy-ask-for-gpu-rights = 联系本机管理员，获取显卡使用权限（Linux 上通常需要加入 video 和 render 用户组）
remedy-make-writable = 为当前用户授予写入权限
remedy-free-disk = 删除不再需要的文件
remedy-set-epochs = 训练 { $epochs } 轮
remedy-set-batch = 批大小改为 { $batch }
remedy-set-image-size = 使用 { $imgsz } px
remedy-smaller-images = 图片尺寸改为 { $imgsz } px
remedy-remove-argument = 从其他参数中移除 { $name }

# What trains: the Python environment, the model, its first weights.
finding-image-unknown = 无法检查训练环境
finding-image-missing = 尚未安装训练环境
    .detail = Python、torch 和 Ultralytics 会安装到本应用自己的文件夹中，不会改动电脑上的其他内容。
finding-image-python-missing = { $path } 处没有 Python
finding-image-python-not-accepted = 方案指定了本机尚不认识的程序
    .detail = { $path } 会被作为训练用的 Python 启动。来自他人的方案可以指定任何程序，请在确认其来历后再接受。
finding-image-broken = 训练环境无法使用
    .detail = 已运行 { $path }，但无法加载 torch 和 Ultralytics。
finding-image-ultralytics-too-old = Ultralytics { $ultralytics } 还不支持 { $model }
    .detail = { $model } 需要 Ultralytics { $needed } 或更高版本。
finding-image-ready = 训练环境正常：Ultralytics { $ultralytics }、torch { $torch }、Python { $python }
finding-image-model-unknown = 没有名为 { $model } 的模型
finding-image-model-without-figures = { $model } 所需的内存和时间未知

finding-data-not-chosen = 尚未选择数据集
finding-data-unknown = 数据集尚未读取完成
finding-data-unreadable = 无法读取数据集
finding-data-read = 训练图片 { $train } 张，验证图片 { $val } 张，类别 { $classes } 个
finding-data-fewer-images-than-batch = 批大小 { $batch } 超过了训练图片总数 { $images }
    .detail = 训练程序每一步会使用 { $images } 张图片。
finding-data-labels-are-outlines = 标注是轮廓，模型将学习轮廓的外接框
finding-data-labels-are-rotated-boxes = 标注是旋转框，模型将学习其水平外接框
finding-data-labels-are-key-points = 标注是带关键点的框，模型只学习其中的框
finding-data-dataset-wrong-type-for-task = 该数据集只对整张图片分类，没有检测框
    .detail = 模型学习的是目标在图片中的位置，每个目标都需要检测框。请选择带检测框的数据集。

remedy-create-environment = 安装训练环境
remedy-repair-environment = 重新安装训练环境
remedy-mend-own-environment = 自行修复该 Python 环境，或另选一个
remedy-accept-python = 使用这个 Python
remedy-own-environment = 使用应用自带的环境
remedy-choose-model = 选择模型
remedy-from-scratch = 从零开始训练
remedy-choose-dataset = 选择数据集
