//! The window shows the app and nothing else.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::app::World;

/// A server that notes whether anyone asked it for something. WebKit connects to where a link leads as soon as it is
/// clicked, before it knows whether it may; nothing is said through that connection.
fn server() -> (String, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let visited = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&visited);
    std::thread::spawn(move || {
        for visitor in listener.incoming() {
            let noted = Arc::clone(&noted);
            std::thread::spawn(move || {
                let said = visitor.and_then(|mut visitor| visitor.read(&mut [0]));
                noted.fetch_or(said.is_ok_and(|bytes| bytes > 0), Ordering::SeqCst);
            });
        }
    });
    (address, visited)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_left_for_no_other_address() {
    let app = World::default().open().await;
    app.find("drop-zone").await;
    let (elsewhere, visited) = server();
    let home = app.evaluate("location.href").await;
    let link = |more: &str| {
        format!(
            "const link = document.createElement('a'); link.href = '{elsewhere}'; {more}
             document.body.append(link); link.click(); link.remove();"
        )
    };
    for way in [
        format!("location.href = '{elsewhere}';"),
        format!("location.replace('{elsewhere}');"),
        "location.href = 'file:///etc/passwd';".to_owned(),
        "location.href = 'data:text/html,gone';".to_owned(),
        format!("window.open('{elsewhere}');"),
        link(""),
        link("link.target = '_blank';"),
        link("link.download = 'x';"),
    ] {
        // Whatever comes of it has come by then: a page that is left runs no more code.
        let try_it = format!("const done = arguments[0]; {way} setTimeout(done, 700);");
        app.client.execute_async(&try_it, vec![]).await.unwrap_or_else(|error| panic!("{way} {error}"));
        assert_eq!(app.evaluate("location.href").await, home, "{way}");
        assert!(app.evaluate("Array.isArray(window.noted)").await.as_bool().unwrap(), "{way} began a new page");
        assert_eq!(app.client.windows().await.unwrap().len(), 1, "{way}");
        assert!(!visited.load(Ordering::SeqCst), "{way}");
    }
    // It still works.
    app.press("nav-runs").await;
    app.until("another page is shown", "location.hash === '#/runs'", std::time::Duration::from_secs(10)).await;
    app.noted().await;
    app.close().await;
}
