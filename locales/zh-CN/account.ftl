### An account on a platform: the token that opens it, the budget that is left.

# Sign-in.
finding-auth-accepted = { $platform } 已接受令牌
finding-auth-unproven = 令牌看起来没问题，但 { $platform } 还没有确认
    .detail = 平台有回应后才能知道它是否仍然接受这个令牌。
finding-auth-not-signed-in = 尚未登录 { $platform }
    .detail = 没有令牌，平台既不会告知剩余额度，也不会接受训练。
finding-auth-token-unreadable = 无法从保存位置读出 { $platform } 的令牌
finding-auth-not-a-token = 为 { $platform } 设置的内容不是令牌
    .detail = 它没有被发送出去。请重新复制令牌：完整复制，且不要带上其他内容。
finding-auth-token-expired = { $platform } 的令牌已过期
    .detail = { $ago ->
        [0] 这是平台的答复。请重新登录，或设置新的令牌。
       *[other] 它在 { DURATION($ago) } 前过期。请重新登录，或设置新的令牌。
    }
finding-auth-token-not-yet-valid = { $platform } 的令牌尚未生效
    .detail = { $wait ->
        [0] 这是平台的答复。通常是时钟不准：可能是这台电脑，也可能是签发令牌的一方。
       *[other] 它将在 { DURATION($wait) } 后生效。通常是时钟不准：可能是这台电脑，也可能是签发令牌的一方。
    }
finding-auth-wrong-audience = 这个令牌不是给 { $platform } 用的
    .detail = 令牌会写明它的用途，而这个令牌没有写这个平台。请为这个平台登录，或设置正确的令牌。
finding-auth-token-revoked = { $platform } 的令牌已被吊销
    .detail = 有人提前终止了它：在别处退出了登录，或在平台管理端操作过。请重新登录。
finding-auth-token-refused = { $platform } 不接受这个令牌
    .detail = 看不出它已过期。它可能被吊销了，或者属于另一个平台。
finding-auth-not-permitted = 这个账号在 { $platform } 上没有这项权限
    .detail = 平台接受了令牌，但拒绝了这次查询。需要平台管理员授予权限。
finding-auth-not-renewed = 无法续期 { $platform } 的令牌
    .detail = 现有的令牌还能用，但时间不长。开始长时间训练之前请重新登录。
finding-auth-ends-soon = { $platform } 的令牌将在 { DURATION($left) } 后到期，且不会自动续期
    .detail = 现在提交的训练可能还没结束，令牌就到期了。
finding-auth-ends-during-run = 令牌将在 { DURATION($left) } 后到期，训练来不及在此之前完成
    .detail = 训练需要 { DURATION($low) } 到 { DURATION($high) }，而这个令牌不会自动续期。请登录，或设置有效期更长的令牌。
finding-auth-may-end-during-run = 令牌将在 { DURATION($left) } 后到期，训练可能来不及完成
    .detail = 训练需要 { DURATION($low) } 到 { DURATION($high) }，而这个令牌不会自动续期。
finding-auth-ends-if-queued = 令牌还有 { DURATION($left) }：够训练用，但不够长时间排队
    .detail = 训练需要 { DURATION($low) } 到 { DURATION($high) }。
finding-auth-clock-wrong = 这台电脑的时钟{ $direction ->
    [slow] 慢
   *[fast] 快
}了 { $minutes } 分钟
    .detail = 与 { $platform } 的时钟相比。令牌是否有效取决于时间：时钟不准时，有效的令牌会显得已过期或尚未生效。

# The budget.
finding-quota-not-asked = 没有向 { $platform } 查询额度：没有可用的令牌
finding-quota-not-allowed-to-see = 没有有效的令牌，{ $platform } 不会告知剩余额度
finding-quota-left = { $platform } 上还剩 { $available }
finding-quota-enough = 额度足够：需要 { $cost }，可用 { $available }
finding-quota-enough-if-all-goes-well = 顺利的话额度足够：需要 { $cost }，可用 { $available }
    .detail = 按预期够用；如果训练耗时达到上限，则不够。
finding-quota-may-run-out = 额度可能在第 { $epoch } 轮左右用完（共 { $epochs } 轮）
    .detail = 可用 { $available }；预计这次训练需要 { $cost }。
finding-quota-too-little = 额度会在第 { $epoch } 轮左右用完（共 { $epochs } 轮）
    .detail = 可用 { $available }；这次训练需要 { $cost }，即使一切顺利也不够。
finding-quota-little-left = 剩余不足 { $threshold } GPU 小时
    .detail = 可用 { $available }。这次训练是否够用见上文；下一次可能就不够了。
finding-quota-below-threshold = 剩余额度太少：{ $available }
    .detail = 你希望在启动任何训练之前至少还有 { $threshold } GPU 小时。
finding-quota-empty = { $named ->
    [yes] 额度“{ $level }”已用完
   *[no] 额度已用完
}
    .detail = { $renews ->
        [0] 有人补充额度之前，什么都无法启动。
       *[other] { DURATION($renews) } 后会更新额度。
    }
finding-quota-reserved = { $named ->
    [yes] 额度“{ $level }”已全部预留给排队或正在运行的训练
   *[no] 额度已全部预留给排队或正在运行的训练
}
    .detail = 已预留 { $reserved }。它们结束后，没用完的部分会释放出来。
finding-quota-locked = { $named ->
    [yes] 额度“{ $level }”已被锁定
   *[no] 额度已被锁定
}
    .detail = 额度没有用完，令牌也没有问题：是有人把它关闭了，常见于结算期末。只有管理员能打开它。
finding-quota-suspended = { $named ->
    [yes] 组织已暂停额度“{ $level }”
   *[no] 组织已暂停这个账号
}
    .detail = 额度没有用完，令牌也没有问题。只有管理员能解除暂停。
finding-quota-expired = { $named ->
    [yes] 额度“{ $level }”的剩余部分已过期
   *[no] 剩余额度已过期
}
    .detail = 额度往往只在一段时间内有效。虽然还有剩余，但已不能使用。
finding-quota-key-limit = 这个令牌的限额已用完
    .detail = 令牌有自己的限额，低于账号的额度。签发者可以提高限额。
finding-quota-billing-incident = { $platform } 的计费系统出现故障
    .detail = 这是平台自身的问题，通常会自行恢复。与你的额度和令牌无关。
finding-quota-payment-required = { $platform } 要求先付费才能启动
finding-quota-cost-unknown = 不知道这次训练要花费多少
    .detail = 不清楚 { $model } 需要多长时间，因此无法判断额度是否够用，只与阈值比较。
finding-quota-price-unknown = { $card ->
    [any] { $platform } 上的显卡各有价格：选择一种显卡才能知道训练的费用
   *[other] 不知道 { $card } 在 { $platform } 上每小时的价格
    }
    .detail = 没有价格就无法判断额度是否够用。

finding-quota-no-such-host = 找不到 { $platform }
    .detail = 网络的域名服务不认识这个名称。可能是拼写有误，或者只有在公司内网或 VPN 中才能访问。
finding-quota-nobody-listens = { $platform } 无人应答
    .detail = 主机可达，但这个地址和端口上没有服务。服务可能停了，或者端口不对。
finding-quota-timed-out = { $platform } 没有及时回应
finding-quota-certificate-refused = 这台电脑不信任 { $platform } 的证书
    .detail = 公司常常自行签发证书：需要在这台电脑上安装公司的证书颁发机构。没有发送任何内容。
finding-quota-tls-failed = 无法与 { $platform } 建立安全连接
    .detail = 常见原因是端口只支持普通 HTTP，或者途中有设备拆解连接。
finding-quota-proxy-failed = 代理无法连接到 { $platform }
finding-quota-proxy-asks = 代理要求用户名和密码
    .detail = 请在设置中把它们写进代理地址：http://用户名:密码@代理:端口
finding-quota-portal = 需要先登录网络
    .detail = 回应的是酒店或公司的登录页面，而不是 { $platform }。请用浏览器打开任意网页并登录。
finding-quota-sent-elsewhere = { $platform } 把查询转到了别处
    .detail = 令牌没有发送过去。如果平台换了地址，请修改地址。
finding-quota-too-large = { $platform } 的答复过大，不可能是额度
finding-quota-cut-off = { $platform } 的答复中断了
finding-quota-not-understood = { $platform } 说的不是 HTTP，或无法理解
finding-quota-page-instead = 收到的是网页，而不是额度
    .detail = 通常是填了平台网站的地址而不是服务的地址，或者被登录页面挡住了。
finding-quota-not-json = { $platform } 的答复不是 JSON
finding-quota-no-such-path = { $platform } 没有这个接口
    .detail = 地址可能有误，或者平台在别处提供额度：用连接器文件说明位置。
finding-quota-too-many-requests = 对 { $platform } 的查询过于频繁
    .detail = { $wait ->
        [0] 请稍等片刻再查询。
       *[other] 它希望 { DURATION($wait) } 后再查询。
    }
finding-quota-server-failed = { $platform } 未能答复：状态码 { $status }
    .detail = 这是平台自身的问题，通常会自行恢复。
finding-quota-refused = { $platform } 拒绝了查询：状态码 { $status }
finding-quota-field-missing = 答复里没有剩余额度：“{ $pointer }”处什么也没有
    .detail = 平台以另一种形式提供额度：用连接器文件说明位置。
finding-quota-not-an-amount = 答复中“{ $pointer }”处的内容不是数额

# Why something is not known.
reason-budget-unknown = 不知道还剩多少额度。
reason-no-token = 没有令牌。
reason-platform-silent = 平台没有回应。
reason-token-empty = 它是空的。
reason-token-characters = 里面有换行、空格或令牌不会有的字符。
reason-token-prefix = 它以“Bearer”开头：后面的部分才是令牌。
reason-token-quotes = 它被引号括住了。
reason-token-cut-off = 它缺了一部分。
reason-token-too-long = 它比任何令牌都长。

# What it rests on.
fact-http-status = HTTP 状态
fact-answer = 答复
fact-system-says = 系统信息
fact-token-ends = 令牌到期
fact-token-begins = 令牌生效
fact-token-audience = 令牌的用途
fact-token-from = 令牌来自变量
fact-clock-here = 这台电脑的时钟
fact-clock-there = 平台的时钟
fact-balance = 可用
fact-balance-other = 此外
fact-renews = 更新时间
fact-plan-cost = 这个方案的费用
fact-plan-time = { $by ->
    [trial] 用时（依据试运行）
    [runs] 用时（依据此类显卡上的 { $count } 次训练）
   *[rule] 用时（依据模型和显卡粗略估算）
}

# What helps.
remedy-sign-in = 登录
remedy-set-token = 把 API_TOKEN 设为平台的令牌
remedy-set-token-variable = 在流水线中，用变量 API_TOKEN 传入令牌
remedy-unlock-keychain = 解锁钥匙串，或登录保存它的桌面会话
remedy-give-passphrase = 请输入令牌文件的口令；脚本用 PREFLIGHT_PASSPHRASE 传入
remedy-keep-elsewhere = 更改连接：把令牌保存在加密文件或内存中
remedy-correct-clock = 校准这台电脑的时钟；最好让系统自动对时
remedy-check-address = 检查平台的地址和端口
remedy-install-certificate = 向网络管理员索取公司的证书颁发机构，安装到这台电脑，或在设置中指定其文件
remedy-set-proxy = 在设置中或用 HTTPS_PROXY 设置代理
remedy-sign-in-to-network = 用浏览器打开任意网页，登录网络
remedy-write-connector = 用连接器文件说明平台在哪里提供它
remedy-ask-for-budget = 请负责额度的人增加额度
remedy-ask-to-unlock = 请额度管理员解锁；令牌不需要更换
remedy-ask-for-permission = 请平台管理员授予权限
remedy-raise-key-limit = 请人提高令牌的限额，或换一个令牌
remedy-change-threshold = 在设置中修改阈值
remedy-wait-for-renewal = 等待额度更新
remedy-wait-for-platform = 等待平台恢复
remedy-cancel-others = 取消不再需要的排队训练
remedy-fewer-epochs = 训练 { $epochs } 轮

problem-connector-invalid = { $path } 第 { $line } 行无法理解
    .help = 请改正这一行：下面说明了此处应有的内容。账号指南里有包含所有键的示例。
problem-connector-too-new = { $path } 的格式是 { $format }；此版本最高支持 { $supported }
    .help = 请更新应用，或按格式 { $supported } 编写此文件。
problem-connector-no-header = { $path } 第 { $line } 行：style = "header" 需要写明请求头名称
    .help = 加上平台规定的名称，例如：header = "X-Api-Key"
problem-connector-no-amount = { $path } 第 { $line } 行：没有说明剩余量在哪里
    .help = 写明它在平台应答中的位置，例如：remaining = "/data/left"；或者添加包含它的 [[level]]。
problem-connector-no-name = { $path } 第 { $line } 行：这一级没有名称
    .help = 加上 name = "project"；如果应答中有名称，则用 name_at = "/name"。

problem-account-address-invalid = “{ $address }”不是平台地址
    .help = 地址形如 https://quota.example.com：不含用户名、密码和查询参数。
problem-account-connector-unreadable = 无法读取连接器文件 { $path }
    .help = 不需要文件的连接器：gpu-hours、levels、credits。

## The command line.

cli-quota = 查询平台上的剩余额度，以及令牌是否仍然有效
cli-arg-platform-url = 平台地址；令牌取自 PREFLIGHT_TOKEN 或 API_TOKEN
cli-arg-check-url = 方案所用平台的地址，代替已保存的连接；令牌取自 PREFLIGHT_TOKEN 或 API_TOKEN
cli-arg-connector = 平台提供额度的方式：gpu-hours、levels、credits，或连接器文件
cli-asking-platform = 正在询问平台……
cli-quota-own = 你的额度
cli-quota-level = 可用 { $available }
cli-login = 登录平台，并把令牌保存到钥匙串
cli-logout = 退出平台登录：吊销令牌并删除
cli-token = 查看令牌的状态，但从不显示令牌
cli-token-status = 查看令牌属于谁、保存在哪里、何时到期
cli-arg-profile = 已保存连接的名称：小写字母、数字和短横线
cli-arg-login-url = 平台地址；以该名称保存连接
cli-arg-login-device = 用验证码登录，可在这台或另一台设备上完成
cli-arg-paste = 保存平台给你的令牌：输入时不显示，或从标准输入读取
cli-arg-keep = 令牌的保存位置：keychain（钥匙串）或 file（用口令加密的文件；脚本中用 PREFLIGHT_PASSPHRASE）
cli-arg-issuer = 登录由谁负责（如果不是平台自己）
cli-arg-client-id = 本应用在那里的名称（默认：yolo-preflight）
cli-arg-forget = 同时删除该连接
cli-signing-in = 正在等待登录完成……
cli-login-browser = 请在浏览器打开的页面上登录。如果没有自动打开，请打开：
cli-login-code = 请在任意设备上打开此页面，并在 { DURATION($seconds) } 内输入验证码 { $code }：
cli-login-done = 已登录 { $platform }
cli-login-paste = 令牌（输入内容不显示）：
cli-login-passphrase = 令牌文件的口令（输入内容不显示）：
cli-logout-done = 已退出 { $platform }
cli-logout-unheard = 本机已退出。无法通知 { $platform }；令牌会自行到期。
cli-token-none = 还没有保存任何连接。用 preflight login 名称 --url 地址 创建。
cli-token-signed-out = 未登录
cli-token-platform = 平台
cli-token-account = 账号
cli-token-kept = 保存在
cli-token-ends = 到期
cli-token-ends-in = { DURATION($left) } 后
cli-token-ended = { DURATION($ago) } 前
cli-token-renewed = 自动续期
cli-token-scopes = 权限
cli-token-used = 上次使用
cli-token-unknown = 未知
keep-keychain = 系统钥匙串
keep-file = 用口令加密的文件
keep-memory = 内存（关闭应用后失效）

account-signed-in-page = 登录成功。可以关闭此页面，回到 YOLO Preflight。

problem-account-keychain-absent = 这个系统没有钥匙串
    .help = 请把令牌保存在用口令加密的文件中（--keep file），或用 API_TOKEN 传入。
problem-account-keychain-locked = 钥匙串已锁定
    .help = 请解锁（通常用桌面会话的密码），然后重试。
problem-account-keychain-silent = 钥匙串在 { $seconds } 秒内没有回应
    .help = 它可能正在另一个窗口里询问密码。
problem-account-keychain-failed = 无法使用钥匙串
problem-account-passphrase-needed = 令牌保存在需要口令才能打开的文件中
    .help = 脚本用 PREFLIGHT_PASSPHRASE 传入口令。
problem-account-passphrase-wrong = 口令无法打开令牌文件
    .help = 忘记的口令无法找回：请退出后重新登录。
problem-account-token-damaged = 保存的内容不是令牌
    .help = 请重新登录。
problem-account-token-invalid = 这不是令牌
    .help = 请完整复制，且不要带上其他内容：没有“Bearer”、引号和换行。
problem-account-name-invalid = “{ $name }”不能作为连接的名称
    .help = 可用小写字母、数字、短横线和下划线，最多 40 个。
problem-account-profile-invalid = 无法读取连接 { $path }
problem-account-no-such-profile = 没有名为“{ $name }”的连接
    .help = 用 preflight login { $name } --url 地址 创建；用 preflight token status 列出已有的连接。
problem-account-no-sign-in = { $issuer } 没有说明如何登录
    .help = 如果平台会发放令牌，请用 --paste 保存。如果登录由别处负责，请用 --issuer 指定。
problem-account-issuer-differs = { $issuer } 以 { $other } 的名义应答
    .help = 登录没有开始：令牌可能会被送到错误的地方。请使用平台给出的地址。
problem-account-no-browser-sign-in = 这个平台不支持用本机浏览器登录
    .help = 请试试用验证码登录：--device
problem-account-no-device-sign-in = 这个平台不支持用验证码登录
    .help = 请用浏览器登录，或用 --paste 保存令牌。
problem-account-sign-in-refused = 平台没有让你登录
problem-account-sign-in-late = 登录花的时间太长了
    .help = 请重新开始：验证码和页面只在几分钟内有效。
problem-account-unreachable = 无法连接到 { $platform }
problem-account-platform-failed = { $platform } 未能应答：状态 { $status }
    .help = 这是平台自身的问题，通常会自行恢复。请几分钟后再试。
problem-account-answer-not-understood = 无法理解 { $platform } 对登录的答复
problem-account-cancelled = 登录已取消
problem-account-no-loopback = 这台电脑没有可供浏览器返回的地址
    .help = 请用验证码登录：--device
problem-account-busy = 另一个程序长时间占用着这个登录
problem-account-grant-ended = 平台已终止这次登录
    .help = 请重新登录。

finding-auth-not-looked = 没有查看平台上的账号
reason-no-platform-chosen = 还没有选择平台。
reason-elsewhere = 训练在别处运行。
remedy-use-card = 改用更便宜的 { $card } 训练
problem-run-check-only = 面向平台的方案目前只能检查，还不能提交
    .help = 提交功能将随下一个版本推出。在此之前，请在这台电脑上训练。

## The window.

account-signed-out = 已退出 { $platform }
account-signed-out-unheard = 本机已退出。无法通知 { $platform }；令牌会自行到期。
account-ask = 重新查询
account-asking = 正在询问平台……
account-sign-out = 退出登录
account-remove = 删除
account-remove-title = 删除连接“{ $name }”？
account-remove-about = 将退出登录、删除令牌并忘记地址。训练不受影响。
account-whose = 账号
account-kept = 令牌保存在
account-kept-variable = 变量 { $name }
account-ends = 令牌到期
account-ends-in = { $time } 后
account-ended = { $time } 前
account-renewed = 自动续期
account-scopes = 权限
account-used = 上次使用
account-not-told = 未知
account-own-budget = 你的额度
account-of = / { $limit }
account-reserved = 已预留 { $amount }。
account-renews = { $when } 更新。
account-history = 可用额度变化
account-unlock = 打开
account-unknown = 这台电脑上没有名为“{ $name }”的连接
account-unknown-about = 方案指定了它。请用这个名称添加，或在“在哪里”这一步另选位置。
account-choose = 请先选择训练位置
account-choose-about = 在“在哪里”这一步选择平台。
budget-locked = 已锁定
budget-suspended = 已暂停
budget-expired = 已过期
budget-key-limit = 令牌限额
budget-incident = 计费故障
sign-in-title = 登录 { $name }
sign-in-no-profile = 已没有名为 { $name } 的连接。
sign-in-how = 登录方式
sign-in-browser = 浏览器
sign-in-device = 验证码
sign-in-pasted = 令牌
sign-in-browser-about = 在浏览器中打开平台自己的页面。密码只留在那里。
sign-in-device-about = 显示一个验证码，在平台页面上输入，可用这台或另一台设备。
sign-in-pasted-about = 适用于向用户发放令牌的平台。令牌会保存起来，不再显示。
sign-in-token = 令牌
sign-in-token-hint = 完整复制，不要带上“Bearer”或引号。
sign-in-passphrase = 令牌文件的口令
sign-in-passphrase-hint = 每次打开应用只需输入一次。
sign-in-begin = 登录
sign-in-keep = 保存令牌
sign-in-code = 请在 { $time } 内，在下面的页面上输入此验证码：
sign-in-browser-opened = 请在浏览器打开的页面上登录。如果没有自动打开，请打开：
sign-in-copy = 复制地址
sign-in-waiting = 正在等待登录完成……
platforms-title = 平台
platforms-about = 凭令牌和额度提供 GPU 的服务。
threshold-label = 至少要剩余的 GPU 小时
threshold-about = 低于此值会提醒；还没有训练方案时会阻止开始。有方案时以训练本身的需求为准。
threshold-wrong = 请输入数字，例如 1.0 或 0.25
platforms-none = 还没有平台
platforms-none-about = 平台凭令牌和额度提供 GPU。把训练发送过去之前，会先检查账号。
platform-add = 添加平台
platform-add-about = 可以凭令牌和额度运行训练的地方。
platform-change-title = 更改连接“{ $name }”
platform-change-about = 更改地址或令牌的保存位置后需要重新登录。
platform-address = 地址
platform-name = 名称
platform-name-hint = 小写字母、数字和短横线。
platform-connector = 额度的提供方式
platform-connector-hint = 其他形式由你自己的文件说明应答中的位置。
platform-connector-own = 自己的连接器文件……
platform-connector-file = 连接器文件
platform-connector-file-hint = 一个小的 TOML 文件；账号指南里有包含所有键的示例。
platform-connector-pick = 选择……
platform-connector-read = { $name }：查询 { $asks }，单位 { $counts }
platform-keep = 令牌保存在
platform-keep-choose = 请选择……
platform-save = 添加
connector-gpu-hours = GPU 小时（常见形式）
connector-levels = 三级 GPU 分钟
connector-credits = 预付点数
where-platforms = 在平台上
where-platform-about = 目前会检查登录、额度和数据。提交功能将随下一个版本推出。
where-card = 显卡
where-card-any = 任意显卡
where-cards = 显卡数量
platform-signed-out = 未登录
start-check-only = 这个方案面向平台：现在可以检查，提交功能将随下一个版本推出。
batch-elsewhere = 由平台的显卡决定
batch-elsewhere-about = 显存是按这台电脑的显卡估算的。平台显卡的容量将在支持提交后检查。
