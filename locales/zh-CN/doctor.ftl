### 对本机的检查。

cli-doctor = 检查本机是否适合训练：显卡、驱动、环境、系统限制
cli-arg-watch = 约每秒查看一次，按 Ctrl+C 结束
cli-arg-times = 配合 --watch：查看指定次数后结束
cli-arg-without-computing = 不在训练环境中试算
cli-doctor-looking = 正在检查本机…
doctor-system = 系统
doctor-processor = 处理器
doctor-memory = 空闲内存
doctor-swap = 空闲交换空间
doctor-shared-memory = 空闲共享内存
doctor-open-files = 可同时打开的文件
doctor-watches = 可监视的文件夹
doctor-load = 负载
volume-for-runs = 训练磁盘
volume-for-environment = 环境磁盘
volume-for-temporary = 临时文件磁盘
volume-for-dataset = 数据集磁盘

finding-driver-computes = torch 可以在 { $name } 上计算，试算用时 { DURATION($seconds) }
finding-driver-does-not-compute = torch 在显卡上计算失败
    .detail = 显卡、驱动和 torch 看上去匹配，但一次小型试算失败（{ $step }）。
finding-image-computes = torch 可以在处理器上计算，试算用时 { DURATION($seconds) }
finding-image-does-not-compute = torch 在处理器上计算失败
    .detail = 环境可以加载，但一次小型试算失败（{ $step }）。
fact-torch-error = torch 返回的信息
