### 显存与内存：需求与余量。

finding-memory-unknown = 无法得知剩余内存
    .detail = 训练大约需要 { BYTES($expected) }，在 { BYTES($low) } 到 { BYTES($high) } 之间。
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
memory-part-process = Python 及其库
memory-part-workspace = 计算库的工作内存
memory-part-weights = 权重
memory-part-gradients = 梯度
memory-part-average = 权重滑动平均
memory-part-optimizer = 优化器
memory-part-activations = 图片的中间结果
memory-part-images = 图片
memory-part-assignment = 标注框与预测的匹配

fact-gpu-memory-free = 剩余显存
fact-memory-available = 可用内存

remedy-smaller-batch = 批大小改为 { $batch }
remedy-close-programs = 关闭其他程序
