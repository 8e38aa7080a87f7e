//! Namespaces (namespaces(7)): a network without addresses, and System V IPC of its own. Files are Landlock's, and processes the filter's.

use std::fs;
use std::io;

use crate::system::check;

#[derive(Default)]
pub struct Separated {
    pub network: bool,
    pub ipc: bool,
    /// A user namespace was needed for them.
    pub user: bool,
}

/// Root needs no user namespace for it. Where the system allows neither, the filter of system calls still denies sockets.
pub fn separate() -> Separated {
    if unshare(libc::CLONE_NEWNET | libc::CLONE_NEWIPC).is_ok() {
        return Separated {
            network: true,
            ipc: true,
            user: false,
        };
    }
    // SAFETY: both take nothing, and cannot fail.
    let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
    if unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET | libc::CLONE_NEWIPC).is_err() {
        return Separated::default();
    }
    // Files are still checked by the real ids where this fails; then the process only looks like user 65534 to itself.
    let _ = map_ids(uid, gid);
    Separated {
        network: true,
        ipc: true,
        user: true,
    }
}

fn map_ids(uid: u32, gid: u32) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))
}

pub fn unshare(flags: i32) -> io::Result<i64> {
    // SAFETY: unshare with a number alone.
    unsafe { check(libc::unshare(flags).into()) }
}
