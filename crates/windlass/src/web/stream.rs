//! The stream of changes to a browser, as server-sent events: resumed by the number of the last event it has.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use futures_core::Stream;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};

use super::page_state::{PageState, SentChange};
use super::query::{NoAnswer, PageQuery};

/// More browsers than this are refused: one browser needs one stream.
const MOST: usize = 64;
/// A line now and then keeps the connection open.
const QUIET: Duration = Duration::from_secs(15);
/// How soon a browser comes back after the stream broke, in milliseconds.
const RETRY: u32 = 400;

/// The answer: a stream that begins with what the browser has missed.
pub(super) fn answer(
    page: &Arc<PageState>,
    query: &PageQuery,
    headers: &HeaderMap,
) -> Result<Response, NoAnswer> {
    if page.listeners.load(Ordering::Relaxed) >= MOST {
        return Err(NoAnswer {
            status: StatusCode::SERVICE_UNAVAILABLE,
            message: format!("{MOST} browsers listen already"),
            hints: vec!["close some of them".into()],
        });
    }
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let after: Option<u64> = resumed.or_else(|| query.number("after"));
    let (send, lines) = mpsc::channel(16);
    tokio::spawn(tell(Arc::clone(page), after, send));
    let body = Body::from_stream(LineStream(lines));
    let mut response = Response::new(body);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/event-stream"));
    Ok(response)
}

/// Tells a browser what it has missed and then what happens, until it goes away.
async fn tell(page: Arc<PageState>, after: Option<u64>, send: mpsc::Sender<Bytes>) {
    page.listeners.fetch_add(1, Ordering::Relaxed);
    // Listening begins before the missed part is read, so nothing falls between.
    let mut changes = page.changes.subscribe();
    let missed = missed(&page, after).await;
    if send.send(Bytes::from(format!("retry: {RETRY}\n\n{missed}"))).await.is_ok() {
        while let Some(text) = next(&page, &mut changes, &send).await {
            if send.send(Bytes::from(text)).await.is_err() {
                break;
            }
        }
    }
    page.listeners.fetch_sub(1, Ordering::Relaxed);
}

/// The next piece of the stream; `None` when no client is connected.
async fn next(
    page: &Arc<PageState>,
    changes: &mut broadcast::Receiver<Arc<SentChange>>,
    send: &mpsc::Sender<Bytes>,
) -> Option<String> {
    tokio::select! {
        heard = changes.recv() => match heard {
            Ok(change) => Some(event(&change)),
            // A browser that fell behind asks again for everything.
            Err(RecvError::Lagged(_)) => Some(missed(page, Some(u64::MAX)).await),
            Err(RecvError::Closed) => None,
        },
        () = tokio::time::sleep(QUIET) => Some(": quiet\n\n".to_owned()),
        () = send.closed() => None,
    }
}

/// What changed after an event; a journal that cannot be read is told by the changes themselves.
async fn missed(page: &Arc<PageState>, after: Option<u64>) -> String {
    let page = Arc::clone(page);
    let read = tokio::task::spawn_blocking(move || page.since(after)).await;
    read.ok().and_then(Result::ok).map(|change| event(&change)).unwrap_or_default()
}

fn event(change: &SentChange) -> String {
    // JSON has no line breaks of its own.
    format!("id: {}\nevent: change\ndata: {}\n\n", change.seq, change.json)
}

/// The pieces of a stream as a body.
struct LineStream(mpsc::Receiver<Bytes>);

impl Stream for LineStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|piece| piece.map(Ok))
    }
}
