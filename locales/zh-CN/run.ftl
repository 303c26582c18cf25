### 运行：点击“开始训练”之后发生的一切。

# A plan's further arguments.
problem-plan-reserved-argument = 方案中设置了 { $name }，但该参数由本应用设置。
    .help = 请从方案的其他参数中删除 { $name }。它控制的内容有专门的设置项，或由本应用决定。
problem-plan-unknown-argument = { $name } 不是 Ultralytics { $version } 的训练参数。
    .help = 检查是否有拼写错误，或从方案的其他参数中删除它。
problem-plan-invalid-argument = { $name } 不能是“{ $value }”。
    .help = { $expects ->
        [number] 应为数字。
        [fraction] 应为 0 到 1 之间的数字。
        [share] 应为图片的比例（大于 0，不超过 1）或数量。
        [whole] 应为整数。
        [at-least] 应为不小于 { $values } 的整数。
        [switch] 应为 true 或 false。
        [words] 应为以下之一：{ $values }。
       *[text] 应为 true、false 或文本。
    }

# 训练记录列表。
runs-search = 搜索训练记录
runs-none = 还没有开始过训练
runs-none-about = 在“新建训练”中选择图片。开始前会检查每个环节，开始后的训练会显示在这里。
runs-nothing-found = 没有符合搜索条件的训练。
runs-filter = 显示的状态
runs-kept-all = 全部
runs-kept-active = 进行中
runs-kept-succeeded = 已完成
runs-kept-failed = 失败
runs-kept-ended = 已中止
runs-order = 排序
runs-order-newest = 最新在前
runs-order-oldest = 最早在前
runs-order-best = mAP50 最高
runs-order-dataset = 数据集
runs-order-size = 占用空间
runs-size = 大小
runs-choose = 选择 { $name }，{ $created }
runs-delete = 删除
runs-delete-count = 删除 { $count } 次训练
runs-delete-title = 要删除这 { $count } 次训练吗？
runs-delete-about = 将释放 { BYTES($bytes) }。此操作无法撤销。
runs-delete-about-unknown = 将释放的空间还在统计中。此操作无法撤销。
runs-delete-kept = 会删除这些训练的权重、日志、图片和导出的模型。数据集保持不变。
runs-deleted = 已删除，释放 { BYTES($bytes) }。
note = 备注
note-add = 添加备注
note-edit = 修改备注
note-hint = 这次训练有什么不同？
note-save = 保存备注

# 训练页面。
run-epoch = 第 { $epoch } 轮，共 { $epochs } 轮
run-progress = 训练进度
run-step-queued = 等待开始
run-step-preparing = 正在准备图片
run-step-loading = 正在启动训练程序
run-step-batch = 第 { $batch } 步，共 { $batches } 步
run-step-validation = 正在用验证图片评估，第 { $batch } 步，共 { $batches } 步
run-step-final-validation = 正在复核最佳模型，第 { $batch } 步，共 { $batches } 步
run-ending = 正在结束训练
run-elapsed = 用时
run-remaining = 剩余时间
run-remaining-about = 约 { DURATION($seconds) }
run-remaining-unknown = 第一轮结束后可知
run-cpu = 处理器
run-cores = { DECIMAL($cores) } 核
run-ram = 内存
run-gpu-memory = 显存
run-gpu = GPU 负载
run-again = 再次训练
run-open-folder = 打开文件夹
run-model-ready = 模型已训练完成
run-cancel = 结束训练
run-cancel-title = 要结束这次训练吗？
run-cancel-about = 将通知训练程序停止，并结束它启动的所有进程。
run-cancel-kept = 已完成轮次的权重会保留在这次训练的文件夹中。
run-cancel-no = 继续训练
run-cancel-yes = 结束训练
run-tabs = 训练的各部分
run-tab-charts = 曲线
run-tab-results = 结果
run-tab-try = 试用模型
run-tab-log = 日志
run-tab-details = 详情
charts-waiting = 第一轮结束后开始显示曲线。
charts-none = 第一轮结束之前训练就已终止。
chart-metrics = 验证图片上的精度
chart-metrics-about = 越高越好，1 为完美。
chart-losses = 训练损失
chart-losses-about = 越低越好，应逐渐下降并趋于平稳。
results-none = 还没有结果
results-none-about = 第一轮结束后这里会显示权重，训练完成后会显示最终指标和图片。
metric-map50 = 找到目标且位置大致正确
metric-map50-95 = 找到目标且位置精确
metric-precision = 画出的框中正确的比例
metric-recall = 实际目标中被找到的比例
classes-figures = 各类别的指标
classes-figures-about = 最弱的类别在前：为它补充更多、标注更好的图片最有帮助。
confusion-title = 类别混淆
confusion-about = 行是实际的类别，列是模型识别成的类别。对角线为正确；百分比按行计算。
confusion-really = 实际
confusion-seen = 识别为
confusion-nothing = 无
confusion-cell = { $really } 识别为 { $seen }：{ $count }（{ $share }）
looks-title = 验证图片
looks-about = 未参与训练的图片：模型画的框与人工标注的框。可用方向键切换。
curves-title = 曲线
curves-about = 在不同置信度要求下，模型的准确程度和找到的目标多少。
more-pictures-title = 训练过程与训练图片
picture-predictions = 模型识别的结果
    .about = 模型画出的框及其置信度。
picture-truth = 人工标注
    .about = 同一批图片，人工标注的框。
picture-confusion-shares = 混淆矩阵（比例）
    .about = 哪些类别被识别成哪些类别，按实际类别的比例。
picture-confusion = 混淆矩阵（数量）
    .about = 哪些类别被识别成哪些类别，按框的数量。
picture-precision-recall = 精确率与召回率
    .about = 曲线下的面积越大越好，面积即 mAP50。
picture-f1 = F1 与置信度
    .about = 峰值处的置信度在漏检与误检之间最为平衡。
picture-precision = 精确率与置信度
    .about = 只显示达到该置信度的框时，正确的比例。
picture-recall = 召回率与置信度
    .about = 只显示达到该置信度的框时，找到的目标比例。
picture-course = 训练过程
    .about = 训练程序绘制的各轮损失与指标。
picture-labels = 标注分布
    .about = 每个类别有多少框、位于何处、大小如何。
picture-training-batch = 训练图片
    .about = 训练程序实际看到的图片：经过随机裁剪、拼接和调色。
picture-other = 其他图片
    .about = 位于结果文件夹中。
weights-files = 权重
weights-best-about = 在验证图片上表现最好的一轮：一般使用这个文件。
weights-last-about = 最后完成的一轮：用于继续训练。
copy-path = 复制路径
path-copied = 已复制路径。
show-in-folder = 在文件夹中显示
export-title = 导出为 ONNX
export-about = 不需要 Python 即可运行的文件，可用于浏览器、手机和各种程序。导出后会与权重比较。
export-begin = 导出
export-again = 重新导出
export-looking = 正在检查所需内容
export-resolving = 正在确定需要下载的内容
export-installing = 正在安装，{ BYTES($done) }，共约 { BYTES($total) }
export-input = 输入图片为 { $side } × { $side } 像素
export-save = 另存副本…
export-saved = 已保存副本。
export-install = 安装并导出
export-needs-title = 需要先安装软件包
export-needs-about = 将把 { $packages } 加入应用自带的训练环境：下载约 { BYTES($download) }，占用磁盘约 { BYTES($disk) }。
export-needs-elsewhere = 这次训练所用的环境缺少 { $packages }。该环境不是本应用创建的，因此不会向其中安装任何内容。可在终端中自行安装：
export-needs-kept = 已安装的内容保持不变。软件包来自设置中的下载源。
try-drop = 把图片拖到这里
try-drop-about = 也可以拖入文件夹，或按 Ctrl+V 粘贴图片。图片不会离开本机。
try-choose = 选择图片
try-loading = 正在加载模型，需要几秒钟
try-looking = 正在识别，{ $done } / { $images }
try-more = 显示前 { $images } 张图片，共 { $total } 张。
try-clear = 清空
try-confidence = 显示置信度不低于
try-found = { $count ->
    [0] 没有框
   *[other] { $count } 个框
}
try-nothing = 没有达到该置信度的目标。降低阈值可查看模型的猜测。
try-time = 模型用时 { $model } 毫秒，总计 { $all } 毫秒
try-pasted = 粘贴的图片
log-search = 搜索日志
log-found = { $at } / { $of }
log-nothing-found = 未找到
log-previous = 上一处
log-next = 下一处
log-lines = { $count } 行
log-follow = 最新
log-empty = 训练程序还没有输出。
detail-id = 训练编号
detail-created = 开始时间
detail-dataset = 数据集
detail-model = 模型
detail-imgsz = 图片尺寸
detail-batch = 批大小
detail-epochs = 轮数
detail-device = 设备
detail-peak = 显存占用峰值
detail-ultralytics = Ultralytics
detail-torch = torch
detail-python = Python
detail-accepted = 已忽略的风险
detail-command = 命令
detail-folder = 文件夹
weights-pretrained = 预训练
weights-scratch = 从零开始
weights-file = 自有文件

# What could not be done with a run.
problem-run-not-found = 找不到训练 { $id }。
problem-run-unreadable = 无法读取该训练的 { $path }。
problem-run-too-new = 训练 { $id } 由更新版本的应用创建。
    .help = 更新本应用后即可打开。
problem-run-over = 训练 { $id } 已经结束。
problem-run-active = 训练 { $id } 还没有结束。
    .help = 请先结束训练，再删除。
problem-run-note-too-long = 备注超过了 { $most } 个字符。
problem-run-busy = { $path } 中的训练正由另一个进程处理。
problem-run-not-ended = 无法结束训练 { $id } 的残留进程。
problem-run-no-environment = 没有可用的训练环境。
    .help = 请先安装训练环境。
problem-run-no-device = 无法确定 { $device } 对应本机的哪个设备。
    .help = 请选择实际存在的显卡，或使用处理器。
problem-run-no-weights = 权重文件 { $path } 无法使用。
    .help = 请选择其他权重文件，或从零开始训练。
problem-run-no-supervisor = 无法启动负责看护训练的进程。
problem-run-trainer-not-started = 无法启动 { $program }。
problem-home-not-unicode = 应用文件夹 { $path } 的名称不是有效文本。
    .help = 请将 PREFLIGHT_HOME 设为其他名称的文件夹。

# Why a run failed.
finding-data-not-prepared = 无法为训练准备数据集
    .detail = 训练程序使用的是指向数据集文件的链接，而不是数据集本身，因此不会改动数据集。创建这些链接时失败。
finding-start-trainer-not-started = 无法启动训练程序
    .detail = 训练环境中的 Python 未能运行，可能已被删除或替换。
finding-start-no-supervisor = 无法启动训练
    .detail = 负责看护训练的进程在训练开始前就退出了。
finding-memory-cuda-oom = 显卡显存不足
    .detail = 训练所需的显存超过了显卡的剩余显存。减小批大小或图片尺寸可降低需求。
finding-train-killed = 训练被外部终止（信号 { $signal }）
    .detail = 系统或其他程序终止了训练程序。信号 9 通常是系统在内存耗尽时发出的。
finding-train-ended = 训练程序提前退出，代码 { $code }
    .detail = 它没有说明原因，日志的最后几行可能有线索。
finding-train-failed = 训练失败：{ $class }
    .detail = 训练程序报告：{ $text }

# 试用与导出训练好的模型。
try-on-processor-card-trains = 正在用处理器试用：显卡正用于训练。
try-on-processor-card-unavailable = 正在用处理器试用：显卡目前无法使用。
export-loading = 正在加载模型
export-converting = 正在转换为 ONNX
export-comparing = 正在用验证图片比较，第 { $done } 张，共 { $total } 张
export-agrees = 导出的模型与权重的识别结果一致。
export-differs = 导出的模型与权重的识别结果不一致。
export-figures = { $images } 张验证图片，置信度不低于 { $from } 的框共 { $boxes } 个（去除重叠框之前）。找不到对应的框：{ $unmatched } 个。置信度最大差值：{ $difference }（允许 { $differencemost }）。最小重叠度：{ $overlap }（要求 { $overlapleast }）。
export-not-compared = 未比较：验证图片已不在原来的位置，或模型在其中没有识别到目标。
problem-results-no-weights = { $path } 中没有权重文件。
    .help = 权重在第一轮结束后写入。如果以前有，可能已被移动或删除。
problem-results-no-environment = 这次训练所用的环境已不存在：{ $path }
    .help = 请重新安装训练环境，或把原来的环境放回原处。
problem-results-model-failed = 无法使用该模型。
problem-results-cancelled = 已取消。
problem-results-no-export = 训练 { $id } 的模型还没有导出过。
problem-results-packages-missing = 训练环境缺少导出所需的软件包：{ $packages }
problem-results-packages-missing-elsewhere = 这次训练所用的环境缺少导出所需的软件包：{ $packages }
    .help = 该环境不是本应用创建的，因此不会向其中安装任何内容。可自行运行："{ $python }" -m pip install { $names }
problem-results-busy = 正在导出另一个模型。
    .help = 请等待完成，或取消它。
problem-results-not-pasted = 粘贴的内容不是图片，或大于 { BYTES($most) }。
