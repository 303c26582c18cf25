### 试运行、训练时长，以及从本机训练中学到的修正。

# 试运行。
trial-run = 试运行
trial-about = 在正式训练所用的设备和环境中，用标注框最多的图片跑几步真实训练，再验证一步。既能确认一切可用，也能实测平时只能估算的数值。除结果数字外不留下任何东西。
trial-about-processor = 在处理器上试运行会检查环境和数据，并测量这里的内存和耗时；它不能说明显卡的情况。
trial-start = 开始试运行
trial-again = 再试一次
trial-cancel = 取消
trial-preparing = 正在找标注框最多的图片…
trial-loading-model = 正在启动 Python、加载模型…
trial-training = 训练中，第 { $step } / { $steps } 步
trial-validating = 正在验证…
trial-done = 可以正常训练
trial-measured-at = 测于 { $when }
trial-failed = 试运行失败
trial-failed-about = 正式训练也会以同样的方式失败。
trial-headline = 试运行：{ $model }，{ $imgsz } px，每步 { $batch } 张图片，共 { $steps } 步
trial-shown = 显存（驱动显示）
trial-reserved = 显存（训练器显示）
trial-memory = 电脑内存
trial-step = 每步用时
trial-loading = 其中等待图片
trial-validation = 验证一步用时
trial-not-validated = 时间到了，没有进行验证。
trial-seconds = { $seconds } 秒
problem-trial-busy = 已有一次试运行正在进行。
problem-trial-cancelled = 试运行已取消。
problem-experience-unreadable = 无法读取 { $path } 中从以往训练学到的内容。
    .help = 估算将不使用它。下次学到新内容时，旧文件会另外保留。
problem-experience-too-new = { $path } 中从以往训练学到的内容由更新版本的应用写入。
    .help = 请更新应用。在此之前，估算不使用它。

# 训练时长。
time-all = 全部轮数
time-gpu-hours = 显卡小时
time-interval = 约 { $expected }（{ $low } 至 { $high }）
time-about = 大约需要 { $low } 至 { $high }，即 { $least } 至 { $most } 显卡小时。
time-by-trial = 依据试运行。
time-by-runs = 依据此设备上 { $count } 次同类训练。
time-by-rule = 依据模型大小和设备速度粗略估算。试运行后会更准。
review-row-time = 预计用时
review-row-cost = 预计费用
review-time-hours = { $low } 至 { $high } 显卡小时

# 数值的依据。
source-estimate = 估算
source-calibration = 估算，已按此显卡上 { $runs } 次训练修正（{ $percent }）
source-trial = 试运行实测
learned-title = 从本机训练学到的修正
learned-about = 每次训练完成后，会修正对该显卡的估算，幅度最多约三分之一。
learned-accuracy = 最近 { $runs } 次训练：偏差 { PERCENT($off) }，其中 { $inside } 次落在区间内。
learned-none = 本机还没有在显卡上完成过训练。
learned-card = { $card }：按 { $runs } 次训练修正 { $percent }
learned-trials = 已记住 { $count } 次试运行。
learned-forget = 忘记学到的内容
learned-forgotten = 估算已恢复为新电脑上的状态。

# 比较。
imgsz-largest = 放得下的最大值：{ $imgsz } px
holders-title = 其他程序占用
holder-about = 另一个程序占用了这部分显存，它结束后就会释放。
holder-unnamed = 驱动及未列出名称的程序
holder-unnamed-about = 驱动自身、屏幕显示以及其他用户的程序占用的部分。
holder-process = { $name }（进程 { $pid }）
holder-unknown-process = 某个程序（进程 { $pid }）
alternatives-title = 可以这样调整（代价小的在前）
remedy-smaller-model = 换用 { $model }
remedy-mixed-precision = 使用混合精度训练
remedy-one-size = 训练时不变换图片尺寸
cost-other-card = 没有代价：在 { $card } 上做同样的训练。
cost-mixed-precision = 精度不变，而且更快。
cost-one-size = 模型见到的尺寸变少；与“图片尺寸”不同的尺寸可能识别得稍差。
cost-smaller-batch = 精度几乎不变，每轮稍慢一些。
cost-smaller-images = 小物体会识别得差一些；更快，像素数为原来的 { PERCENT($share) }。
cost-smaller-model = 在 COCO 上 mAP 约低 { DECIMAL($points) } 个百分点；更快，运算量为原来的 { PERCENT($share) }。
cost-use-processor = 精度不变，但要慢很多倍。
precision-title = 数值精度
precision-mixed = 混合精度（AMP）
precision-single = 不使用（amp = false）
precision-refused = 混合精度在这种显卡上不可用，训练器会自动关闭。
precision-asked = 当前选择
fits-title = 哪些放得下
fits-about = 每步图片数；设备和其他设置不变，与当前空闲量比较。
fits-model = 模型
fits-largest = 最大
fits-largest-use = 使用 { $model }，批大小 { $batch }
fits-all = 全部模型
fits-family = 只看本系列
fits-cell = { $model }，批大小 { $batch }：{ $zone }，约 { BYTES($expected) }
zone-name-fits = 放得下
zone-name-tight = 紧张
zone-name-unlikely = 很可能放不下
zone-name-impossible = 放不下
zone-name-unknown = 未知
cards-title = 用哪张显卡
cards-about = 放得下的在前，其中最快的排第一。
cards-chosen = 用于训练
cards-use = 使用这张显卡
cards-largest = 批大小最大 { $batch }
cards-free = 空闲 { BYTES($free) }，共 { BYTES($total) }
card-only-one = 只有这张放得下。
card-fastest = 放得下，而且最快。
card-roomiest = 放得下，而且空间最大。
card-slower = 放得下；按规格约慢 { DECIMAL($times) } 倍。
card-fits-too = 这张也放得下。
card-tight = 放得下，但很紧张。
card-taken = 容量足够，但目前被其他程序占用太多。
card-too-small = 容量太小。
card-untold = 没有告知空闲显存。
spills-about = 在 Windows 上，显存放不下的部分会被驱动移到电脑内存。训练不会中断，但会慢十倍以上。
memory-processor-about = 由处理器训练：看的是电脑的内存。

# 检查结果。
finding-memory-fits-measured = 内存足够：试运行实测 { BYTES($expected) }，可用 { BYTES($supply) }
finding-memory-will-crawl = 训练会非常慢：需要 { BYTES($expected) }，显卡空闲 { BYTES($supply) }
    .detail = 在 Windows 上，显存放不下的部分会被驱动移到电脑内存，而不是报错。训练会因此慢十倍以上。
fact-memory-measured = 试运行实测
fact-calibration = 按已完成的训练修正
