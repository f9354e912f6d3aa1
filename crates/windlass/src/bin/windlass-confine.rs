//! The sandbox helper as a program of its own.
//!
//! A helper lives as long as its agent. `windlass` itself can be the helper, but each one then takes megabytes for tables that
//! a helper never reads; this program takes a tenth of that. Windlass uses it if it lies in the same directory.

use std::env::args_os;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let helper = windlass_engine::sandbox::confine(args_os().skip(1));
    let code = helper.or_else(|| windlass_engine::agent::acp::client_main(args_os().skip(1)));
    code.unwrap_or_else(|| {
        let _ = writeln!(
            std::io::stderr(),
            "windlass-confine: `windlass` starts this program; see `windlass --help`"
        );
        ExitCode::from(2)
    })
}
