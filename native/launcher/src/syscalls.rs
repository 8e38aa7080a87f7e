//! The system calls that the program may make (seccomp(2)): what Node 24 and sharp need to compute, and nothing that names another
//! process, a socket or a file to write. Every other call answers EPERM, and one of another architecture ends the process.

use std::collections::BTreeMap;

use seccompiler::{
    apply_filter, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};

use crate::execute::Program;
use crate::system::Outcome;

mod allowed;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installed last: it denies what the launcher itself has used so far.
pub fn filter(program: &Program) -> Outcome<()> {
    let mut rules: Rules = allowed::ALWAYS.iter().map(|call| (*call, vec![])).collect();
    for (call, argument, values) in allowed::WITH_VALUES {
        rules.insert(*call, each(values, |value| is_dword(*argument, value))?);
    }
    for (call, argument) in allowed::OPENING {
        rules.insert(
            *call,
            vec![rule(vec![has_none(*argument, allowed::WRITING)?])?],
        );
    }
    rules.insert(
        libc::SYS_clone,
        vec![rule(vec![is_qword(0, allowed::THREAD)?])?],
    );
    // Reading the limits of the process itself; both the number of a process and new limits are null.
    rules.insert(
        libc::SYS_prlimit64,
        vec![rule(vec![is_qword(0, 0)?, is_qword(2, 0)?])?],
    );
    rules.insert(
        libc::SYS_tgkill,
        vec![rule(vec![is_dword(0, u64::from(std::process::id()))?])?],
    );
    let pointers = [
        program.path as u64,
        program.arguments as u64,
        program.environment as u64,
    ];
    let conditions: Outcome<Vec<_>> = pointers
        .iter()
        .zip(0..)
        .map(|(pointer, argument)| is_qword(argument, *pointer))
        .collect();
    rules.insert(libc::SYS_execve, vec![rule(conditions?)?]);
    // Of several filters the strictest answer counts. The last one must deny what installs a filter.
    for (error, calls) in allowed::ANSWERED {
        rules.extend(calls.iter().map(|call| (*call, vec![])));
        let answered = calls.iter().map(|call| (*call, vec![])).collect();
        install(
            answered,
            SeccompAction::Allow,
            SeccompAction::Errno(*error as u32),
        )?;
    }
    install(
        rules,
        SeccompAction::Errno(libc::EPERM as u32),
        SeccompAction::Allow,
    )
}

fn install(rules: Rules, otherwise: SeccompAction, matching: SeccompAction) -> Outcome<()> {
    let build = || -> seccompiler::Result<()> {
        let filter = SeccompFilter::new(
            rules,
            otherwise,
            matching,
            std::env::consts::ARCH.try_into()?,
        )?;
        apply_filter(&BpfProgram::try_from(filter)?)
    };
    build().map_err(|error| format!("The seccomp filter could not be installed: {error}"))
}

fn each(
    values: &[u64],
    condition: impl Fn(u64) -> Outcome<SeccompCondition>,
) -> Outcome<Vec<SeccompRule>> {
    values
        .iter()
        .map(|value| rule(vec![condition(*value)?]))
        .collect()
}

fn rule(conditions: Vec<SeccompCondition>) -> Outcome<SeccompRule> {
    SeccompRule::new(conditions).map_err(|error| error.to_string())
}

fn is_dword(argument: u8, value: u64) -> Outcome<SeccompCondition> {
    condition(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn is_qword(argument: u8, value: u64) -> Outcome<SeccompCondition> {
    condition(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, value)
}

fn has_none(argument: u8, bits: u64) -> Outcome<SeccompCondition> {
    condition(
        argument,
        SeccompCmpArgLen::Dword,
        SeccompCmpOp::MaskedEq(bits),
        0,
    )
}

fn condition(
    argument: u8,
    length: SeccompCmpArgLen,
    operator: SeccompCmpOp,
    value: u64,
) -> Outcome<SeccompCondition> {
    SeccompCondition::new(argument, length, operator, value).map_err(|error| error.to_string())
}
