//! For the tests: `without user-namespaces PROGRAM…` starts a program on a system that allows none, as some distributions and container
//! engines do; `without landlock PROGRAM…` on a kernel that has no Landlock.

use seccompiler::{
    apply_filter, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};
use std::error::Error;
use std::os::unix::process::CommandExt;
use std::process::Command;

type Denied = Vec<(i64, Vec<SeccompRule>)>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    match words.next().as_deref().and_then(|word| word.to_str()) {
        Some("user-namespaces") => {
            let flag = libc::CLONE_NEWUSER as u64;
            let condition = SeccompCondition::new(
                0,
                SeccompCmpArgLen::Qword,
                SeccompCmpOp::MaskedEq(flag),
                flag,
            )?;
            let rules = vec![SeccompRule::new(vec![condition])?];
            install(
                vec![(libc::SYS_unshare, rules.clone()), (libc::SYS_clone, rules)],
                libc::EPERM,
            )?;
            // Its flags lie in memory, which a filter cannot read.
            install(vec![(libc::SYS_clone3, vec![])], libc::ENOSYS)?;
        }
        Some("landlock") => install(
            vec![(libc::SYS_landlock_create_ruleset, vec![])],
            libc::ENOSYS,
        )?,
        _ => return Err("expected user-namespaces or landlock".into()),
    }
    let program = words.next().ok_or("expected a program")?;
    Err(Command::new(program).args(words).exec().into())
}

fn install(denied: Denied, error: i32) -> Result<(), Box<dyn Error>> {
    let architecture = std::env::consts::ARCH.try_into()?;
    let answer = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new(
        denied.into_iter().collect(),
        SeccompAction::Allow,
        answer,
        architecture,
    )?;
    Ok(apply_filter(&BpfProgram::try_from(filter)?)?)
}
