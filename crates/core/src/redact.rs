//! Takes out of a text what must not leave a computer: secrets, names of people and machines, addresses.
//!
//! Rather too much than too little: what is taken out is replaced by a word in brackets that says what it was.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};

/// What is private about a computer, besides what shows by its form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Private {
    /// Names of its user.
    pub users: Vec<String>,
    /// Its names in the network.
    pub hosts: Vec<String>,
}

/// What was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// Passwords, tokens, keys.
    Secret,
    /// A person's name.
    User,
    /// A machine's name.
    Host,
    /// A machine's address.
    Address,
    /// A mail address.
    Mail,
}

impl Taken {
    fn mark(self) -> &'static str {
        match self {
            Self::Secret => "[secret]",
            Self::User => "[user]",
            Self::Host => "[host]",
            Self::Address => "[address]",
            Self::Mail => "[mail]",
        }
    }
}

/// A text without what is private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// The text.
    pub text: String,
    /// How often something was taken out.
    pub taken: BTreeMap<Taken, u32>,
}

/// Names that are nobody's.
const NOBODY: [&str; 12] = [
    "root",
    "user",
    "users",
    "admin",
    "administrator",
    "ubuntu",
    "public",
    "shared",
    "default",
    "runner",
    "data",
    "home",
];
/// Names that every machine has, or that say nothing.
const NOWHERE: [&str; 6] = ["localhost", "local", "linux", "windows", "computer", "desktop"];
/// Servers that everybody uses: which one it was helps, and tells nothing.
const PUBLIC: [&str; 22] = [
    "localhost",
    "example.com",
    "ultralytics.com",
    "github.com",
    "githubusercontent.com",
    "pypi.org",
    "pythonhosted.org",
    "pytorch.org",
    "python.org",
    "nvidia.com",
    "docker.io",
    "docker.com",
    "huggingface.co",
    "hf-mirror.com",
    "anaconda.org",
    "anaconda.com",
    "tsinghua.edu.cn",
    "aliyun.com",
    "ustc.edu.cn",
    "numpy.org",
    "opencv.org",
    "wandb.ai",
];

/// A form that gives something away. Its groups called `before` and `after` stay.
struct Form {
    what: Taken,
    regex: Regex,
    /// Whether what matched stays, although it has the form.
    stays: Stays,
}

/// Whether what was found in a text stays.
type Stays = fn(&Captures<'_>, &str) -> bool;

fn always(_: &Captures<'_>, _: &str) -> bool {
    false
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let forms: [(Taken, &str, Stays); 19] = [
        (Taken::Secret, r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)", always),
        (Taken::Secret, r#"(?i)(?P<before>\b[a-z][a-z0-9+.-]*://)[^\s/@"'<>]+(?P<after>@)"#, always),
        (
            Taken::Secret,
            r#"(?i)(?P<before>\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer|token|digest|negotiate)\s+)?)[^\s"'\r\n,}]+"#,
            always,
        ),
        (Taken::Secret, r#"(?i)(?P<before>\b(?:set-)?cookie["']?\s*[:=]\s*["']?)[^"'\r\n]+"#, always),
        (Taken::Secret, r"(?i)(?P<before>\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}", always),
        (Taken::Secret, r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?", always),
        (
            Taken::Secret,
            r"\b(?:hf_[A-Za-z0-9]{8,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|sk-[A-Za-z0-9_-]{12,}|A[KS]IA[A-Z0-9]{12,}|xox[abprs]-[\w-]{8,}|glpat-[\w-]{12,}|AIza[\w-]{24,}|nvapi-[\w-]{12,}|npm_[A-Za-z0-9]{20,}|dckr_pat_[\w-]{12,}|pypi-[\w-]{16,})",
            always,
        ),
        (
            Taken::Secret,
            r#"(?i)(?P<before>[\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|密码|口令)[\w.-]*["']?\s*(?:[:=：]|\s=>)\s*["']?)[^\s"',;&}\]]+"#,
            always,
        ),
        (Taken::Secret, r#"(?i)(?P<before>--?(?:password|passwd|token|api-key|secret)[ =]["']?)[^\s"']+"#, always),
        (
            Taken::Secret,
            r#"(?i)(?P<before>[?&](?:x-amz-[a-z-]+|sig|signature|token|key|code|auth|se|sp|sv)=)[^&\s"'<>]+"#,
            always,
        ),
        (Taken::Mail, r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", always),
        (Taken::User, r#"(?P<before>[A-Za-z]:[\\/]+Users[\\/]+)[^\\/:"*?<>|\r\n]+(?P<after>[\\/])"#, is_nobody),
        (Taken::User, r#"(?P<before>[A-Za-z]:[\\/]+Users[\\/]+)[^\\/\s:"'*?<>|]+"#, is_nobody),
        (Taken::User, r#"(?P<before>/(?:home|Users)/)[^/\s"'`:,;()\[\]]+"#, is_nobody),
        (
            Taken::Host,
            r#"(?i)(?P<before>\b(?:https?|wss?|tcp|ssh|ftp|nfs|smb|redis|amqp|socks5h?)://(?:\[secret\]@)?)[^/\s:"'<>()\[\]\\]+"#,
            is_public,
        ),
        (Taken::Host, r#"(?i)(?P<before>\bhost(?:_?name)?["']?\s*[=:]\s*["']?)[\w-]+(?:\.[\w-]+)+"#, is_public),
        (Taken::Host, r"(?i)\b[\w-]+(?:\.[\w-]+)*\.(?:local|lan|internal|intra|intranet|corp|home\.arpa)\b", always),
        (Taken::Address, r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b", always),
        (
            Taken::Address,
            r"(?i)\b(?:(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3})(?::[0-9a-f]{0,4}){2,7}[0-9a-f]|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4})\b",
            always,
        ),
    ];
    let form = |(what, source, stays): (Taken, &str, _)| Some(Form { what, regex: Regex::new(source).ok()?, stays });
    let mut forms: Vec<Form> = forms.into_iter().filter_map(form).collect();
    forms.extend(form((Taken::Address, r"\b\d{1,3}(?:\.\d{1,3}){3}\b", is_no_address)));
    forms.extend(form((Taken::Host, r#"(?P<before>(?:^|[\s"'=(])\\\\(?:\\\\)?)[A-Za-z0-9][\w.-]*"#, always)));
    forms
});

/// What matched, without what stays of it.
fn own<'t>(captures: &Captures<'t>) -> &'t str {
    let Some(whole) = captures.get(0) else { return "" };
    let before = captures.name("before").map_or(0, |before| before.len());
    let after = captures.name("after").map_or(0, |after| after.len());
    whole.as_str().get(before..whole.len() - after).unwrap_or_default()
}

fn is_nobody(captures: &Captures<'_>, _: &str) -> bool {
    let name = own(captures).to_lowercase();
    NOBODY.contains(&name.as_str()) || name == Taken::User.mark()
}

fn is_public(captures: &Captures<'_>, _: &str) -> bool {
    let host = own(captures).to_lowercase();
    let ends = |public: &str| host.strip_suffix(public).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    PUBLIC.iter().any(|public| ends(public)) || host.starts_with("127.") || host == "0.0.0.0"
}

/// Versions have four numbers, too: `==12.8.4.1`, `libcudnn.so.9.1.0.70`.
fn is_no_address(captures: &Captures<'_>, text: &str) -> bool {
    let Some(whole) = captures.get(0) else { return true };
    let before = &text.as_bytes()[..whole.start()];
    let after = &text.as_bytes()[whole.end()..];
    let is_version = before.ends_with(b"==")
        || before.ends_with(b">=")
        || before.ends_with(b"<=")
        || matches!(before.last(), Some(b'-' | b'_' | b'.' | b'+' | b'v'))
        || (after.first() == Some(&b'.') && after.get(1).is_some_and(u8::is_ascii_digit));
    let parts: Vec<u16> = whole.as_str().split('.').filter_map(|part| part.parse().ok()).collect();
    let is_own = parts.first() == Some(&127) || parts == [0, 0, 0, 0];
    is_version || is_own || parts.iter().any(|part| *part > 255)
}

/// The text without secrets. Names and addresses stay: whoever is to help needs them.
#[must_use]
pub fn without_secrets(text: &str) -> String {
    let secrets = FORMS.iter().filter(|form| form.what == Taken::Secret);
    secrets.fold(text.to_owned(), |text, form| replace(&text, form, &mut BTreeMap::new()))
}

/// The text without what is private.
#[must_use]
pub fn redact(text: &str, private: &Private) -> Redacted {
    let mut taken = BTreeMap::new();
    let mut text = Cow::Borrowed(text);
    for form in FORMS.iter() {
        text = Cow::Owned(replace(&text, form, &mut taken));
    }
    let names = |names: &[String], nobody: &[&str]| {
        let mut names: Vec<String> = names.iter().filter(|name| name.chars().count() >= 3).cloned().collect();
        names.retain(|name| !nobody.contains(&name.to_lowercase().as_str()));
        // The longest first: one name may begin with another.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names
    };
    let all = [(Taken::User, names(&private.users, &NOBODY)), (Taken::Host, names(&private.hosts, &NOWHERE))];
    for (what, names) in all {
        for name in names {
            let (before, after) = (edge(&name, true), edge(&name, false));
            let source = format!("(?i){before}{}{after}", regex::escape(&name));
            if let Ok(regex) = Regex::new(&source) {
                text = Cow::Owned(replace(&text, &Form { what, regex, stays: always }, &mut taken));
            }
        }
    }
    Redacted { text: text.into_owned(), taken }
}

/// Where a name begins or ends: not within a word.
fn edge(name: &str, begin: bool) -> &'static str {
    let sign = if begin { name.chars().next() } else { name.chars().next_back() };
    let is_word = sign.is_some_and(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    if is_word { r"\b" } else { "" }
}

fn replace(text: &str, form: &Form, taken: &mut BTreeMap<Taken, u32>) -> String {
    let mark = form.what.mark();
    let put = |captures: &Captures<'_>| {
        let whole = captures.get(0).map_or("", |whole| whole.as_str());
        let own = own(captures);
        if (form.stays)(captures, text) || own.is_empty() || own == mark || own == Taken::Secret.mark() {
            return whole.to_owned();
        }
        *taken.entry(form.what).or_default() += 1;
        let before = captures.name("before").map_or("", |before| before.as_str());
        let after = captures.name("after").map_or("", |after| after.as_str());
        format!("{before}{mark}{after}")
    };
    form.regex.replace_all(text, put).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn private() -> Private {
        Private { users: vec!["linwei".to_owned(), "林".to_owned()], hosts: vec!["forge-07".to_owned()] }
    }

    fn said(text: &str) -> String {
        redact(text, &private()).text
    }

    #[test]
    fn takes_out_what_must_not_leave_the_computer() {
        for (text, left) in [
            ("Authorization: Bearer abc.def-123", "Authorization: Bearer [secret]"),
            ("{\"authorization\": \"Basic dXNlcjpwdw==\"}", "{\"authorization\": \"Basic [secret]\"}"),
            ("git clone https://bob:hunter2@git.acme.cn/x", "git clone https://[secret]@[host]/x"),
            ("WANDB_API_KEY=0123456789abcdef0123", "WANDB_API_KEY=[secret]"),
            ("password: 'pa ss'", "password: '[secret] ss'"),
            ("token eyJhbGciOi.eyJzdWIi.c2ln was refused", "token [secret] was refused"),
            ("using hf_abcdefghijk", "using [secret]"),
            ("--token s3cr3t run", "--token [secret] run"),
            (
                "https://s3.example.com/b?X-Amz-Signature=00ff&a=1",
                "https://s3.example.com/b?X-Amz-Signature=[secret]&a=1",
            ),
            ("write to lin.wei@acme.cn now", "write to [mail] now"),
            ("File \"/home/bob/train.py\", line 3", "File \"/home/[user]/train.py\", line 3"),
            (r"C:\Users\Bob Smith\data\a.txt", r"C:\Users\[user]\data\a.txt"),
            (r#""C:\\Users\\bob\\data""#, r#""C:\\Users\\[user]\\data""#),
            ("Linwei started it on FORGE-07.", "[user] started it on [host]."),
            ("connect to 10.20.30.40:8080 failed", "connect to [address]:8080 failed"),
            ("inet6 fe80::1ff:fe23:4567:890a", "inet6 [address]"),
            ("link/ether 52:54:00:12:34:56", "link/ether [address]"),
            ("HTTPSConnectionPool(host='api.acme.cn', port=443)", "HTTPSConnectionPool(host='[host]', port=443)"),
            ("no route to gpu3.acme.internal", "no route to [host]"),
            (r"open \\nas-2\data\x", r"open \\[host]\data\x"),
            ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n", "[secret]\n"),
        ] {
            assert_eq!(said(text), left);
        }
    }

    #[test]
    fn leaves_what_helps() {
        for text in [
            "nvidia-cublas-cu12==12.8.4.1",
            "libcudnn.so.9.1.0.70: cannot open",
            "https://github.com/ultralytics/assets/releases/download/v8.4.0/yolo11n.pt",
            "127.0.0.1:9 refused",
            "c10::Error at::native std::bad_alloc",
            "10:00:00 epoch 1/100 2.1G 1.204 30 640: 45%|####5     | 9/20 [00:04<00:05,  2.01it/s]",
            "driver 570.86.16, CUDA 12.8, sm_120",
            "/root/run/train.py",
            "SyntaxError: invalid syntax",
            "/data/plates/images/train/a.jpg",
        ] {
            assert_eq!(said(text), text);
        }
    }

    #[test]
    fn says_how_much_was_taken() {
        let redacted = redact("10.0.0.1 and 10.0.0.2, /home/bob", &private());
        assert_eq!(redacted.taken, BTreeMap::from([(Taken::Address, 2), (Taken::User, 1)]));
        assert_eq!(FORMS.len(), 21, "a form is no regular expression");
    }

    proptest! {
        #[test]
        fn a_secret_does_not_survive_what_is_around_it(
            before in "[ -~\\n]{0,40}", secret in "[A-Za-z0-9]{12,30}", after in "[ -~\\n]{0,40}",
            form in prop::sample::select(vec!["\nAuthorization: Bearer {}", "\nAPI_KEY={}", "\nhttps://u:{}@h.cn/", " ghp_{}aaaaaa"]),
        ) {
            let text = format!("{before}{}\n{after}", form.replace("{}", &secret));
            prop_assume!(!before.contains(&secret) && !after.contains(&secret));
            prop_assert!(!said(&text).contains(&secret), "{text}");
        }

        #[test]
        fn what_was_taken_out_once_stays_so(text in "[ -~\\n]{0,200}") {
            let once = said(&text);
            prop_assert_eq!(said(&once), once);
        }
    }
}
