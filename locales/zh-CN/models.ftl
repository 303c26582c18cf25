### 可选的模型。

model-family-yolov8 = 使用最广的系列，示例、工具和设备支持最多。
model-family-yolo11 = 比 YOLOv8 更准，参数更少，通用首选。
model-family-yolo26 = 最新的系列，同尺寸下精度最高，面向小型设备和 CPU 设计。

model-size-n = Nano：速度最快，适合初次尝试、用 CPU 训练和小型设备。
model-size-s = Small：比 Nano 准确得多，速度仍然很快，适合大多数显卡入门。
model-size-m = Medium：兼顾精度与速度，建议显卡有 8 GB 以上显存。
model-size-l = Large：精度比速度更重要时选用，需要较多图片和 12 GB 以上显存。
model-size-x = Extra large：精度最高、速度最慢，适合数千张图片和大显存显卡。

model-license = Ultralytics 的模型和训练程序采用 AGPL-3.0 许可。用于闭源产品或服务，需要向 Ultralytics 购买商业许可。
