//! Something that nobody but its receiver is to read.

use zeroize::Zeroize;

/// A token, a passphrase, a key. It is never written by accident: it has no `Display` and no `Serialize`, and its `Debug`
/// shows nothing. Its memory is overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes hold of a secret.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for its receiver alone.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show_itself() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret:?} {:#?}", Some(&secret)), "Secret(…) Some(\n    Secret(…),\n)");
        assert_eq!(secret.expose(), "hunter2");
    }
}
