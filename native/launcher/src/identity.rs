//! The user of the process. Started by root it becomes a user that owns nothing; in any case it has no capabilities.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::hide;
use crate::options::Options;
use crate::system::check;

/// Without its program or its libraries the process could not start, so then the user stays what it is.
pub fn drop_rights(options: &Options, may_mount: bool) -> bool {
    // SAFETY: takes nothing, and cannot fail.
    let is_root = unsafe { libc::geteuid() } == 0;
    forbid_capabilities();
    let switched = match options.uid {
        Some(uid) if is_root && may_mount && is_reachable(options) => {
            hide::private_folders(options)
                .and_then(|()| switch_to(uid))
                .is_ok()
        }
        _ => false,
    };
    drop_capabilities();
    switched
}

/// Whether any user can read what the program needs. What is private is made reachable for this process alone (hide.rs).
fn is_reachable(options: &Options) -> bool {
    let program = options.command.first().map(Path::new);
    options
        .read
        .iter()
        .chain(&options.execute)
        .map(|path| path.as_path())
        .chain(program)
        .filter(|path| path.exists() && !hide::is_private(options, path))
        .all(|path| path.ancestors().all(is_open_to_all))
}

fn is_open_to_all(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| {
        let wanted = if found.is_dir() { 0o001 } else { 0o004 };
        found.mode() & wanted == wanted
    })
}

fn switch_to(uid: u32) -> io::Result<()> {
    // SAFETY: numbers, and an empty list.
    unsafe {
        check(libc::setgroups(0, std::ptr::null()).into())?;
        check(libc::setresgid(uid, uid, uid).into())?;
        check(libc::setresuid(uid, uid, uid).into())?;
    }
    Ok(())
}

/// Bounds what any later program can have. Without the right to do so there are none to bound.
fn forbid_capabilities() {
    for capability in 0..=63 {
        // SAFETY: prctl with numbers alone; an unknown capability is an error without effect.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// No program that is executed later can give one back: PR_SET_NO_NEW_PRIVS is set too.
fn drop_capabilities() {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    // Version 3 of capget(2): effective, permitted and inheritable, for the lower and the upper 32 capabilities.
    let header = Header {
        version: 0x2008_0522,
        pid: 0,
    };
    let none = [0_u32; 6];
    // SAFETY: both structures are as capset(2) describes them, and live longer than the calls.
    unsafe {
        libc::prctl(
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_CLEAR_ALL,
            0,
            0,
            0,
        );
        libc::syscall(libc::SYS_capset, &header, none.as_ptr());
    }
}

/// A path for a system call.
pub fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}
