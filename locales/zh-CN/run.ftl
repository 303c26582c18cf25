### 运行：点击“开始训练”之后发生的一切。

# A plan's further arguments.
problem-plan-reserved-argument = 计划中设置了 { $name }，但该参数由本应用设置。
    .help = 请从计划的其他参数中删除 { $name }。它控制的内容有专门的设置项，或由本应用决定。
problem-plan-unknown-argument = { $name } 不是 Ultralytics { $version } 的训练参数。
    .help = 检查是否有拼写错误，或从计划的其他参数中删除它。
