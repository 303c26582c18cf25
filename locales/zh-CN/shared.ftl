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
link-paused = 已暂停
link-cancelled = 已取消
link-ok = 正常
link-warning = 有警告
link-unknown = 无法确定
link-blocker = 受阻
link-stopped = 停在这里

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
reason-model-needs-environment = 训练环境可用后才能查看。
reason-still-looking = 仍在检查中。
reason-no-answer = { $seconds } 秒内没有响应。
reason-system-error = 系统报告错误：{ $error }
reason-no-dataset-chosen = 尚未选择数据集。
remedy-look-again = 重新检查

# What could not be done, whatever the part of the app.
problem-internal-task = 一个内部任务意外结束。
problem-internal-no-program = 系统未提供本程序的位置。
problem-file-unwritable = 无法写入 { $path }。
    .help = 检查文件夹是否存在、是否可写，以及磁盘是否已满。
problem-file-unreadable = 无法读取 { $path }。
problem-home-unknown = 系统未提供存放用户文件的位置。
    .help = 将环境变量 PREFLIGHT_HOME 设为一个自选的文件夹。
problem-home-unusable = 无法创建应用文件夹 { $path }。
    .help = 检查该位置是否可写，或将环境变量 PREFLIGHT_HOME 设为其他文件夹。
problem-settings-invalid = 无法读取 { $path } 中的设置。
    .help = 修正该文件，或将其删除以恢复默认设置。
problem-settings-unwritable = 无法保存设置。
problem-plan-invalid = 方案 { $path } 第 { $line } 行无效。
    .help = 请更正该行。文件未被改动。
problem-plan-draft-broken = 无法读取上次未完成的训练设置。
    .help = 已重新开始，旧的设置保留在 { $path }。
problem-plan-too-new = 该方案由更新版本的应用写入（格式 { $format }，本版本最高支持 { $supported }）。
    .help = 更新应用。
problem-plan-unwritable = 方案中含有文件无法保存的路径或名称。

# 通用文字。
bytes = { BYTES($bytes) }
bytes-about = 约 { BYTES($bytes) }
duration = { DURATION($seconds) }
percent = { PERCENT($share) }
cancel = 取消
close = 关闭
save = 保存
undo = 撤销
loading = 正在加载
settings-look = 语言和外观
settings-language = 语言
settings-theme = 主题
settings-theme-system = 跟随系统
settings-theme-light = 浅色
settings-theme-dark = 深色
settings-saved = 设置已保存。
settings-about = 关于
settings-about-licence = YOLO Preflight 采用 MIT 或 Apache-2.0 许可。执行训练的 Ultralytics 是独立程序，采用 AGPL-3.0 或商业许可。
