//! Things from the outline: how headings divide the work, and what is asked under them.

use windlass_planner::spec::Spec;

use crate::facts::read_documents;

fn read(name: &str, text: &str) -> Spec {
    read_documents(&[(name, text)])
}

/// Every criterion behind the title of its story.
fn told(spec: &Spec) -> Vec<String> {
    let title = |id: &String| spec.stories.iter().find(|s| s.id == *id).map_or("?", |s| s.title.as_str());
    spec.criteria.iter().map(|c| format!("{} | {}", c.story.as_ref().map_or("-", title), c.text)).collect()
}

fn titles(spec: &Spec) -> Vec<&str> {
    spec.stories.iter().map(|s| s.title.as_str()).collect()
}

/// Little below a heading is one thing; much is cut at the headings below; routes of one resource stay together.
#[test]
fn headings_are_cut_where_much_is_said() {
    let spec = read("LEDGER.md", include_str!("outline/cut.md"));
    let expected =
        ["Import", "Commands", "ledger sum", "ledger find", "ledger check — hash verification", "Accounts"];
    assert_eq!(titles(&spec), expected);
    let said = told(&spec).join("\n");
    for wanted in [
        "Import | Reads files of two banks",
        "Import | North: separator a semicolon",
        "ledger check — hash verification | Lists pages that differ",
        "Commands | An unknown command prints the help",
        "Accounts | Removes an account that is empty.",
        "- | Files of other users are never read",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    assert!(!said.contains("taxes"), "{said}");
    assert_eq!(spec.exclusions.len(), 1);
}

/// A heading with the id of an issue is a thing, whatever words it has and whatever stands around it.
#[test]
fn tickets_are_things() {
    let spec = read("BACKLOG.md", include_str!("outline/tickets.md"));
    assert_eq!(titles(&spec), ["Add a shelf", "Create schema of parcels", "Add unit tests for the shelves"]);
    let said = told(&spec).join("\n");
    for wanted in [
        "Add a shelf | Numbers are unique",
        "Create schema of parcels | A parcel without an owner is refused",
        "Add unit tests for the shelves | The suite runs in a minute",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
}

/// An export puts a backslash in front of every mark.
#[test]
fn escaped_marks_are_marks() {
    let spec = read(
        "requisitos.md",
        "\\# Tienda\n\n\\## Pedidos\n\n\\- Cada pedido tiene un número único\n\n\\- Un pedido puede tener varios productos\n\n\
         \\---\n\n\\## Facturas\n\n\\- Una factura incluye uno o varios pedidos\n\n\\- Cada factura tiene una fecha de emisión\n",
    );
    assert_eq!(titles(&spec), ["Pedidos", "Facturas"]);
    assert_eq!(spec.criteria.len(), 4, "{:?}", told(&spec));
}

/// Lines that end although the next word would have fitted are statements; a filled paragraph is not cut.
#[test]
fn lines_broken_on_purpose_are_statements() {
    let spec = read(
        "REQUEST.md",
        "# Snippets\n\n## Snippet\n\nasks for a snippet when the list was written and nothing else was asked before\n\
         takes `PROVIDERS` from the settings\nwrites one file per provider\n\n\
         ## Filled\n\nThe list is read again whenever one of its files has changed since the last\n\
         time, and it is written anew if the folder that it stands in can be written.\n",
    );
    let said = told(&spec);
    assert!(said.contains(&"Snippet | takes `PROVIDERS` from the settings".to_owned()), "{said:?}");
    assert!(said.iter().any(|line| line.contains("since the last time, and it is written")), "{said:?}");
}

/// What stands below an item and says something alone is a criterion of its own; a word or two are a detail.
#[test]
fn nested_items_that_speak_count() {
    let spec = read(
        "TASK.md",
        "# Seats\n\n## Requirements\n\n### Booking\n\n- Add a button that books the chosen seats.\n\
         \x20 - A click on it must call the service.\n  - On failure, show an error message.\n  - in red\n\n\
         ### Choice\n\n- A click chooses a seat.\n- A second click gives it back.\n",
    );
    let said = told(&spec).join("\n");
    assert!(said.contains("Booking | On failure, show an error message."), "{said}");
    assert!(!said.contains("| in red"), "{said}");
}

/// A list of links into the document, and one of other documents, ask for nothing.
#[test]
fn tables_of_contents_and_pointers_are_left_out() {
    let spec = read(
        "SPEC.md",
        "# Desk\n\n## Inhalt\n\n- [Lending of all tools](#lending)\n- [Fines of all tools](#fines)\n\n\
         ## Pointers\n\n- Shape of the service: `docs/shape.md`\n- Names of the fields: `docs/fields.md`\n\n\
         ## Lending\n\n- A member borrows one tool at a time\n- A loan ends after two weeks\n\n\
         ## Fines\n\n- A returned tool is free at once\n- A late tool costs a fine\n",
    );
    assert_eq!(titles(&spec), ["Lending", "Fines"]);
    assert_eq!(spec.criteria.len(), 4, "{:?}", told(&spec));
}

/// Where a document holds nothing but guidelines, they are what is wanted.
#[test]
fn guidelines_alone_are_wanted() {
    let spec = read(
        "TASK.md",
        "# Monitoring\n\n## Introduction\n\nWe watch machines.\n\n## General guidelines\n\n\
         - Simulate three machines with an agent each\n- Configure alerts for a full disk\n",
    );
    assert_eq!(spec.criteria.len(), 2, "{:?}", told(&spec));
}

/// The record of a decision whose context is a line, not a section.
#[test]
fn a_record_without_a_section_of_context() {
    let spec = read(
        "docs/adr/0002-tokens.md",
        "# ADR-002: Tokens\n\n- **Status**: Accepted\n- **Context**: The desk needs a login.\n\n\
         ## Decision\n\nUse signed tokens for every request.\n\n## Consequences\n\n\
         - Sessions are kept in tokens only\n- A token that was called back must be refused\n",
    );
    let said = told(&spec).join("\n");
    assert!(said.contains("A token that was called back must be refused"), "{said}");
}

/// A section beside things is one of them, also if it is only prose, in any language; a glossary is not.
#[test]
fn prose_beside_things_is_wanted_in_any_language() {
    let spec = read("ANFORDERUNGEN.md", include_str!("outline/prose.md"));
    assert_eq!(titles(&spec), ["Ausleihe", "Rückgabe", "Erinnerung"]);
    let said = told(&spec).join("\n");
    for wanted in [
        "Ausleihe | ein Werkzeug nach dem anderen ausleihen können",
        "Rückgabe | Das Werkzeug kann an jedem Standort zurückgegeben werden.",
        "Rückgabe | Frist und Kaution sind unabhängig.",
        "Rückgabe | Nach der Rückgabe bleibt der Eintrag",
        "Erinnerung | Die Erinnerung wird zwei Tage vor Ablauf verschickt.",
        "Erinnerung | Der Text enthält einen Link zur Verlängerung.",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    assert!(!said.contains("Der Standort ist ein Ort"), "{said}");
}

/// Everything below a thing is read to its end, whatever line leads in to it.
#[test]
fn lists_behind_every_lead_in_are_read() {
    let spec = read("SPEC.md", include_str!("outline/lead_ins.md"));
    assert_eq!(titles(&spec), ["stat", "find", "move"]);
    let said = told(&spec).join("\n");
    for wanted in [
        "stat | Returns metadata for a page or a folder: `pagePath`; `isFolder`; `sizeBytes`",
        "find | `word` is the text to look for",
        "find | skips pages that cannot be read",
        "find | reports skipped pages with reasons",
        "find | an invalid pattern fails with `BAD_PATTERN`",
        "find | The results are sorted by name",
        "move | creates the target folder",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
}

/// How a program behaves today is not wanted where a document reports a fault.
#[test]
fn current_behaviour_of_a_fault_is_not_wanted() {
    let spec = read(
        "ISSUE.md",
        "# Search is slow\n\n## Steps to reproduce\n\n1. Open the page\n\n## Search\n\nCurrent behavior:\n\n\
         - skips the second page of results\n\nExpected behavior:\n\n- shows every page of results\n",
    );
    let said = told(&spec).join("\n");
    assert!(!said.contains("skips the second page"), "{said}");
    assert!(said.contains("shows every page of results"), "{said}");
}

/// The name of one component is a thing beside others, and items below labels that are called alike stay apart.
#[test]
fn components_with_the_same_labels_stay_apart() {
    let spec = read("docs/brief.md", include_str!("outline/modules.md"));
    let said = told(&spec).join("\n");
    assert!(said.contains("Gateway | Functions: Discovery of the modules in reach"), "{said}");
    assert!(said.contains("Switch Module | Functions: Receiving commands from the gateway"), "{said}");
    assert!(said.contains("Switch Module | Chip: any with radio"), "{said}");
}

/// What is struck through, done or dropped is out with its files; a word for later among others puts nothing off.
#[test]
fn what_is_over_is_out() {
    let spec = read("BACKLOG.md", include_str!("outline/over.md"));
    let said = told(&spec).join("\n");
    for wanted in ["the board is saved to the cloud", "(want, more, later)", "closes the page"] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    for over in ["recorded", "never sent", "three tips", "second theme", "teacher"] {
        assert!(!said.contains(over), "{over} in\n{said}");
        assert!(spec.exclusions.iter().any(|e| e.text.contains(over)), "{over}: {:?}", spec.exclusions);
    }
    let files: Vec<&str> = spec.files.iter().chain(&spec.mentions).map(|f| f.path.as_str()).collect();
    assert!(files.is_empty(), "{files:?}");
}

/// Items with items of their own, and bold lines above lists, divide a section like headings: one that groups, and one in which much
/// is said.
#[test]
fn lines_above_lists_are_headings() {
    let spec = read("SPEC.md", include_str!("outline/parts.md"));
    assert_eq!(titles(&spec), ["Lending", "Weather", "Fines", "Start page", "Card of a kite", "Search"]);
    let said = told(&spec).join("\n");
    for wanted in [
        "Lending | Lending: A loan ends after two weeks",
        "Weather | Weather: Warns above",
        "Search | Says when nothing",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    // A few lines below bold words are sides of one thing.
    let little = "# Desk\n\n## Loan\n\n**Start**\n\n- A card is read\n\n**End**\n\n- A card is read again\n\n**Late**\n\n- A mail is sent\n\n## Fine\n\n- A late kite costs one euro\n- The fine is printed\n";
    assert_eq!(titles(&read("SPEC.md", little)), ["Loan", "Fine"]);
}

/// Sections that tell of themselves under the same labels are things, whatever words their headings have; what stands under a label is
/// asked for or not in all of them, also where Markdown counts the label to the item before it.
#[test]
fn sections_of_one_form_are_things() {
    let spec = read("DESK.md", include_str!("outline/forms.md"));
    assert_eq!(titles(&spec), ["Pilot requirements", "Overview for the crane", "Customs"]);
    assert_eq!(
        told(&spec),
        [
            "Pilot requirements | Shows the free berths of the next day",
            "Pilot requirements | Keeps a call until somebody answers it",
            "Overview for the crane | Lists containers by the hour of their arrival",
            "Customs | Marks containers whose papers are missing",
        ]
    );
}

/// What goes into the only thing of a document and what comes out of it are sides of it.
#[test]
fn request_and_response_are_sides() {
    let spec = read("API.md", include_str!("outline/exchange.md"));
    assert_eq!(titles(&spec), Vec::<&str>::new());
    let said = told(&spec).join("\n");
    for wanted in ["longer than the berth", "the berth and the hour", "name of the ship is missing"] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
}

/// How a thing is used says what it does.
#[test]
fn usage_is_asked_for() {
    let spec = read("GUIDE.md", include_str!("outline/usage.md"));
    let said = told(&spec).join("\n");
    for wanted in [
        "Labels | The label shows the number and the room.",
        "Loans | A book that is lent appears in red.",
        "Reports | Choose the month, then press `Sum`.",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
}

/// Below the headings of a document about one thing the place decides in any language; what is only said of the work is left out.
#[test]
fn sentences_about_one_thing_count_in_any_language() {
    let spec = read("DESAFIO.md", include_str!("outline/one_thing.md"));
    assert_eq!(
        told(&spec),
        [
            "- | O quiosque mostra uma mensagem de boas-vindas.",
            "- | Solicita o nome da estação ao passageiro.",
            "- | Depois de cada consulta, volta ao menu.",
            "- | Mostrar a hora da próxima partida.",
        ]
    );
}

/// A box that is not ticked tells nothing of the past, however its words are read.
#[test]
fn open_boxes_are_wanted() {
    let spec = read("TODO.md", include_str!("outline/boxes.md"));
    let said = told(&spec).join("\n");
    for wanted in ["set due dates", "every week"] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
}
