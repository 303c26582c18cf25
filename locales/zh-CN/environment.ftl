### environment

problem-environment-does-not-start = 无法试用位于 { $path } 的 Python。
    .help = 修复训练环境，或选择其他环境。
problem-environment-no-answer = 位于 { $path } 的 Python 在 { $seconds } 秒内没有响应。
    .help = 可能是磁盘较慢或杀毒软件正在扫描，稍等一分钟再检查。如果仍然如此，则修复训练环境。
problem-environment-module-missing = 位于 { $path } 的 Python 没有安装 { $module }。
    .help = 选择装有 torch、torchvision 和 Ultralytics 的环境，或由本应用创建一个。
problem-environment-does-not-work = 位于 { $path } 的 Python 无法加载 { $module }。
    .help = 修复训练环境，或选择其他环境。
problem-environment-python-gone = 训练环境找不到它的 Python：{ $path } 已失效。
    .help = 修复训练环境。创建环境时所用的 Python 被升级或卸载后会出现这种情况。
reason-driver-failed = NVIDIA 驱动无法工作：{ $message }
problem-environment-build-unknown = NVIDIA 驱动没有报告它支持的 CUDA 版本，因此无法确定合适的 PyTorch 版本。
    .help = 查看链条中的驱动一环；驱动恢复正常后再创建训练环境。
