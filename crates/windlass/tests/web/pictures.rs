//! Pictures of every page, light and dark, on a desk and on a phone:
//! `WINDLASS_PICTURES=DIR cargo nextest run -p windlass --test web --run-ignored only pictures`.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::browser::Browser;
use crate::journal::{WrittenJournal, id, sealed};
use crate::pages::python;
use crate::served::Served;

#[test]
#[ignore = "makes pictures to look at"]
fn pictures_of_every_page() {
    let Some(dir) = std::env::var_os("WINDLASS_PICTURES").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&dir).unwrap();
    let repo = python();
    shop(&repo);
    let mut big = Served::start(&repo);
    let big_pages = ["", "table", "graph", "timeline", "cost", "task/T-00013"];
    shoot(&mut big, &dir, "shop", &big_pages);
    big.stop();
    std::fs::remove_dir_all(repo.path(".git/windlass/plans/big")).unwrap();
    let mut small = Served::start(&repo);
    let pages = [
        "criteria",
        "findings",
        "review",
        "task/total",
        "task/total/attempts",
        "task/total/log",
        "task/total/diff",
        "task/total/evidence",
        "task/total/brief",
    ];
    shoot(&mut small, &dir, "till", &pages);
    small.stop();
}

fn shoot(served: &mut Served, dir: &std::path::Path, story: &str, pages: &[&str]) {
    for (size, width, height) in [("desk", 1280, 800), ("phone", 390, 844)] {
        let browser = Browser::open(width, height);
        served.let_in(&browser);
        for dark in [false, true] {
            browser.dark(dark);
            for page in pages {
                browser.go("about:blank");
                browser.go(&served.page(page));
                thread::sleep(Duration::from_millis(900));
                let name = if page.is_empty() { "attention".to_owned() } else { page.replace('/', "-") };
                let theme = if dark { "dark" } else { "light" };
                browser.picture(&dir.join(format!("{story}-{name}-{size}-{theme}.png")));
            }
        }
    }
}

/// A shop in the middle of its run.
fn shop(repo: &windlass_testkit::TestRepo) {
    let phases = ["Foundations", "Catalogue", "Basket", "Checkout", "Reports"];
    let words = [
        "money type",
        "tax table",
        "product list",
        "price rules",
        "search",
        "stock levels",
        "basket lines",
        "discounts",
        "shipping",
        "payment",
        "receipts",
        "refunds",
    ];
    let count = 48;
    let task = |n: usize| {
        let deps = match n {
            0..4 => Vec::new(),
            _ => vec![id(n - 4 + n % 3), id(n - 3)],
        };
        sealed(
            &id(n),
            &format!("Add the {} to the {}", words[n % 12], phases[n / 10].to_lowercase()),
            deps,
            &[phases[n / 10]],
        )
    };
    let mut journal = WrittenJournal::begin(repo, (0..count).map(task).collect());
    for n in 0..22 {
        let events = journal.merged(&id(n));
        for event in events {
            journal.write(&[event]);
        }
    }
    for n in 22..27 {
        let events = journal.started(&id(n), 1);
        journal.write(&events);
    }
    journal.write(&[WrittenJournal::failed(
        &id(30),
        "three tries, and `test_discount_is_never_negative` is still red",
    )]);
    journal.write(&[WrittenJournal::asks(
        &id(31),
        "The specification wants prices in cents (AC-12) and in euros (AC-31). Which of them?",
    )]);
}
