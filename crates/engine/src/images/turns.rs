//! Who may decode next: whoever asked last, since that is what a person looks at now.

use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

use crate::work::lock;

/// Those who wait at most; whoever waits longest gives up first. Several screens of the smallest thumbnails.
const MOST_WAITING: usize = 600;

/// So many at a time, the latest first.
#[derive(Debug)]
pub(super) struct Turns(Arc<Mutex<Queue>>);

#[derive(Debug)]
struct Queue {
    free: usize,
    /// The latest comes last.
    waiting: Vec<(String, oneshot::Sender<Turn>)>,
}

/// Somebody's turn, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn(Arc<Mutex<Queue>>);

impl Turns {
    pub(super) fn new(at_a_time: usize) -> Self {
        Self(Arc::new(Mutex::new(Queue { free: at_a_time, waiting: Vec::new() })))
    }

    /// Waits for a turn; `None`: what was asked for is no longer looked at.
    pub(super) async fn wait(&self, id: &str) -> Option<Turn> {
        let told = {
            let mut queue = lock(&self.0);
            if queue.free > 0 {
                queue.free -= 1;
                return Some(Turn(Arc::clone(&self.0)));
            }
            if queue.waiting.len() >= MOST_WAITING {
                queue.waiting.remove(0);
            }
            let (tell, told) = oneshot::channel();
            queue.waiting.push((id.to_owned(), tell));
            told
        };
        told.await.ok()
    }

    /// Sends away whoever waits for anything else.
    pub(super) fn keep_only(&self, is_wanted: impl Fn(&str) -> bool) {
        lock(&self.0).waiting.retain(|(id, _)| is_wanted(id));
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        lock(&self.0).waiting.len()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = {
            let mut queue = lock(&self.0);
            let next = queue.waiting.pop();
            if next.is_none() {
                queue.free += 1;
            }
            next
        };
        // Whoever went away meanwhile drops the turn, which hands it on.
        if let Some((_, tell)) = next {
            drop(tell.send(Self(Arc::clone(&self.0))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_latest_comes_first_and_who_is_sent_away_gets_nothing() {
        let turns = Arc::new(Turns::new(1));
        let first = turns.wait("first").await.unwrap();
        let ask = |id: &'static str| {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move { turns.wait(id).await.map(|turn| (id, turn)) })
        };
        let mut asked = Vec::new();
        for id in ["old", "gone", "new"] {
            asked.push(ask(id));
            while turns.waiting() < asked.len() {
                tokio::task::yield_now().await;
            }
        }
        turns.keep_only(|id| id != "gone");
        let [old, gone, new] = <[_; 3]>::try_from(asked).unwrap();
        assert!(gone.await.unwrap().is_none());
        drop(first);
        let (id, turn) = new.await.unwrap().unwrap();
        assert_eq!((id, old.is_finished()), ("new", false));
        drop(turn);
        assert_eq!(old.await.unwrap().unwrap().0, "old");
    }

    #[tokio::test]
    async fn who_went_away_takes_no_turn() {
        let turns = Arc::new(Turns::new(1));
        let first = turns.wait("first").await.unwrap();
        let waiting = {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move { turns.wait("left").await.is_some() })
        };
        while turns.waiting() < 1 {
            tokio::task::yield_now().await;
        }
        waiting.abort();
        assert!(waiting.await.is_err());
        drop(first);
        assert!(turns.wait("next").await.is_some());
    }
}
