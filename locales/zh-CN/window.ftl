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
problem-run-blocked = 训练未启动，存在阻碍项（{ $codes }）。
problem-environment-busy = 训练环境正在变更中。
    .help = 等待其完成，或将其取消。
problem-open-refused = 不能从这里打开 { $target }。
problem-open-failed = 无法打开 { $target }。
