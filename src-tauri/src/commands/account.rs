//! Accounts on platforms. A token goes in when a person pastes one, and never comes out.

use std::path::PathBuf;

use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use preflight_engine::account::{self, Account, AccountView, ConnectorView, Profile, SignInStep, SignInWay};
use tauri::ipc::Channel;
use tauri::{AppHandle, Runtime};

use super::dialog;

commands! {
    /// Every saved connection, by name.
    blocking fn accounts(engine) -> Vec<Account> { Ok(account::list(engine)) }

    /// Saves a connection to a platform.
    async fn save_account(engine, name: String, profile: Profile) -> Account {
        account::save(engine, &name, &profile).await
    }

    /// Signs out and forgets the connection.
    async fn remove_account(engine, name: String) -> () { account::remove(engine, &name).await }

    /// What a connector file says.
    blocking fn connector(_, path: PathBuf) -> ConnectorView { account::connector_view(&path) }

    /// Asks the platform.
    async fn account_view(engine, name: String) -> AccountView { account::view(engine, &name).await }

    /// Signs in, one at a time.
    async fn sign_in(engine, name: String, way: SignInWay, on_step: Channel<SignInStep>) -> Account {
        let tell = move |step| {
            // A page that is gone needs no steps.
            let _ = on_step.send(step);
        };
        account::sign_in_from_window(engine, &name, way, &tell).await
    }

    /// Ends the sign-in that is under way.
    now fn cancel_sign_in(engine) -> () { engine.cancel_sign_in() }

    /// Signs out; whether the platform heard.
    async fn sign_out(engine, name: String) -> bool { account::sign_out(engine, &name).await }

    /// Why the system's keychain cannot be used; `None`: it can.
    async fn keychain_problem(_) -> Option<Problem> { Ok(account::keychain().await.err()) }

    /// Opens token files with a passphrase, as long as the app runs.
    now fn set_passphrase(engine, passphrase: String) -> () { account::set_passphrase(engine, Secret::new(passphrase)) }
}

/// Asks for a connector file; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_connector<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    Ok(dialog::file(&app, "window-dialog-connector", ("window-dialog-connectors", &["toml"])).await)
}
