//! Images for the window, by ids that mean nothing outside this process: no path ever is in an address, and
//! what was not handed out cannot be had.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tauri::http::{Request, Response, StatusCode, header};
use tauri::{Manager, Runtime, UriSchemeContext, UriSchemeResponder};
use tokio::sync::Semaphore;

use crate::shell::{Shell, blocking, lock};

/// `preview://localhost/<id>?side=256`; on Windows `http://preview.localhost/<id>?side=256`.
pub(crate) const SCHEME: &str = "preview";

/// Ids that stay valid. A gallery shows some hundreds at a time.
const REMEMBERED: usize = 10_000;
/// Longest side in pixels that is served, and what is served when nothing is said.
const LARGEST_SIDE: u32 = 2048;
const USUAL_SIDE: u32 = 256;

/// The images that were handed out.
#[derive(Debug)]
pub(crate) struct Images {
    table: Mutex<Table>,
    /// Decoding takes a core and the picture's full size in memory.
    decoding: Semaphore,
}

#[derive(Debug, Default)]
struct Table {
    next: u64,
    paths: HashMap<String, PathBuf>,
    ids: HashMap<PathBuf, String>,
    order: VecDeque<String>,
}

impl Default for Images {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self { table: Mutex::default(), decoding: Semaphore::new(cores) }
    }
}

impl Images {
    /// An id for an image; the same for the same path as long as it is remembered.
    pub(crate) fn id(&self, path: &Path) -> String {
        let mut table = lock(&self.table);
        if let Some(id) = table.ids.get(path) {
            return id.clone();
        }
        table.next += 1;
        let id = format!("i{}", table.next);
        table.paths.insert(id.clone(), path.to_owned());
        table.ids.insert(path.to_owned(), id.clone());
        table.order.push_back(id.clone());
        if table.order.len() > REMEMBERED
            && let Some(oldest) = table.order.pop_front()
            && let Some(path) = table.paths.remove(&oldest)
        {
            table.ids.remove(&path);
        }
        id
    }

    fn path(&self, id: &str) -> Option<PathBuf> {
        lock(&self.table).paths.get(id).cloned()
    }

    async fn answer(&self, id: &str, side: u32) -> Response<Vec<u8>> {
        let Some(path) = self.path(id) else { return nothing() };
        let Ok(_permit) = self.decoding.acquire().await else { return nothing() };
        match blocking(move || preflight_engine::dataset::thumbnail(&path, side)).await {
            Ok(Ok(bytes)) => picture(bytes),
            _ => nothing(),
        }
    }
}

/// Answers a request for an image.
pub(crate) fn serve<R: Runtime>(
    context: UriSchemeContext<'_, R>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let images = Arc::clone(&context.app_handle().state::<Shell>().images);
    let id = request.uri().path().trim_start_matches('/').to_owned();
    let side = side(request.uri().query().unwrap_or_default());
    tauri::async_runtime::spawn(async move { responder.respond(images.answer(&id, side).await) });
}

fn side(query: &str) -> u32 {
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("side="));
    asked.and_then(|side| side.parse().ok()).unwrap_or(USUAL_SIDE).clamp(16, LARGEST_SIDE)
}

fn picture(bytes: Vec<u8>) -> Response<Vec<u8>> {
    let kind = if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
    let mut response = Response::new(bytes);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, header::HeaderValue::from_static("nosniff"));
    // The file behind an id may change on disk.
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-cache"));
    response
}

fn nothing() -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_keeps_its_id_and_forgotten_ids_lead_nowhere() {
        let images = Images::default();
        let first = images.id(Path::new("/data/first.jpg"));
        assert_eq!(images.id(Path::new("/data/first.jpg")), first);
        for number in 0..REMEMBERED {
            images.id(Path::new(&format!("/data/{number}.jpg")));
        }
        assert_eq!(images.path(&first), None);
        assert_ne!(images.id(Path::new("/data/first.jpg")), first);
    }

    #[test]
    fn the_side_is_bounded_and_has_a_default() {
        assert_eq!(side(""), 256);
        assert_eq!(side("side=512"), 512);
        assert_eq!(side("x=1&side=99999999"), LARGEST_SIDE);
        assert_eq!(side("side=0"), 16);
        assert_eq!(side("side=../../etc"), 256);
    }

    #[tokio::test]
    async fn only_what_was_handed_out_can_be_had() {
        let images = Images::default();
        for asked in ["", "i1", "etc/passwd", "%2Fetc%2Fpasswd", "../i1"] {
            assert_eq!(images.answer(asked, 64).await.status(), StatusCode::NOT_FOUND);
        }
    }
}
