//! The calls to the system that several steps share.

use std::io;

/// A failure is a sentence for the operator.
pub type Outcome<T> = Result<T, String>;

/// Turns the answer of a system call into a result.
pub fn check(answer: i64) -> io::Result<i64> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}

pub fn parent() -> i32 {
    // SAFETY: takes nothing, and cannot fail.
    unsafe { libc::getppid() }
}

/// No new rights, and the end of the parent is the end of this process. A change of the user undoes the latter, so it comes after.
pub fn end_with(parent_at_start: i32) -> Outcome<()> {
    // SAFETY: prctl with numbers alone.
    unsafe {
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())
            .map_err(|error| format!("PR_SET_NO_NEW_PRIVS failed: {error}"))?;
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0).into())
            .map_err(|error| format!("PR_SET_PDEATHSIG failed: {error}"))?;
    }
    if parent() != parent_at_start {
        return Err("the parent process ended before the sandbox was complete".into());
    }
    Ok(())
}
