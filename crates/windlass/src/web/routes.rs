//! The table of everything that can be requested. The router is built from it and from nothing else.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use windlass_core::wish::Wish;

use super::answers;
use super::change_doc;
use super::door::{Door, DoorRefusal, ENTER, HEADERS};
use super::files::{self, PageFile};
use super::log_doc;
use super::page_state::PageState;
use super::query::{NoAnswer, PageQuery};
use super::stream;
use super::task_doc;

/// The longest wish.
const WISH_BYTES: usize = 64 * 1024;
const JSON: &str = "application/json";

/// What answers a request.
#[derive(Clone, Copy)]
pub(super) enum Answerer {
    /// A file of the page.
    File(PageFile),
    /// A document, made from what is known.
    Document(fn(&PageState, &PageQuery) -> Result<String, NoAnswer>),
    /// The stream of changes.
    Changes,
    /// Lets a browser in.
    Enter,
    /// Takes a wish for the coordinator.
    Wish,
}

/// One thing that can be requested.
#[derive(Clone, Copy)]
pub(super) struct Route {
    /// Its path.
    pub(super) path: &'static str,
    /// What answers it.
    pub(super) answerer: Answerer,
}

impl Route {
    const fn file(path: &'static str, file: PageFile) -> Self {
        Self { path, answerer: Answerer::File(file) }
    }

    const fn document(
        path: &'static str,
        make: fn(&PageState, &PageQuery) -> Result<String, NoAnswer>,
    ) -> Self {
        Self { path, answerer: Answerer::Document(make) }
    }

    /// Its method: only a wish changes anything.
    pub(super) fn method(&self) -> Method {
        match self.answerer {
            Answerer::Wish => Method::POST,
            Answerer::File(_) | Answerer::Document(_) | Answerer::Changes | Answerer::Enter => Method::GET,
        }
    }
}

/// Everything that can be requested.
pub(super) const ROUTES: &[Route] = &[
    Route { path: ENTER, answerer: Answerer::Enter },
    Route::file("/", files::INDEX),
    Route::file("/icon.svg", files::ICON),
    Route::file("/style.css", files::STYLE),
    Route::file("/app.js", files::APP),
    Route::file("/dom.js", files::DOM),
    Route::file("/store.js", files::STORE),
    Route::file("/stream.js", files::STREAM),
    Route::file("/stream-worker.js", files::STREAM_WORKER),
    Route::file("/words.js", files::WORDS),
    Route::file("/steer.js", files::STEER),
    Route::file("/page-home.js", files::PAGE_HOME),
    Route::file("/page-graph.js", files::PAGE_GRAPH),
    Route::file("/page-table.js", files::PAGE_TABLE),
    Route::file("/page-timeline.js", files::PAGE_TIMELINE),
    Route::file("/page-task.js", files::PAGE_TASK),
    Route::file("/page-diff.js", files::PAGE_DIFF),
    Route::file("/page-log.js", files::PAGE_LOG),
    Route::file("/page-criteria.js", files::PAGE_CRITERIA),
    Route::file("/page-cost.js", files::PAGE_COST),
    Route::file("/page-findings.js", files::PAGE_FINDINGS),
    Route::file("/page-review.js", files::PAGE_REVIEW),
    Route::document("/api/overview", answers::overview),
    Route::document("/api/rows", answers::rows),
    Route::document("/api/map", answers::map),
    Route::document("/api/timeline", answers::timeline),
    Route::document("/api/criteria", answers::criteria),
    Route::document("/api/cost", answers::cost),
    Route::document("/api/findings", answers::findings),
    Route::document("/api/review", answers::review),
    Route::document("/api/task", task_doc::task),
    Route::document("/api/brief", task_doc::brief),
    Route::document("/api/diff", change_doc::diff),
    Route::document("/api/log", log_doc::parts),
    Route::document("/api/log/part", log_doc::part),
    Route::document("/api/log/live", log_doc::live),
    Route { path: "/api/changes", answerer: Answerer::Changes },
    Route { path: "/api/wish", answerer: Answerer::Wish },
];

/// The router. `entered` is told the next address whenever a browser was let in.
pub(super) fn router(
    page: &Arc<PageState>,
    door: Arc<Door>,
    entered: impl Fn(&str) + Clone + Send + Sync + 'static,
) -> Router {
    let entered: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(entered);
    let mut router = Router::new()
        .fallback(|| async { no_answer(&NoAnswer::missing("there is nothing at this address")) });
    for route in ROUTES {
        let (page, door, entered) = (Arc::clone(page), Arc::clone(&door), Arc::clone(&entered));
        let answerer = route.answerer;
        let Ok(filter) = MethodFilter::try_from(route.method()) else { continue };
        let handler = move |request: Request| {
            let (page, door, entered) = (Arc::clone(&page), Arc::clone(&door), Arc::clone(&entered));
            async move { answer(answerer, page, &door, &*entered, request).await }
        };
        router = router.route(route.path, on(filter, handler));
    }
    router.layer(from_fn(move |request: Request, next: Next| {
        let door = Arc::clone(&door);
        async move { guarded(&door, request, next).await }
    }))
}

/// Refuses what may not be requested, and adds the headers that every answer has.
async fn guarded(door: &Door, request: Request, next: Next) -> Response {
    let mut response = match door.check(request.method(), request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refused(refusal),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

async fn answer(
    answerer: Answerer,
    page: Arc<PageState>,
    door: &Door,
    entered: &(dyn Fn(&str) + Send + Sync),
    request: Request,
) -> Response {
    let query = PageQuery::read(request.uri().query());
    let made = match answerer {
        Answerer::File(file) => Ok(said(StatusCode::OK, file.kind, file.text)),
        Answerer::Document(make) => document(move || make(&page, &query)).await,
        Answerer::Changes => stream::answer(&page, &query, request.headers()),
        Answerer::Enter => {
            return match door.enter(query.text("token")) {
                Ok(cookie) => {
                    entered(&door.address());
                    let_in(&cookie)
                }
                Err(refusal) => refused(refusal),
            };
        }
        Answerer::Wish => wish(page, request).await,
    };
    made.unwrap_or_else(|error| no_answer(&error))
}

/// Makes a document on a thread that may block.
async fn document(
    make: impl FnOnce() -> Result<String, NoAnswer> + Send + 'static,
) -> Result<Response, NoAnswer> {
    let made = tokio::task::spawn_blocking(make).await;
    let made = made.map_err(|_| NoAnswer {
        status: StatusCode::INTERNAL_SERVER_ERROR,
        message: "the answer could not be made".into(),
        hints: Vec::new(),
    })?;
    Ok(said(StatusCode::OK, JSON, made?))
}

/// Takes a wish: the same text that the command line leaves.
async fn wish(page: Arc<PageState>, request: Request) -> Result<Response, NoAnswer> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind != Some(JSON) {
        return Err(NoAnswer {
            status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
            message: format!("a wish is `{JSON}`"),
            hints: Vec::new(),
        });
    }
    let body = axum::body::to_bytes(request.into_body(), WISH_BYTES).await;
    let body = body.map_err(|_| NoAnswer {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        message: format!("a wish has at most {WISH_BYTES} bytes"),
        hints: Vec::new(),
    })?;
    let text = std::str::from_utf8(&body).map_err(|_| NoAnswer::unclear("this is no text"))?;
    let wish = Wish::from_json(text)
        .map_err(|error| NoAnswer::unclear(format!("the request cannot be read: {error}")))?;
    document(move || answers::wish(&page, &wish)).await
}

fn said(status: StatusCode, kind: &'static str, text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn no_answer(error: &NoAnswer) -> Response {
    said(error.status, JSON, error.body())
}

/// The answer to a browser that was let in. The page goes on by itself: a redirect would count as coming from where the
/// address was clicked, and the cookie would stay away.
fn let_in(cookie: &str) -> Response {
    let page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
        <meta http-equiv=\"refresh\" content=\"0;url=/\"><title>Windlass</title><p><a href=\"/\">Go on to the page</a>";
    let mut response = said(StatusCode::OK, files::INDEX.kind, page);
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

fn refused(refusal: DoorRefusal) -> Response {
    said(refusal.status(), "text/plain; charset=utf-8", refusal.message())
}
