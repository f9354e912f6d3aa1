//! OTLP in JSON: ids in hexadecimal, 64-bit numbers as texts, enums as numbers.

use serde_json::{Value, json};
use windlass_core::event::Millis;

use super::metrics::{Histogram, RunMetrics};
use super::spans::ClosedSpan;

/// The version of the semantic conventions that names follow; those for generative AI are not stable yet.
const SCHEMA: &str = "https://opentelemetry.io/schemas/1.41.0";
/// `SPAN_KIND_INTERNAL`.
const INTERNAL: u8 = 1;
/// `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;
/// `AGGREGATION_TEMPORALITY_CUMULATIVE`: each export replaces the one before.
const CUMULATIVE: u8 = 2;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Attribute {
    /// A text.
    Text(String),
    /// A whole number.
    Count(u64),
    /// Any number.
    Number(f64),
}

/// Attributes by name.
pub(super) type Attributes = Vec<(&'static str, Attribute)>;

/// A text attribute.
pub(super) fn text(key: &'static str, value: impl Into<String>) -> (&'static str, Attribute) {
    (key, Attribute::Text(value.into()))
}

/// An attribute that is a count.
pub(super) fn count(key: &'static str, value: u64) -> (&'static str, Attribute) {
    (key, Attribute::Count(value))
}

/// The body of `POST /v1/traces`.
pub(super) fn traces(spans: &[ClosedSpan]) -> Value {
    let spans: Vec<Value> = spans.iter().map(span).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(&resource(None))},
        "scopeSpans": [{"scope": scope(), "schemaUrl": SCHEMA, "spans": spans}],
    }]})
}

/// The body of `POST /v1/metrics`.
pub(super) fn metrics(figures: &RunMetrics) -> Value {
    let (since, now) = (nanos(figures.since), nanos(figures.until));
    let histograms = figures.histograms.iter().map(|(meter, series)| {
        let points: Vec<Value> = series
            .iter()
            .map(|(labels, histogram)| {
                let mut point = histogram_point(histogram, meter.bounds);
                point["attributes"] = labelled(labels);
                point["startTimeUnixNano"] = json!(since);
                point["timeUnixNano"] = json!(now);
                point
            })
            .collect();
        let data = json!({"aggregationTemporality": CUMULATIVE, "dataPoints": points});
        json!({"name": meter.name, "unit": meter.unit, "description": meter.about, "histogram": data})
    });
    let sums = figures.sums.iter().map(|(meter, series)| {
        let points: Vec<Value> = series
            .iter()
            .map(|(labels, value)| {
                json!({"attributes": labelled(labels), "startTimeUnixNano": since, "timeUnixNano": now, "asDouble": value})
            })
            .collect();
        let data = json!({"aggregationTemporality": CUMULATIVE, "isMonotonic": true, "dataPoints": points});
        json!({"name": meter.name, "unit": meter.unit, "description": meter.about, "sum": data})
    });
    let all: Vec<Value> = histograms.chain(sums).collect();
    json!({"resourceMetrics": [{
        "resource": {"attributes": attributes(&resource(Some(&figures.instance)))},
        "scopeMetrics": [{"scope": scope(), "schemaUrl": SCHEMA, "metrics": all}],
    }]})
}

fn scope() -> Value {
    json!({"name": "windlass", "version": env!("CARGO_PKG_VERSION")})
}

/// What sends. Figures of two runs must not be added up as if they were one: each run is an instance.
fn resource(instance: Option<&str>) -> Attributes {
    let own = [text("service.name", "windlass"), text("service.version", env!("CARGO_PKG_VERSION"))];
    own.into_iter().chain(instance.map(|id| text("service.instance.id", id))).collect()
}

fn span(span: &ClosedSpan) -> Value {
    let mut value = json!({
        "traceId": hex(&span.trace),
        "spanId": hex(&span.id),
        "name": span.name,
        "kind": INTERNAL,
        "startTimeUnixNano": nanos(span.began),
        "endTimeUnixNano": nanos(span.ended.max(span.began)),
        "attributes": attributes(&span.attributes),
    });
    if let Some(parent) = &span.parent {
        value["parentSpanId"] = json!(hex(parent));
    }
    if let Some((trace, id)) = &span.follows {
        value["links"] = json!([{"traceId": hex(trace), "spanId": hex(id)}]);
    }
    if let Some(kind) = span.error {
        value["status"] = json!({"code": ERROR, "message": kind});
    }
    value
}

fn histogram_point(histogram: &Histogram, bounds: &[f64]) -> Value {
    let buckets: Vec<String> = histogram.buckets.iter().map(u64::to_string).collect();
    json!({
        "count": histogram.count.to_string(), "sum": histogram.sum, "min": histogram.min, "max": histogram.max,
        "bucketCounts": buckets, "explicitBounds": bounds,
    })
}

fn labelled(labels: &[(&'static str, String)]) -> Value {
    attributes(&labels.iter().map(|(key, value)| text(key, value)).collect::<Attributes>())
}

fn attributes(all: &[(&'static str, Attribute)]) -> Value {
    let one = |(key, value): &(&'static str, Attribute)| {
        let value = match value {
            Attribute::Text(text) => json!({"stringValue": text}),
            Attribute::Count(count) => json!({"intValue": count.to_string()}),
            Attribute::Number(number) => json!({"doubleValue": number}),
        };
        json!({"key": key, "value": value})
    };
    Value::Array(all.iter().map(one).collect())
}

fn nanos(at: Millis) -> String {
    (i128::from(at.max(0)) * 1_000_000).to_string()
}

/// In lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
