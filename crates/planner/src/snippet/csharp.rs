//! C# tests: xUnit or NUnit, where the project has one of them.

use serde_json::json;
use windlass_code::survey::{Framework, Language};
use windlass_core::path_text::name_stem;

use super::template::fill;
use super::{TestRequest, framework, package};

pub(super) fn write(request: &TestRequest<'_>) -> Option<String> {
    let (using, attribute, equal) = match framework(request)? {
        Framework::Xunit => ("Xunit", "Fact", "Equal"),
        Framework::Nunit => ("NUnit.Framework", "Test", "AreEqual"),
        _ => return None,
    };
    let values = json!({
        "using": using,
        "attribute": attribute,
        "equal": equal,
        "namespace": package(request, Language::CSharp)?,
        "class": name_stem(request.wanted.file),
    });
    fill(include_str!("templates/dotnet.cs.j2"), request, values)
}
