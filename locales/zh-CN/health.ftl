### 运行过程中的状况。

finding-train-stalled = 已有 { DURATION($seconds) } 没有进展
    .detail = { $doing ->
        [idle] 训练进程还在，但它和显卡都没有在工作：通常是在等待速度很慢或已断开的磁盘上的文件，或者在等待它自己某个卡住的子进程。
        [busy] 训练进程在忙，却没有完成任何一步：可能陷入了没有尽头的计算，或者显卡已不再响应。
       *[unknown] 训练进程还在，但没有完成任何一步。
    }
finding-train-not-finite = 自第 { $epoch } 轮第 { $step } 步起，损失不再是有效数值（NaN 或无穷大）
    .detail = 从这里开始模型学不到任何东西。较新的训练程序会自动退回到上一次的权重重试几次；只要有一轮从头到尾都正常，此提示就会消失。
finding-train-slower = 训练变慢了，每步用时是之前的 { DECIMAL($times) } 倍
    .detail = 与本次运行自己曾达到的速度相比，不含验证。最常见的原因是其他程序开始占用显卡、处理器或磁盘。
finding-data-loading-slow = { PERCENT($share) } 的时间花在等待加载图片上
    .detail = 模型等图片的时间比学习的时间还多。加快图片加载能让训练变快，换更快的显卡则不能。
finding-memory-ram-nearly-full = 计算机内存快用完了
    .detail = 只剩 { BYTES($free) }。内存耗尽时，系统会结束某个程序来腾出空间，而训练是其中最大的一个。
finding-memory-gpu-nearly-full = 显存已用 { $percent }
    .detail = 只剩 { BYTES($free) }。遇到目标更多的图片，或有别的程序使用这块显卡，训练就会中断。
finding-memory-batch-halved = 训练程序把批大小从 { $before } 减到了 { $batch }
    .detail = 显存不够用，训练程序改用更小的批大小重新开始。训练会继续，但与原计划不同。
finding-start-disk-running-out = 磁盘快满了
    .detail = 只剩 { BYTES($free) }。照这样下去，本次训练余下要写入的内容放不下。
finding-gpu-pool-lost = 显卡掉线了
    .detail = 驱动报告这块显卡已不再响应，训练无法在它上面继续。
finding-gpu-pool-too-hot = 显卡过热，正在自动降频
    .detail = 显卡是安全的，但训练会变慢。
fact-since-last-step = 距上一步
fact-usual-step = 平时每步用时
fact-cpu-use = 单个处理器核心的占用
fact-gpu-use = 显卡占用
fact-losses-not-finite = 不是有效数值
fact-step-now = 现在每步用时
fact-step-before = 之前每步用时
fact-loading-share = 等待图片的时间占比
fact-memory-of-run = 训练占用
fact-disk-need = 训练至少还需要
fact-disk-falls = 可用空间减少速度
fact-gpu-temperature = 温度
fact-effective-batch = 每步图片数
remedy-read-log = 查看日志末尾：那里写着训练程序正在做什么。
remedy-start-again = 如果再过很久仍没有进展，请结束训练并重新开始。
remedy-lower-learning-rate = 用更低的学习率（lr0）重新训练，例如原来的十分之一。
remedy-without-mixed-precision = 或者关闭混合精度（amp = false）重新训练。
remedy-see-what-else-runs = 看看这台计算机和这块显卡上还在运行什么。
remedy-more-workers = 如果处理器还有空闲核心，增加图片加载进程数。
remedy-cache-images = 如果内存放得下，把图片缓存在内存中（cache = "ram"），或把数据集放到更快的磁盘上。
remedy-fewer-workers = 下次减少图片加载进程数，或不要把图片缓存在内存中。
remedy-restart-after-loss = 重新启动计算机。如果再次发生，可能是显卡、连接线或电源有问题。
remedy-cool-card = 改善散热：清理灰尘、检查风扇、给机箱留出空间，或降低显卡的功耗上限。

# 运行页面。
run-loading = 加载图片
run-stalled = 已有 { DURATION($seconds) } 没有进展

# 设置页面。
settings-training = 训练期间
settings-keep-awake = 不让计算机休眠
settings-keep-awake-about = 训练结束之前计算机不会自动休眠。屏幕仍会熄灭，合上盖子仍会休眠。
settings-resume = 重启后自动继续
settings-resume-about = 因关机或重启而中断的训练，会在打开应用后自动继续。
settings-notifications = 通知
settings-notifications-about = 训练完成、失败、自动暂停或不再进展时由桌面发出通知，关闭本窗口后也一样。

# 桌面通知。
notice-succeeded = 训练完成
notice-failed = 训练失败
notice-paused = 训练已暂停：磁盘已满
notice-stalled = 训练没有进展
notice-run = { $dataset } · { $model }
notice-result = { $dataset } · { $model }：mAP50 { DECIMAL($map50, digits: 3) }
notice-why = { $dataset } · { $model }：{ $why }
finding-start-not-kept-awake = 训练期间计算机可能会休眠
    .detail = 系统没有同意保持唤醒。休眠时不会训练；唤醒后训练会继续。
fact-system-answer = 系统的回答
remedy-no-automatic-sleep = 训练期间请在系统的电源设置中关闭自动休眠。
