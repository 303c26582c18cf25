//! The shell: a window over the engine. It decides nothing and keeps nothing that the engine could keep.

mod commands;
mod exit;
mod images;
mod shell;
mod window;

use std::process::ExitCode;
use std::sync::Arc;

use preflight_core::problem::Problem;
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use preflight_engine::runs::{self, SupervisorCommand};
use tauri::{Manager, Runtime};
use tauri_specta::{ErrorHandlingMode, collect_commands};

pub use shell::Shell;

/// Everything the window may call: the one list, and the source of `ui/src/backend/bindings.ts`.
#[must_use]
pub fn ipc<R: Runtime>() -> tauri_specta::Builder<R> {
    use commands::{
        account, app, dataset, environment, failure, forecast, history, log, machine, making, open, plan, results, run,
        watch, weights,
    };
    tauri_specta::Builder::<R>::new()
        .error_handling(ErrorHandlingMode::Throw)
        // Byte counts and times stay far below 2^53.
        .dangerously_cast_bigints_to_number()
        .disable_serde_phases()
        .typ::<Problem>()
        .commands(collect_commands![
            app::app_info,
            app::settings,
            app::change_settings::<tauri::Wry>,
            plan::new_plan,
            plan::draft,
            plan::save_draft,
            plan::open_plan::<tauri::Wry>,
            plan::save_plan::<tauri::Wry>,
            plan::plan_toml,
            plan::plan_command,
            plan::models,
            plan::pick_weights::<tauri::Wry>,
            dataset::typed_path,
            dataset::pick_dataset_folder::<tauri::Wry>,
            dataset::pick_dataset_file::<tauri::Wry>,
            dataset::inspect_dataset,
            dataset::cancel_dataset_work,
            dataset::matching_images,
            dataset::dataset_images,
            dataset::dataset_picture,
            dataset::look_at_only,
            dataset::examine_dataset,
            dataset::save_report::<tauri::Wry>,
            dataset::create_sample,
            dataset::sample_plan,
            making::pick_target_folder::<tauri::Wry>,
            making::what_is,
            making::unpack_dataset,
            making::prepare_conversion,
            making::convert_dataset,
            making::plan_fix,
            making::fix_diff,
            making::write_fix,
            making::plan_copy,
            making::copy_dataset,
            machine::machine,
            machine::watch_machine,
            machine::examine_computer,
            machine::end_process,
            machine::waiting,
            machine::wait_for,
            machine::stop_waiting,
            environment::environments,
            environment::accept_python,
            environment::environment_cost,
            environment::create_environment,
            environment::cancel_environment,
            environment::remove_environment,
            environment::export_kit::<tauri::Wry>,
            environment::import_kit::<tauri::Wry>,
            account::accounts,
            account::save_account,
            account::remove_account,
            account::connector,
            account::pick_connector::<tauri::Wry>,
            account::account_view,
            account::sign_in,
            account::cancel_sign_in,
            account::sign_out,
            account::keychain_problem,
            account::set_passphrase,
            weights::weights,
            weights::fetch_weights,
            weights::cancel_weights,
            run::preflight,
            forecast::outlook,
            forecast::try_out,
            forecast::cancel_try_out,
            forecast::learned,
            forecast::forget_learned,
            run::start_run,
            run::runs,
            run::run,
            run::pause_run,
            run::keep_run_on,
            run::resume_run,
            run::cancel_run,
            failure::diagnose_run,
            failure::bundle,
            failure::letter,
            failure::save_bundle::<tauri::Wry>,
            failure::save_failure_report::<tauri::Wry>,
            history::note_run,
            history::run_size,
            history::room,
            history::clear_room,
            history::delete_run,
            results::run_results,
            results::pick_trial_images::<tauri::Wry>,
            results::try_model,
            results::keep_pasted,
            results::close_trial,
            results::export_needs,
            results::add_export_packages,
            results::export_model,
            results::cancel_export,
            results::save_export::<tauri::Wry>,
            watch::watch_run,
            watch::watch_dataset,
            watch::stop_watching,
            log::run_log,
            log::search_log,
            open::open_folder,
            open::open_file,
            open::open_url,
        ])
}

/// Puts commands, plugins and the images' protocol on a builder. Tests do so with Tauri's mock runtime.
///
/// # Errors
/// What Tauri says when its parts do not come up.
pub fn build<R: Runtime>(
    builder: tauri::Builder<R>,
    context: tauri::Context<R>,
    engine: Engine,
) -> tauri::Result<tauri::App<R>> {
    let app = builder
        .plugin(tauri_plugin_dialog::init())
        .manage(Shell::new(engine))
        .register_asynchronous_uri_scheme_protocol(images::SCHEME, images::serve)
        .on_page_load(|webview, payload| {
            // A page that is gone listens no longer.
            if payload.event() == tauri::webview::PageLoadEvent::Started {
                webview.state::<Shell>().watchers.stop_all();
            }
        })
        .invoke_handler(ipc::<R>().invoke_handler())
        .build(context)?;
    Ok(app)
}

/// What the program does: supervises a run, says its version, or opens the window.
#[must_use]
pub fn start() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match arguments.first().and_then(|first| first.to_str()) {
        Some("supervise") if arguments.len() == 2 => {
            let folder = std::path::PathBuf::from(&arguments[1]);
            ExitCode::from(tauri::async_runtime::block_on(runs::supervise(&folder)))
        }
        Some("--version") => {
            exit::say(&format!("YOLO Preflight {}", env!("CARGO_PKG_VERSION")));
            ExitCode::SUCCESS
        }
        _ => {
            if let Some(code) = window::restart_with_workaround() {
                return code;
            }
            open_window()
        }
    }
}

#[expect(clippy::exit, reason = "in what Tauri generates")]
fn context() -> tauri::Context<tauri::Wry> {
    tauri::generate_context!()
}

fn open_window() -> ExitCode {
    if !window::has_desktop() {
        return exit::refuse(&Problem::new("window.no-desktop"));
    }
    let opened = Dirs::from_environment().and_then(|dirs| {
        preflight_engine::crash::log_panics(&dirs);
        Engine::open(dirs)
    });
    let engine = match opened {
        Ok(engine) => engine,
        Err(problem) => return exit::refuse(&problem),
    };
    let mut context = context();
    window::name_instance(&mut context, engine.dirs());
    let settings = engine.settings();
    let home = engine.dirs().root().to_owned();
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, _, _| window::focus(app)))
        .setup(move |app| Ok(window::open(app, &settings, &home)?));
    match build(builder, context, engine) {
        Ok(app) => {
            if let Ok(supervisor) = SupervisorCommand::this_program() {
                tauri::async_runtime::spawn(runs::attend(Arc::clone(&app.state::<Shell>().engine), supervisor));
            }
            let engine = Arc::clone(&app.state::<Shell>().engine);
            tauri::async_runtime::spawn(async move { preflight_engine::account::keep_fresh(&engine).await });
            app.run(exit::on_event);
            ExitCode::SUCCESS
        }
        Err(error) => exit::refuse(&Problem::new("window.not-opened").because(&error)),
    }
}
