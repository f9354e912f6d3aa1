//! Plans that the tests read.

use crate::space::Space;

/// Three tasks in a row, the last of them broken in two ways.
pub(crate) fn broken(space: &Space) {
    space.write("plans/shop/plan.toml", "name = \"shop\"\n");
    task(space, "a", "Add the model", "", "src/model.py");
    task(space, "b", "Add the endpoint", "depends_on: [a]\n", "src/endpoint.py");
    space.write(
        "plans/shop/tasks/c.md",
        "---\nid: c\ntitle: Write the page\ndepends_on: [b, bb]\nfiles: {create: [src/page.py]}\n---\n\n# Write the page\n",
    );
}

/// The same three, whole.
pub(crate) fn whole(space: &Space) {
    space.write("plans/shop/plan.toml", "name = \"shop\"\n");
    task(space, "a", "Add the model", "", "src/model.py");
    task(space, "b", "Add the endpoint", "depends_on: [a]\n", "src/endpoint.py");
    task(space, "c", "Write the page", "depends_on: [a]\n", "src/page.py");
}

fn task(space: &Space, id: &str, title: &str, more: &str, file: &str) {
    let name = file.trim_start_matches("src/").trim_end_matches(".py");
    space.write(
        &format!("plans/shop/tasks/{id}.md"),
        &format!(
            "---\nid: {id}\ntitle: {title}\n{more}files: {{create: [{file}]}}\ntest_file: tests/test_{name}.py\n---\n\n# {title}\n"
        ),
    );
}
