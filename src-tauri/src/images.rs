//! Serves the images that the engine handed out an id for: no path ever is in an address.

use std::sync::Arc;

use tauri::http::{Request, Response, StatusCode, header};
use tauri::{Manager, Runtime, UriSchemeContext, UriSchemeResponder};

use crate::shell::Shell;

/// `preview://localhost/<id>?side=256`; on Windows `http://preview.localhost/<id>?side=256`.
pub(crate) const SCHEME: &str = "preview";

/// Pixels of the longer side when nothing is said.
const USUAL_SIDE: u32 = 256;

/// Answers a request for an image.
pub(crate) fn serve<R: Runtime>(
    context: UriSchemeContext<'_, R>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let engine = Arc::clone(&context.app_handle().state::<Shell>().engine);
    tauri::async_runtime::spawn(async move {
        let id = request.uri().path().trim_start_matches('/');
        let side = side(request.uri().query().unwrap_or_default());
        responder.respond(response(engine.images().jpeg(id, side).await));
    });
}

fn side(query: &str) -> u32 {
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("side="));
    asked.and_then(|side| side.parse().ok()).unwrap_or(USUAL_SIDE)
}

fn response(jpeg: Option<Arc<Vec<u8>>>) -> Response<Vec<u8>> {
    let found = jpeg.is_some();
    let mut response = Response::new(jpeg.map(Arc::unwrap_or_clone).unwrap_or_default());
    if !found {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    for (name, value) in [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // The file behind an id may change on disk.
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    response
}
