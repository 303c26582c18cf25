### 窗口的数据集步骤：图片、问题、健康状况、修复、导入。

# 做不到的事。
problem-dataset-busy = 正在处理另一个数据集任务。
    .help = 请等它完成，或先取消它。
problem-dataset-nothing-proposed = 要写入的内容已经不在了。
    .help = 请重新打开对话框，会再计算一次。

# 系统对话框。
window-dialog-target-folder = 选择存放位置
window-dialog-save-report = 保存报告
window-dialog-reports = 报告

# 读取。
dataset-cancelled = 已停止读取
dataset-cancelled-about = 已读取的部分会保留，需要时从该处继续。
dataset-go-on = 继续
dataset-looked-for = 每隔几秒检查一次磁盘上的变化。

# 面板。
panels = 数据集的各部分
panel-overview = 概览
panel-images = 图片
panel-problems = 问题
panel-problems-counted = 问题（{ $count }）
panel-health = 健康状况

# 图库。
gallery-again = 重试
gallery-none = 没有符合条件的图片
gallery-place = 第 { $index } 张图片
filter-title = 筛选
filter-every-split = 全部
filter-every-class = 任意类别
filter-every-finding = 任意问题
filter-finding = 问题
filter-name = 文件名
filter-counted = { $label }（{ $count }）
filter-shown = { $shown } / { $all } 张图片
filter-clear = 显示全部
class-unknown = 类别 { $id }，未声明

# 查看器。
viewer-place = { $index } / { $total }
viewer-keys = 加号和减号缩放，0 适应窗口，1 原始大小，拖动可移动
viewer-loading = 正在加载
viewer-missing = 数据集中已没有这个文件。
viewer-smaller = 缩小（−）
viewer-larger = 放大（+）
viewer-fit = 适应窗口（0）
viewer-boxes = 显示标注框
viewer-refused = 训练程序不接受
viewer-findings = 存在的问题
viewer-rows = 标签文件的各行
viewer-more-rows = 还有 { $count } 行
viewer-no-label = 没有标签文件：图上没有要检测的目标。
viewer-no-rows = 没有可绘制的行。
viewer-files = 文件
viewer-size = { $width } × { $height } 像素

# 问题。
problems-blocker = { $count } 个问题会让训练无法进行
problems-warning = { $count } 个问题会让结果变差
problems-unknown = 无法检查
problems-note = 值得了解
problems-none = 没有问题
problems-none-about = 每张图片和每个标签文件都符合训练程序的要求。
problem-images = { $count } 张图片
problem-more = 还有 { $count } 处
problem-show = 查看这些图片
problem-example = 打开示例 { $name }
problem-convert = 转换
problem-mend-labels = 在副本上修复
problem-mend-split = 划分验证集
problem-mend-tiles = 切成小块
problem-source = 依据：{ $source }

# 深入检查。
closer-title = 深入检查
closer-about = 读取每个字节并解码每张图片：找出同时出现在训练集和验证集里的图片、重复图片、过小的标注框、样本稀少的类别等。
closer-begin = 开始深入检查
closer-looking = 正在深入检查
closer-cancelled = 已停止，没有保留任何结果。
job-of = { $done } / { $total }

# 健康状况。
health-empty = 尚未检查
health-classes = 各类别的目标数
health-class-count = { $objects } 个，{ $images } 张图片
health-split = { $split }：{ $images } 张图片
health-places = 目标的位置
health-sizes = 目标的大小
health-left-right = 左 – 右
health-top-bottom = 下 – 上
health-width = 宽：小 – 整张图
health-height = 高：整张图 – 小
health-map = { $caption }，单格最多 { $most } 个
health-objects = 按目标数统计图片
health-objects-most = 单张最多 { $most } 个
health-images = 最常见的图片尺寸
health-report = 报告
health-fingerprint = 指纹
health-took = 读取 { $bytes }，用时 { $seconds }。
report-save-html = 保存为网页（HTML）
report-save-json = 保存为数据（JSON）
report-saved = 已保存为 { $name }。
suggestions-title = 怎样可以更好
suggestions-none = 没有建议。
suggestion-other-size = 小目标是按 { $then } 像素的图片判断的；当前方案是 { $now } 像素。
suggestion-look-again = 重新检查
suggestion-more = { $all } 个类别中有 { $count } 个的训练图片少于 { $recommended } 张。增加图片会有帮助，尤其是结果较差的类别。
suggestion-more-source = Ultralytics《Tips for best training results》：每个类别至少 1,500 张图片

# 修复后的副本。
mend-open = 在副本上修复
mend-title = 修复后的副本
mend-about = 你的数据集保持不变。能修复的内容会写入新文件夹；删除该文件夹即可撤销。
mend-choices = 修复哪些内容
mend-choice-labels = 修复标签文件
mend-choice-labels-hint = 编码、小数逗号、像素坐标、超出边缘的框、重复的行。正确的行原样保留。
mend-choice-leave-out = 去掉损坏的图片
mend-choice-leave-out-hint = 无论标签怎样修改，训练程序都不接受的图片。
mend-choice-val = 划分验证集
mend-choice-val-hint = 各类别保持比例，看起来相同的图片留在同一侧。
mend-choice-share = 验证集比例
mend-choice-seed = 随机种子
mend-choice-tile = 把大图切成小块
mend-choice-tile-hint = 相邻小块重叠五分之一。小块中能看到一个框十分之一的面积、且每边至少两个像素时保留该框：与训练程序的规则相同。
mend-choice-side = 小块边长
mend-planning = 正在计算会改动什么
mend-comparing = 正在比较图片，使相似的图片留在一起
mend-cancelled = 已停止
mend-again = 重试
mend-nothing = 没有需要修复的内容
mend-write = 写入 { $images } 张图片
mend-write-plain = 写入副本
mend-writing = 正在写入副本
mend-done = 修复后的副本已就绪
mend-undo = 要撤销，删除该文件夹即可。
mend-later = 以后再说
making-use = 用于当前方案
making-cancelled = 已停止，没有留下任何文件。
diff-title = 会改动的内容
diff-files = { $count } 个标签文件会改动
diff-left-out = { $count } 张图片会去掉
diff-to-val = { $count } 张图片成为验证集
diff-cut = { $cut } 张图片切成 { $tiles } 个小块
diff-more-rows = 还有 { $count } 行
diff-more-files = 显示更多（{ $count } 个文件）
diff-more-images = 还有 { $count } 张图片
mended-recoded = 存为 UTF-8
mended-commas = 逗号
mended-pixels = 像素改为比例
mended-clipped = 在边缘裁剪
mended-empty = 删除：不在图片上
mended-duplicate = 删除：重复

# 用已有的文件制作数据集。
target-folder = 新文件夹
target-folder-hint = 空文件夹，或尚不存在的文件夹。
target-folder-choose = 选择…
unpack-title = 解压 { $name }
unpack-about = 压缩包保持不变。链接以及指向文件夹之外的名称不会解压。
unpack-size = 压缩后 { $bytes }。
unpack = 解压
unpack-go-on = 继续
unpacking = 正在解压
convert-title = 转换 { $name }
convert-about = 训练程序只读取自己的格式。图片会复制到新文件夹；你的文件夹保持不变。
convert-task = 用途
convert-form = 标注格式
convert-objects = 目标
convert-classes = 类别
convert-unlisted = 不属于任何部分
convert-reading = 正在读取标注
convert-reading-cancelled = 已停止读取标注
convert-not = 不能原样转换的内容
convert-all = 全部可以转换。
convert-where = 位置
convert = 转换
converting = 正在转换
convert-done = 转换完成
form-coco = COCO
form-pascal-voc = Pascal VOC
form-label-me = LabelMe
form-cvat = CVAT
form-label-studio = Label Studio
task-detect = 框
task-segment = 轮廓
task-obb = 旋转框
task-pose = 关键点
