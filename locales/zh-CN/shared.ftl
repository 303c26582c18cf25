### shared

# The links of the chain, in order.
stage-auth = 账号
stage-quota = 额度
stage-gpu-pool = 显卡
stage-driver = 驱动
stage-image = 环境
stage-data = 数据集
stage-memory = 内存
stage-start = 启动
stage-train = 训练
stage-results = 结果

# How a link of the chain stands.
link-not-needed = 不需要
link-pending = 尚未开始
link-active = 进行中
link-ok = 正常
link-warning = 有警告
link-unknown = 无法确定
link-blocker = 受阻

# What a person can do about a blocker.
verb-wait = 等待
verb-change = 修改
verb-ask = 求助

# The life of a run.
run-state-queued = 排队中
run-state-preparing = 准备中
run-state-running = 运行中
run-state-paused = 已暂停
run-state-succeeded = 已完成
run-state-failed = 失败
run-state-cancelled = 已取消
run-state-lost = 已失联

# Why something is not known.
reason-not-observed = 尚未检查。
reason-still-looking = 仍在检查中。
reason-no-answer = { $seconds } 秒内没有响应。
reason-system-error = 系统报告错误：{ $error }
reason-no-dataset-chosen = 尚未选择数据集。
remedy-look-again = 重新检查
