### window

# The system's dialogs.
window-dialog-dataset-folder = 选择数据集文件夹
window-dialog-dataset-file = 选择数据集的 data.yaml
window-dialog-dataset-files = 数据集描述文件
window-dialog-weights = 选择权重文件
window-dialog-weights-files = PyTorch 权重
window-dialog-open-plan = 打开计划
window-dialog-save-plan = 保存计划
window-dialog-plans = 计划

# What the window could not do.
problem-window-not-opened = 无法打开窗口。
problem-window-no-desktop = 没有可打开窗口的桌面。
    .help = 在终端中使用 `preflight` 命令，无需窗口即可检查和训练。
problem-run-blocked = 训练未启动，存在阻碍项（{ $codes }）。
problem-open-refused = 不能从这里打开 { $target }。
problem-open-failed = 无法打开 { $target }。

skip-to-content = 跳到主要内容
nav-label = 页面
nav-new = 新建训练
nav-runs = 训练记录
nav-settings = 设置
language-switch = Switch to English
theme-system = 主题：跟随系统
theme-light = 主题：浅色
theme-dark = 主题：深色
dismiss = 关闭
problem-causes = 系统给出的信息
problem-internal-window = 窗口内部出错。

step-dataset = 数据集
step-model = 模型
step-where = 训练位置
step-batch = 批大小与内存
step-account = 账户
step-review = 确认
