//! Applies a sandbox to itself and then becomes the program that it is given (ADR 0094). The process number stays.
//!
//! ```text
//! paraph-launcher [--report] [--require NAME]… [--read PATH]… [--execute PATH]… --documents FOLDER
//!                 [--uid N] [--cpu SECONDS] [--data BYTES] [--open-files N] [--env NAME=VALUE]… -- PROGRAM [ARGUMENT]…
//! ```
//!
//! The order of the steps matters: what needs rights comes first, and the system call filter comes last.

mod execute;
mod files;
mod hide;
mod identity;
mod limits;
mod namespaces;
mod options;
mod report;
mod syscalls;
mod system;

use options::Options;
use report::Report;
use system::Outcome;

/// What `env`, `nice` and `timeout` answer when they fail themselves.
const FAILED: i32 = 125;

fn main() {
    let outcome = Options::parse(std::env::args_os().skip(1)).and_then(|options| start(&options));
    if let Err(message) = outcome {
        eprintln!("paraph-launcher: {message}");
        std::process::exit(FAILED);
    }
}

fn start(options: &Options) -> Outcome<()> {
    let parent = system::parent();
    let ruleset = files::ruleset(options)?;
    let separated = namespaces::separate();
    let uid = identity::drop_rights(options, separated.network && !separated.user);
    system::end_with(parent)?;
    let limits = limits::apply(options);
    let landlock = files::restrict(ruleset)?;
    let program = execute::Program::prepare(options)?;
    let seccomp = syscalls::filter(&program);
    let report = Report {
        landlock,
        seccomp: seccomp.is_ok(),
        network: separated.network,
        ipc: separated.ipc,
        uid,
        limits,
    };
    report.must_have(&options.required, seccomp.err())?;
    if options.report {
        println!("{}", report.json());
        return Ok(());
    }
    Err(program.execute())
}
