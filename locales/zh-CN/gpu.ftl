### 显卡、显卡健康状况，以及周边环境。

reason-smi-does-not-ask = 此次通过 nvidia-smi 而非驱动库查询，未能得到该信息。
reason-not-on-this-system = 当前操作系统不提供此信息。
reason-kernel-log-closed = 当前用户无权读取内核日志。

# Whether a card can be used at all.
finding-gpu-pool-card-lost = { $name } 已无响应
    .detail = 电脑与显卡失去了连接。原因在于供电、散热、插槽或显卡本身，与训练无关。
finding-gpu-pool-compute-prohibited = { $name } 被设置为禁止计算
    .detail = 管理员将其计算模式设为“Prohibited”。
finding-gpu-pool-held-exclusively = { $name } 一次只允许一个程序，目前已被占用
    .detail = 其计算模式为“Exclusive Process”：在该程序结束之前，有空闲显存也无法使用。
finding-gpu-pool-divided = { $name } 已划分为 { $count } 个实例
    .detail = 启用 MIG 后，一次训练只能使用其中一个实例及其显存，无法使用整张显卡。未指定实例时，使用空闲显存最多的一个：{ $slice }
finding-gpu-pool-divided-among-several = { $name } 已划分为 { $count } 个实例，不能与其他显卡一起训练
    .detail = 启用 MIG 后，一个程序只能看到一个实例，看不到其他显卡。请选择其中一个实例，或选择未划分的显卡。
finding-gpu-pool-no-such-slice = 本机没有名为 { $name } 的实例
    .detail = 方案指定的显卡实例不存在。显卡重新划分后，实例会有新的名称。
finding-gpu-pool-divided-without-parts = { $name } 已启用 MIG，但尚未创建实例
    .detail = 启用 MIG 而没有创建实例时，任何程序都无法在该显卡上计算。

# Your training, or your card?
finding-gpu-pool-memory-defective = { $name } 的显存正在损坏
    .detail = 备用显存行已经用尽。在这张卡上训练会中断或得到错误结果，原因在显卡本身。
finding-gpu-pool-memory-repair-pending = { $name } 有显存错误，重启后可以修复
    .detail = 显卡发现了出错的显存行，会在重新启动时用备用行替换。
finding-gpu-pool-memory-errors-before = { $name } 曾出现显存错误，已用备用显存替换
    .detail = 目前工作正常。如果只有这张卡上的训练经常中断，请怀疑显卡本身。
finding-gpu-pool-throttled-by-heat = { $name } 因过热而降速
    .detail = 可以训练，但在改善散热之前会更慢。
finding-gpu-pool-power-brake = { $name } 因供电问题而降速
    .detail = 显卡或电源正在自我保护。电源功率不足或线缆松动迟早会使训练中断。
finding-gpu-pool-power-set-low = { $name } 的功率上限被调低
    .detail = 有人设置了较低的上限。可以训练，只是更慢。
finding-gpu-pool-slow-link = { $name } 的连接速度低于应有水平
    .detail = 图片传到显卡的速度变慢。常见原因是插错了插槽或没有插紧。
finding-gpu-pool-card-reported-faults = 开机以来 { $name } 报告过自身故障
    .detail = 驱动的这些报告指向显卡、供电或插槽，而不是所运行的计算。如果训练曾经中断，原因可能就在这里。
finding-gpu-pool-program-reported-faults = 开机以来 { $name } 上有程序出过错
    .detail = 驱动的这些报告指向当时运行的程序，而不是显卡。

# Several cards.
finding-gpu-pool-cards-differ = 所选显卡型号不一致
    .detail = 每张卡分到同样多的图片：显存最小的卡决定批大小上限，最慢的卡决定整体速度。
finding-gpu-pool-several-on-windows = 在 Windows 上用多张显卡训练较慢，也容易出错
    .detail = NVIDIA 的多卡通信库（NCCL）只支持 Linux。建议使用单卡，或改用 Linux。

# Apple's own GPU.
finding-gpu-pool-apple-gpu = 将使用 Apple GPU 训练
    .detail = 它与整台电脑共用内存。
finding-gpu-pool-no-apple-gpu = 本机没有 Apple GPU
    .detail = 方案指定使用 Apple GPU（mps）。请改选本机现有的设备。
finding-gpu-pool-apple-gpu-offered = 可以使用 Apple GPU 训练
    .detail = 通常比 CPU 快。可在方案中选择。

# What programs see.
finding-gpu-pool-hidden-from-programs = 从这里启动的程序看不到任何显卡
    .detail = CUDA_VISIBLE_DEVICES 隐藏了全部显卡。本应用启动训练时不带该变量，可以看到所有显卡。
finding-gpu-pool-other-numbers-for-programs = 从这里启动的程序会把 { $first } 当作 0 号显卡
    .detail = CUDA_VISIBLE_DEVICES 改变了它们的编号方式，本应用称其为 { $index } 号。本应用启动训练时不带该变量。
finding-gpu-pool-numbers-unclear-for-programs = 从这里启动的程序对显卡的编号可能不同
    .detail = 未设置 CUDA_DEVICE_ORDER=PCI_BUS_ID 时，它们会把最快的显卡当作 0 号。本应用启动的训练始终使用这里显示的编号。
finding-gpu-pool-other-maker = 本机的显卡来自 { $vendor }
    .detail = 训练需要支持 NVIDIA CUDA 的显卡；这张卡不会被使用，将由 CPU 训练。

# NVIDIA's driver.
finding-driver-told-by-program = 显卡信息来自 nvidia-smi
    .detail = 无法加载驱动库，因此缺少部分信息。训练不受影响。
finding-driver-card-beyond-knowledge = { $name } 比本应用所了解的显卡更新
    .detail = 应用内的资料截至 { $date }。torch 能否在这张卡上运行需要实际尝试：长时间训练之前请先试运行。
finding-driver-fits-forward = NVIDIA 驱动 { $driver } 支持到 CUDA { $serves }，但 torch { $torch } 仍可正常使用
finding-driver-ptx-too-new = 使用当前驱动，torch { $torch } 很可能无法在 { $name } 上运行
    .detail = torch 没有计算能力 { $capability } 的现成代码，只带有需要驱动翻译的形式；而支持 CUDA { $serves } 的驱动无法识别 CUDA { $needs } 生成的内容。
finding-driver-device-file-closed = 当前用户无权使用 { $path }
    .detail = 驱动工作正常，但该用户的程序无法通过此文件访问显卡。
finding-driver-uvm-missing = 缺少驱动的一部分：/dev/nvidia-uvm
    .detail = 可以看到显卡，但无法用它计算：常见于休眠或更新之后，或容器没有获得此文件。
finding-driver-driver-not-installed-wsl = Windows 没有向此 Linux 提供显卡驱动
    .detail = WSL 使用 Windows 的驱动，不应在 Linux 内另外安装。
finding-driver-nouveau-holds-card = 显卡被 nouveau 驱动占用，该驱动无法用于计算
    .detail = 训练需要 NVIDIA 官方驱动。
finding-driver-module-missing = NVIDIA 驱动没有为当前内核构建
    .detail = 常见于内核更新之后：需要为新内核重新构建驱动模块。
finding-driver-module-refused = 安全启动（Secure Boot）拒绝加载 NVIDIA 驱动
    .detail = 驱动已安装，但电脑只加载由已知密钥签名的模块。

# What else a training needs.
finding-data-shared-memory-too-small = 共享内存太小，容不下传输中的 { BYTES($need) } 图片
    .detail = 读取图片的进程通过 /dev/shm 传递图片，而那里只剩 { BYTES($free) }。训练会因“Bus error”而终止。
finding-data-shared-memory-short = 共享内存可能不足
    .detail = 最多会有 { BYTES($need) } 图片经过 /dev/shm，而那里只剩 { BYTES($free) }。
finding-data-few-watches = 可能察觉不到大型数据集的变化
    .detail = 当前用户可同时监视的文件夹较少。训练不受影响。
finding-memory-paging-file-small = Windows 的分页文件较小
    .detail = 每个读取图片的进程在加载 torch 时会预留数 GB 内存，其中大部分不会用到。Windows 无法满足时会报“页面文件太小”并终止。
finding-start-few-open-files = 最多只能同时打开 { $files } 个文件
    .detail = 读取图片的进程可能因“Too many open files”而失败。
finding-start-processor-busy = 处理器已经很忙
    .detail = 读取图片会比平时慢。
finding-start-clock-wrong = 本机时钟不正确
    .detail = 日期相差太远时，下载和登录都会失败。
finding-start-temporary-space-short = 存放临时文件的空间不足
    .detail = { $path } 还剩 { BYTES($free) }。

# What was seen.
fact-compute-mode = 计算模式
fact-compute-capability = 计算能力
fact-kernel-log = 内核日志
fact-kernel-module = 内核模块
fact-mig-part = 实例
fact-mig-part-memory = 实例，空闲 { BYTES($free) }，共 { BYTES($total) }
fact-gpu-run = 占用显卡的本应用训练
fact-remapped-rows = 已替换的显存行
fact-retired-pages = 已停用的显存页
fact-ecc-uncorrected = 无法纠正的显存错误
fact-throttled = 降速原因
fact-temperature = 温度
fact-power-limit = 功率上限（当前 / 默认）
fact-pcie-link = 连接（当前 / 最高）
fact-cuda-visible-devices = CUDA_VISIBLE_DEVICES
fact-cuda-device-order = CUDA_DEVICE_ORDER
fact-display-adapter = 显示适配器
fact-shared-memory = 剩余共享内存
fact-paging-file = 剩余分页文件
fact-open-files = 可同时打开的文件数
fact-watches = 可监视的文件夹数
fact-load = 负载 / 核心数
fact-clock = 自 1970 年起的秒数

# What helps.
remedy-set-compute-mode = 请管理员允许计算：nvidia-smi -i { $index } -c DEFAULT
remedy-make-mig-parts = 请管理员创建实例，或关闭 MIG：nvidia-smi -i { $index } -mig 0
remedy-use-slice = 使用实例 { $name }
remedy-use-apple-gpu = 使用 Apple GPU
remedy-open-run = 查看训练 { $run }
remedy-cancel-run = 结束训练 { $run }
remedy-replace-card = 改用其他显卡，并更换这张卡
remedy-improve-cooling = 清理滤网和风扇，改善电脑通风
remedy-check-power = 检查显卡的供电线、电源和插槽
remedy-reseat-card = 将显卡插入最快的插槽并插紧
remedy-end-process = 结束 { $name }（{ $pid }）
remedy-install-torch-for = 安装面向 CUDA { $cuda } 的 torch
remedy-update-driver-to = 从 nvidia.com/drivers 将 NVIDIA 驱动更新到 { $driver } 或更高版本，然后重启电脑
remedy-card-no-longer-served = 换用其他显卡：现有的 torch 版本都不再支持这张卡
remedy-install-cuda-compat = 或请管理员安装 NVIDIA 为数据中心显卡提供的软件包 { $package }
remedy-load-uvm = 重启电脑，或加载模块：sudo modprobe nvidia_uvm
remedy-install-windows-driver = 在 Windows 中安装 NVIDIA 驱动，然后运行：wsl --shutdown
remedy-enrol-key = 登记驱动的密钥（mokutil）或关闭安全启动，然后重启电脑
remedy-no-workers = 不使用额外进程读取图片（workers = 0）
remedy-larger-shared-memory = 启动容器时增大共享内存：--shm-size 8g 或 --ipc host
remedy-enlarge-paging-file = 让 Windows 在空间充足的磁盘上自动管理分页文件
remedy-raise-open-files = 提高上限：ulimit -n 4096
remedy-raise-watches = 请管理员提高 fs.inotify.max_user_watches
remedy-set-clock = 在系统设置中开启自动校时

# The page of cards.
nav-gpu = 显卡
gpu-summary = { $count } 张显卡中 { $free } 张空闲 · 驱动 { $driver } · 最高支持 CUDA { $cuda }
gpu-chart-memory = 显存
gpu-chart-utilization = 利用率
gpu-chart-temperature = 温度
gpu-chart-power = 功率
gpu-no-holders = 没有程序占用显存。
gpu-slices = 实例
gpu-part-memory = 已用 { BYTES($used) }，共 { BYTES($total) }
gpu-run = 训练 { $run }
gpu-not-told = 未提供
gpu-clock = { $mhz } / { $max } MHz
gpu-link = PCIe { $generation }.0 × { $width }
gpu-mode-exclusive = 一次一个程序
gpu-mode-prohibited = 禁止使用
gpu-tell = 空闲时通知我
gpu-tell-stop = 不再通知
examine-title = 本机
examine-about = 检查驱动、训练环境及周边条件，并试算一次加以确认。
examine = 全面检查
end-process-title = 结束 { $name }（{ $pid }）？
end-process-about = 先请它自行退出，几秒后仍未退出则强制结束。
end-process-warning = 未保存的内容会丢失。本应用的训练请在其页面上停止。
end-process = 结束
start-when-free = 空闲后开始
start-waiting = 正在等待显卡
wait-tell = { $what } 空闲时会通知你
wait-tell-about = 请保持应用打开。同一时间只等待一项。
wait-start = 显卡空闲后将开始训练 { $what }
wait-start-about = 开始前会再全面检查一次。请保持应用打开。
wait-since = 已等待 { $time }。
wait-stop = 不再等待
wait-free = { $what } 已空闲
wait-started = { $what } 的训练已经开始
wait-look = 查看
wait-stopped = { $what } 的训练未能开始
wait-review = 查看方案
notice-card-free = 有显卡空闲了
notice-card-free-text = { $name }
notice-started = 等待中的训练已经开始
notice-not-started = 等待中的训练无法开始
notice-waited-text = { $name }
problem-gpu-not-your-program = 程序 { $pid } 不在显卡上，或不属于你
    .help = 请重新查看显卡：它可能已经自行结束。
problem-gpu-does-not-end = 程序 { $pid } 无法结束
    .help = 它可能卡在驱动中，重启电脑可以结束它。
