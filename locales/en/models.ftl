### The models a person can choose.

model-family-yolov8 = The most used family: many examples, tools and devices know it.
model-family-yolo11 = More accurate than YOLOv8 with fewer parameters. A good all-round choice.
model-family-yolo26 = The newest family: the most accurate at each size, made for small devices and processors.

model-size-n = Nano: the fastest. Good for a first try, for training on the processor, and for small devices.
model-size-s = Small: clearly more accurate than Nano and still quick. A good start on most graphics cards.
model-size-m = Medium: a balance of accuracy and speed, for a card with 8 GB or more.
model-size-l = Large: for when accuracy matters more than speed, with many images and a card with 12 GB or more.
model-size-x = Extra large: the most accurate and the slowest, for thousands of images and a large card.

model-license = Ultralytics models and their trainer are licensed under AGPL-3.0. Using them in a closed product or service needs a commercial licence from Ultralytics.
