### 显存与内存：需求与余量。

finding-memory-unknown = 无法得知剩余内存
    .detail = 训练大约需要 { BYTES($expected) }，在 { BYTES($low) } 到 { BYTES($high) } 之间。
finding-memory-own-model-unknown = 无法得知你自己的模型需要多少内存
    .detail = 它不是公开发布的模型。在训练环境里试跑一步即可得知，大约十秒，结果会保留。
finding-memory-fits = 内存足够：大约需要 { BYTES($expected) }，可用 { BYTES($supply) }
finding-memory-tight = 内存偏紧：训练需要 { BYTES($low) } 到 { BYTES($high) }，可用 { BYTES($supply) }
    .detail = 大概率可以训练。减小批大小或图片尺寸会更稳妥。
finding-memory-cuda-oom-likely = 显存很可能不足：需要 { BYTES($expected) }，可用 { BYTES($supply) }
    .detail = 训练需要 { BYTES($low) } 到 { BYTES($high) }。请减小批大小或图片尺寸，或换用更小的模型。
finding-memory-cuda-oom-foreseen = 显存不足：至少需要 { BYTES($low) }，可用 { BYTES($supply) }
    .detail = 训练会在最初几步中断。请减小批大小或图片尺寸，或换用更小的模型。
finding-memory-cuda-oom-other-process = 训练所需的显存正被其他程序占用
    .detail = 大约需要 { BYTES($expected) }，目前可用 { BYTES($supply) }。这些程序结束后，显存足够训练。
finding-memory-host-ram-oom-likely = 内存很可能不足：需要 { BYTES($expected) }，可用 { BYTES($supply) }
    .detail = 训练需要 { BYTES($low) } 到 { BYTES($high) }。内存耗尽时，系统会终止训练或变得非常缓慢。
finding-memory-host-ram-oom-foreseen = 内存不足：至少需要 { BYTES($low) }，可用 { BYTES($supply) }
    .detail = 内存耗尽时，系统会终止训练或变得非常缓慢。请减小批大小或图片尺寸，或换用更小的模型。

# What the memory is needed for.
memory-part-context = CUDA 自身
    .about = 只要在显卡上计算，NVIDIA 驱动就会为每个程序占用的部分，与训练内容无关。
memory-part-process = Python 及其库
    .about = 已加载 torch 和 Ultralytics 的 Python 进程，此时还没有读取图片。
memory-part-workspace = 计算库的工作内存
    .about = 以最快的方式计算每一层所用的空间。
memory-part-weights = 权重
    .about = 构成模型的数值。模型越大，数值越多。
memory-part-gradients = 梯度
    .about = 每个权重应当变化的方向。
memory-part-average = 权重滑动平均
    .about = 权重的另一份平滑副本，用于评估和保存。
memory-part-optimizer = 优化器
    .about = 优化器为每个权重记录的内容。
memory-part-activations = 图片的中间结果
    .about = 每一层对一批图片的计算结果，学习时需要用到。随批大小和图片面积增长。
memory-part-images = 图片
    .about = 等待训练的各批图片。
memory-part-objects = 目标的轮廓、关键点或角度
    .about = 除位置之外，还要为每个目标比较的内容。随目标数量增加。
memory-part-assignment = 标注框与预测的匹配
    .about = 计算每个预测对应哪个标注框。随单张图片的最多标注框数增长。

fact-gpu-memory-free = 剩余显存
fact-memory-available = 可用内存

remedy-smaller-batch = 批大小改为 { $batch }
remedy-close-programs = 关闭其他程序
