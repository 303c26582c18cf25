### An account on a platform: the token that opens it, the budget that is left.

# Sign-in.
finding-auth-accepted = { $platform } accepted the token
finding-auth-unproven = The token looks right, but { $platform } has not said so
    .detail = Whether the platform still accepts it is known once it answers.
finding-auth-not-signed-in = You are not signed in to { $platform }
    .detail = Without a token the platform neither says how much budget is left nor takes a training.
finding-auth-token-unreadable = The token for { $platform } could not be read from where it is kept
finding-auth-not-a-token = What is set as the token for { $platform } is not a token
    .detail = It was not sent. Copy the token once more, all of it and nothing else.
finding-auth-token-expired = The token for { $platform } has expired
    .detail = { $ago ->
        [0] The platform says so. Sign in again, or set a new token.
       *[other] It ended { DURATION($ago) } ago. Sign in again, or set a new token.
    }
finding-auth-token-not-yet-valid = The token for { $platform } is not valid yet
    .detail = { $wait ->
        [0] The platform says so. Usually a clock is wrong: on this computer, or where the token was issued.
       *[other] It begins in { DURATION($wait) }. Usually a clock is wrong: on this computer, or where the token was issued.
    }
finding-auth-wrong-audience = The token is for something else than { $platform }
    .detail = A token names whom it is for, and this one does not name this platform. Sign in for this platform, or set the right token.
finding-auth-token-revoked = The token for { $platform } was revoked
    .detail = Someone ended it before its time: by signing out elsewhere, or in the platform's administration. Sign in again.
finding-auth-token-refused = { $platform } does not accept the token
    .detail = It has not expired as far as can be seen. It may have been revoked, or belong to another platform.
finding-auth-not-permitted = This account may not do that on { $platform }
    .detail = The platform accepted the token and refused the question. Someone who administers the platform has to permit it.
finding-auth-not-renewed = The token for { $platform } could not be renewed
    .detail = The one that is here still works, but not for long. Sign in again before a long training.
finding-auth-ends-soon = The token for { $platform } ends in { DURATION($left) } and is not renewed by itself
    .detail = A training that is submitted now may outlive it.
finding-auth-ends-during-run = The token ends in { DURATION($left) }, before this training can be done
    .detail = The training takes { DURATION($low) } to { DURATION($high) }, and this token is not renewed by itself. Sign in, or set one that lasts longer.
finding-auth-may-end-during-run = The token ends in { DURATION($left) }, perhaps before this training is done
    .detail = The training takes { DURATION($low) } to { DURATION($high) }, and this token is not renewed by itself.
finding-auth-ends-if-queued = The token lasts { DURATION($left) }: enough for the training, not for a long wait in a queue
    .detail = The training takes { DURATION($low) } to { DURATION($high) }.
finding-auth-clock-wrong = This computer's clock is { $minutes } minutes { $direction ->
    [slow] slow
   *[fast] fast
}
    .detail = Compared with the clock of { $platform }. Tokens are judged by the time: with a wrong clock, valid ones look expired or not yet valid.

# The budget.
finding-quota-not-asked = { $platform } was not asked for the budget: there is no token to ask with
finding-quota-not-allowed-to-see = { $platform } does not say how much budget is left without a valid token
finding-quota-left = { $available } left on { $platform }
finding-quota-enough = There is enough budget: { $cost } of { $available }
finding-quota-enough-if-all-goes-well = There is enough budget if all goes well: { $cost } of { $available }
    .detail = What is expected fits; if the training takes as long as it can, it does not.
finding-quota-may-run-out = The budget may run out at about epoch { $epoch } of { $epochs }
    .detail = { $available } are available; this training is expected to cost { $cost }.
finding-quota-too-little = The budget runs out at about epoch { $epoch } of { $epochs }
    .detail = { $available } are available; this training costs { $cost }, which is too much even if all goes well.
finding-quota-little-left = Less than { $threshold } GPU hours are left
    .detail = { $available } are available. This training is covered or not as said above; the next one may not be.
finding-quota-below-threshold = Too little budget is left: { $available }
    .detail = You want at least { $threshold } GPU hours before anything is started.
finding-quota-empty = { $named ->
    [yes] The budget “{ $level }” is used up
   *[no] The budget is used up
}
    .detail = { $renews ->
        [0] Nothing can start until someone adds to it.
       *[other] It is renewed in { DURATION($renews) }.
    }
finding-quota-reserved = { $named ->
    [yes] All of the budget “{ $level }” is promised to trainings that wait or run
   *[no] All of the budget is promised to trainings that wait or run
}
    .detail = { $reserved } are reserved. What they do not use becomes free when they end.
finding-quota-locked = { $named ->
    [yes] The budget “{ $level }” is locked
   *[no] The budget is locked
}
    .detail = It is not used up and the token is fine: someone has closed it, often at the end of an accounting period. Only those who administer it can open it.
finding-quota-suspended = { $named ->
    [yes] The organisation has suspended the budget “{ $level }”
   *[no] The organisation has suspended this account
}
    .detail = It is not used up and the token is fine. Only those who administer it can lift that.
finding-quota-expired = { $named ->
    [yes] What is left of the budget “{ $level }” has expired
   *[no] What is left of the budget has expired
}
    .detail = Budgets are often granted for a period. It cannot be used any more, even though there is some left.
finding-quota-key-limit = The limit of this token is reached
    .detail = The token has a limit of its own, below the account's budget. Whoever issued it can raise the limit.
finding-quota-billing-incident = { $platform } has trouble with its billing
    .detail = That is the platform's own matter and usually passes. Your budget and token are not the cause.
finding-quota-payment-required = { $platform } asks for payment before anything can start
finding-quota-cost-unknown = It is not known what this training will cost
    .detail = Nothing is known of how long { $model } takes. Whether the budget lasts cannot be said; it is only held against the threshold.
finding-quota-price-unknown = { $card ->
    [any] Cards have prices on { $platform }: choose one to know what this training costs
   *[other] It is not known what an hour of { $card } costs on { $platform }
    }
    .detail = Without a price it cannot be said whether the budget lasts.

finding-quota-no-such-host = There is no { $platform }
    .detail = The name is not known to the network's name service. It may be misspelt, or only be known inside a company's network or VPN.
finding-quota-nobody-listens = Nobody answers at { $platform }
    .detail = The computer is there or on the way, but nothing listens at this address and port. The service may be down, or the port wrong.
finding-quota-timed-out = { $platform } did not answer in time
finding-quota-certificate-refused = This computer does not trust the certificate of { $platform }
    .detail = Companies often sign their own certificates: the company's certificate authority must be installed on this computer. Nothing was sent.
finding-quota-tls-failed = No secure connection to { $platform } came about
    .detail = Often the port is one for plain HTTP, or something on the way takes connections apart.
finding-quota-proxy-failed = The proxy would not connect to { $platform }
finding-quota-proxy-asks = The proxy wants a user name and a password
    .detail = Put them into the proxy's address in the settings: http://name:password@proxy:port
finding-quota-portal = The network wants you to sign in first
    .detail = A hotel's or company's sign-in page answers instead of { $platform }. Open any page in the browser and sign in there.
finding-quota-sent-elsewhere = { $platform } sends the question to another place
    .detail = The token was not sent there. If the platform has moved, change its address.
finding-quota-too-large = The answer of { $platform } is far too large for a budget
finding-quota-cut-off = The answer of { $platform } broke off
finding-quota-not-understood = { $platform } does not speak HTTP, or not so that it is understood
finding-quota-page-instead = A page for people came instead of the budget
    .detail = Usually the address is that of the platform's website and not of its service, or a sign-in page is in the way.
finding-quota-not-json = The answer of { $platform } is no JSON
finding-quota-no-such-path = { $platform } has no such question
    .detail = The address may be wrong, or the platform tells its budget in another place: a connector file says where.
finding-quota-too-many-requests = { $platform } was asked too often
    .detail = { $wait ->
        [0] Wait a little, then look again.
       *[other] It wants to be asked again in { DURATION($wait) }.
    }
finding-quota-server-failed = { $platform } failed to answer: status { $status }
    .detail = That is the platform's own trouble and usually passes.
finding-quota-refused = { $platform } refused the question: status { $status }
finding-quota-field-missing = The answer does not say how much is left: nothing is at “{ $pointer }”
    .detail = The platform tells its budget in another form: a connector file says where.
finding-quota-not-an-amount = What the answer has at “{ $pointer }” is no amount

# Why something is not known.
reason-budget-unknown = How much budget is left is not known.
reason-no-token = There is no token.
reason-platform-silent = The platform did not answer.
reason-token-empty = It is empty.
reason-token-characters = There is a line break, a space or another character in it that no token has.
reason-token-prefix = It begins with “Bearer”: only what follows is the token.
reason-token-quotes = There are quotation marks around it.
reason-token-cut-off = A part of it is missing.
reason-token-too-long = It is longer than any token.

# What it rests on.
fact-http-status = HTTP status
fact-answer = Answer
fact-system-says = The system says
fact-token-ends = The token ends
fact-token-begins = The token begins
fact-token-audience = The token is for
fact-token-from = The token comes from the variable
fact-clock-here = This computer's clock
fact-clock-there = The platform's clock
fact-balance = Available
fact-balance-other = Beside it
fact-renews = Renewed
fact-plan-cost = Cost of this plan
fact-plan-time = { $by ->
    [trial] Time, by the trial run
    [runs] { $count ->
        [one] Time, by a training on such a card
       *[other] Time, by { $count } trainings on such a card
    }
   *[rule] Time, by a rule of thumb for the model and the card
}

# What helps.
remedy-sign-in = Sign in
remedy-set-token = Set API_TOKEN to a token of the platform
remedy-set-token-variable = In a pipeline, pass the token in the variable API_TOKEN
remedy-unlock-keychain = Unlock the keychain, or sign in to the desktop session that holds it
remedy-give-passphrase = Type in the passphrase of the token file; scripts pass it in PREFLIGHT_PASSPHRASE
remedy-keep-elsewhere = Change the connection: keep the token in a sealed file, or in memory
remedy-correct-clock = Set this computer's clock; better, let the system set it from the network
remedy-check-address = Check the platform's address and port
remedy-install-certificate = Ask those who run the network for the company's certificate authority, and install it on this computer or name its file in the settings
remedy-set-proxy = Set the proxy in the settings, or in HTTPS_PROXY
remedy-sign-in-to-network = Open any page in the browser and sign in to the network
remedy-write-connector = Say in a connector file where the platform tells it
remedy-ask-for-budget = Ask those who grant the budget for more
remedy-ask-to-unlock = Ask those who administer the budget to open it; the token needs no change
remedy-ask-for-permission = Ask those who administer the platform for the permission
remedy-raise-key-limit = Have the token's limit raised, or use another token
remedy-change-threshold = Set another threshold in the settings
remedy-wait-for-renewal = Wait until the budget is renewed
remedy-wait-for-platform = Wait until the platform is well again
remedy-cancel-others = Cancel a training that waits, if it is no longer wanted
remedy-fewer-epochs = Train { $epochs } epochs

problem-connector-invalid = Line { $line } of { $path } cannot be understood
    .help = Correct that line: what was expected there is said below. The guide on accounts has an example with every key.
problem-connector-too-new = { $path } has format { $format }; this version reads up to { $supported }
    .help = Update the app, or write the file in format { $supported }.
problem-connector-no-header = Line { $line } of { $path }: style = "header" needs the name of the header
    .help = Add the name that the platform gives it, for example: header = "X-Api-Key"
problem-connector-no-amount = Line { $line } of { $path }: nothing says how much is left
    .help = Add where the platform's answer has it, for example: remaining = "/data/left". Or add a [[level]] that has it.
problem-connector-no-name = Line { $line } of { $path }: a level has no name
    .help = Add name = "project", or name_at = "/name" where the answer names it.

problem-account-address-invalid = “{ $address }” is no address of a platform
    .help = An address looks like https://quota.example.com: without user name, password and query.
problem-account-connector-unreadable = The connector file { $path } could not be read
    .help = Connectors that need no file: gpu-hours, levels, credits.

## The command line.

cli-quota = Says how much budget is left on a platform, and whether the token still opens it
cli-arg-platform-url = Address of a platform; the token is taken from PREFLIGHT_TOKEN or API_TOKEN
cli-arg-check-url = Address of the plan’s platform, in place of a saved connection; the token is taken from PREFLIGHT_TOKEN or API_TOKEN
cli-arg-connector = How the platform tells its budget: gpu-hours, levels, credits, or a connector file
cli-asking-platform = Asking the platform …
cli-quota-own = Your budget
cli-quota-level = { $available } available
cli-login = Signs in to a platform and keeps the token in the keychain
cli-logout = Signs out of a platform: ends its token and deletes it
cli-token = Says how the tokens are, and never shows one
cli-token-status = Says whose the tokens are, where they are kept and when they end
cli-arg-profile = Name of a saved connection: lower-case letters, digits and dashes
cli-arg-login-url = Address of the platform; saves the connection under the name
cli-arg-login-device = Sign in with a code, on this or another device
cli-arg-paste = Keep a token that the platform gave you: typed unseen, or from standard input
cli-arg-keep = Where the token is kept: keychain, or file (sealed with a passphrase; PREFLIGHT_PASSPHRASE in scripts)
cli-arg-issuer = Who signs people in, where that is not the platform itself
cli-arg-client-id = What this app is called there (default: yolo-preflight)
cli-arg-forget = Forget the connection too
cli-signing-in = Waiting until you are signed in …
cli-login-browser = Sign in on the page that opens in your browser. If none opens, open this one:
cli-login-code = Open this page on any device and type in the code { $code }, within { DURATION($seconds) }:
cli-login-done = Signed in to { $platform }
cli-login-paste = Token (what you type is not shown):
cli-login-passphrase = Passphrase of the token file (what you type is not shown):
cli-logout-done = Signed out of { $platform }
cli-logout-unheard = Signed out here. { $platform } could not be told; the token ends by itself.
cli-token-none = No connections are saved yet. preflight login NAME --url ADDRESS makes one.
cli-token-signed-out = not signed in
cli-token-platform = Platform
cli-token-account = Account
cli-token-kept = Kept in
cli-token-ends = Ends
cli-token-ends-in = in { DURATION($left) }
cli-token-ended = { DURATION($ago) } ago
cli-token-renewed = renewed by itself
cli-token-scopes = Permits
cli-token-used = Last used
cli-token-unknown = not told
keep-keychain = the system's keychain
keep-file = a file sealed with a passphrase
keep-memory = memory, until the app is closed

account-signed-in-page = You are signed in. You can close this page and go back to YOLO Preflight.

problem-account-keychain-absent = There is no keychain on this system
    .help = Keep the token in a file that is sealed with a passphrase (--keep file), or pass it in API_TOKEN.
problem-account-keychain-locked = The keychain is locked
    .help = Unlock it, usually with the password of your desktop session, and try again.
problem-account-keychain-silent = The keychain did not answer within { $seconds } s
    .help = It may be asking for its password in another window.
problem-account-keychain-failed = The keychain could not be used
problem-account-passphrase-needed = The token is in a file that only a passphrase opens
    .help = Scripts pass it in PREFLIGHT_PASSPHRASE.
problem-account-passphrase-wrong = The passphrase does not open the token file
    .help = A forgotten passphrase cannot be found again: sign out and in.
problem-account-token-damaged = What is kept is no token
    .help = Sign in again.
problem-account-token-invalid = That is not a token
    .help = Copy all of it and nothing else: no “Bearer”, no quotation marks, no line break.
problem-account-name-invalid = “{ $name }” is no name for a connection
    .help = Lower-case letters, digits, dashes and underscores, 40 at most.
problem-account-profile-invalid = The connection { $path } cannot be read
problem-account-no-such-profile = There is no connection called “{ $name }”
    .help = preflight login { $name } --url ADDRESS makes one; preflight token status lists those that are there.
problem-account-no-sign-in = { $issuer } does not say how to sign in
    .help = If the platform gives tokens to people, keep one with --paste. If someone else signs people in, name them with --issuer.
problem-account-issuer-differs = { $issuer } answers in the name of { $other }
    .help = The sign-in was not begun: a token might go to the wrong place. Use the address that the platform names.
problem-account-no-browser-sign-in = This platform does not sign people in with a browser on this computer
    .help = Try it with a code: --device
problem-account-no-device-sign-in = This platform does not sign people in with a code
    .help = Sign in with the browser, or keep a token with --paste.
problem-account-sign-in-refused = The platform did not sign you in
problem-account-sign-in-late = The sign-in took too long
    .help = Begin it again: the code and the page are good for some minutes only.
problem-account-unreachable = { $platform } could not be reached
problem-account-platform-failed = { $platform } failed to answer: status { $status }
    .help = That is the platform’s own trouble and usually passes. Try again in a few minutes.
problem-account-answer-not-understood = The answer of { $platform } to the sign-in was not understood
problem-account-cancelled = The sign-in was cancelled
problem-account-no-loopback = This computer has no free address for the browser to come back to
    .help = Sign in with a code: --device
problem-account-busy = Another program has been using this sign-in for a long time
problem-account-grant-ended = The platform has ended this sign-in
    .help = Sign in again.

finding-auth-not-looked = The account on the platform was not looked at
reason-no-platform-chosen = No platform is chosen yet.
reason-elsewhere = The training runs elsewhere.
remedy-use-card = Train on { $card }, which costs less
problem-run-check-only = A plan for a platform can be checked, but not submitted yet
    .help = Submitting comes with the next version. Until then, train on this computer.

## The window.

account-signed-out = Signed out of { $platform }
account-signed-out-unheard = Signed out here. { $platform } could not be told; the token ends by itself.
account-ask = Ask again
account-asking = Asking the platform …
account-sign-out = Sign out
account-remove = Remove
account-remove-title = Remove the connection “{ $name }”?
account-remove-about = You are signed out, the token is deleted, and the address is forgotten. Trainings are untouched.
account-whose = Account
account-kept = Token kept in
account-kept-variable = the variable { $name }
account-ends = Token ends
account-ends-in = in { $time }
account-ended = { $time } ago
account-renewed = renewed by itself
account-scopes = Permits
account-used = Last used
account-not-told = not told
account-own-budget = Your budget
account-of = of { $limit }
account-reserved = { $amount } reserved.
account-renews = Renewed { $when }.
account-history = Available over time
account-unlock = Open
account-unknown = There is no connection called “{ $name }” on this computer
account-unknown-about = The plan is for it. Add it under this name, or choose another place in the step Where.
account-choose = Choose where to train first
account-choose-about = A platform is chosen in the step Where.
budget-locked = locked
budget-suspended = suspended
budget-expired = expired
budget-key-limit = key limit
budget-incident = billing trouble
sign-in-title = Sign in to { $name }
sign-in-no-profile = There is no connection called { $name } any more.
sign-in-how = How to sign in
sign-in-browser = Browser
sign-in-device = Code
sign-in-pasted = Token
sign-in-browser-about = Opens the platform's own page in your browser. Your password stays there.
sign-in-device-about = Shows a code that you type in on the platform's page, here or on another device.
sign-in-pasted-about = For platforms that give people a token. It is kept, and never shown again.
sign-in-token = Token
sign-in-token-hint = All of it and nothing else: no “Bearer”, no quotation marks.
sign-in-passphrase = Passphrase of the token file
sign-in-passphrase-hint = It is asked for once each time the app is opened.
sign-in-begin = Sign in
sign-in-keep = Keep token
sign-in-code = Type in this code on the page below, within { $time }:
sign-in-browser-opened = Sign in on the page that opened in your browser. If none opened, open this one:
sign-in-copy = Copy the address
sign-in-waiting = Waiting until you are signed in …
platforms-title = Platforms
platforms-about = Connections to services that lend GPUs by token and budget.
threshold-label = GPU hours that must be left
threshold-about = With less than this you are warned; where no training is planned yet, it blocks. A training's own need counts before it.
threshold-wrong = A number such as 1.0 or 0.25
platforms-none = No platform yet
platforms-none-about = A platform lends GPUs by a token and a budget. Its account is checked before a training is sent there.
platform-add = Add a platform
platform-add-about = Where a training could run by token and budget.
platform-change-title = Change the connection “{ $name }”
platform-change-about = With another address, or another place for the token, you sign in anew.
platform-address = Address
platform-name = Name
platform-name-hint = Lower-case letters, digits and dashes.
platform-connector = How it tells its budget
platform-connector-hint = For any other form, a file of your own says where the answer has it.
platform-connector-own = A connector file of your own …
platform-connector-file = Connector file
platform-connector-file-hint = A small TOML file; the guide on accounts has an example with every key.
platform-connector-pick = Choose …
platform-connector-read = { $name }: asks { $asks }, counts { $counts }
platform-keep = Token kept in
platform-keep-choose = Choose …
platform-save = Add
connector-gpu-hours = GPU hours (the usual form)
connector-levels = GPU minutes on three levels
connector-credits = Prepaid credits
where-platforms = On a platform
where-platform-about = Checked here: sign-in, budget, data. Submitting comes with the next version.
where-card = Card
where-card-any = Any card
where-cards = Number of cards
platform-signed-out = not signed in
start-check-only = This plan is for a platform: it can be checked now, submitting comes with the next version.
batch-elsewhere = The platform's card decides
batch-elsewhere-about = Memory is worked out for cards of this computer. What the platform's card holds is checked once trainings can be submitted there.
