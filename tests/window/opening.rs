use crate::app::World;

#[tokio::test(flavor = "multi_thread")]
async fn the_window_opens_says_something_and_breaks_no_rule() {
    let app = World::default().open().await;
    app.find_css("main", std::time::Duration::from_secs(30)).await;
    app.until("there is something to read", "document.body.innerText.length > 40", std::time::Duration::from_secs(30))
        .await;
    app.assert_accessible().await;
    app.shot("opening").await;
    assert_eq!(app.noted().await, Vec::<String>::new());

    // What is refused is seen.
    app.client
        .execute_async(
            "const done = arguments[0]; const image = new Image();
             image.onerror = () => done(); image.src = 'https://example.invalid/x.png';",
            vec![],
        )
        .await
        .unwrap();
    assert_eq!(app.noted().await, ["refused: img-src https://example.invalid/x.png"]);
    app.close().await;
}
