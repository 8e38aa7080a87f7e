//! Files that are not the process's own.

use crate::{check, Attempt};
use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{symlink, OpenOptionsExt, PermissionsExt};

pub const ATTEMPTS: &[(&str, Attempt)] = &[
    ("read", |path| File::open(path)?.read(&mut [0]).map(|_| ())),
    ("list", |path| {
        fs::read_dir(path)?.next().transpose().map(|_| ())
    }),
    ("open-to-write", |path| {
        OpenOptions::new().write(true).open(path).map(|_| ())
    }),
    ("create", create),
    ("unnamed-file", |folder| {
        OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_TMPFILE)
            .open(folder)
            .map(|_| ())
    }),
    ("make-folder", |path| {
        fs::create_dir(path).and_then(|()| fs::remove_dir(path))
    }),
    ("make-pipe", make_pipe),
    ("symbolic-link", |path| {
        symlink("/etc/passwd", path).and_then(|()| fs::remove_file(path))
    }),
    ("hard-link", |paths| {
        let (from, to) = two(paths)?;
        fs::hard_link(from, to).and_then(|()| fs::remove_file(to))
    }),
    ("rename", |paths| {
        let (from, to) = two(paths)?;
        fs::rename(from, to).and_then(|()| fs::rename(to, from))
    }),
    ("remove", |path| fs::remove_file(path)),
    ("truncate", |path| {
        let path = CString::new(path)?;
        // SAFETY: the path lives longer than the call.
        check(unsafe { libc::truncate(path.as_ptr(), 0) }.into()).map(|_| ())
    }),
    ("change-mode", |path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o666))
    }),
    ("watch", watch),
    ("open-by-handle", open_by_handle),
];

fn two(paths: &str) -> io::Result<(&str, &str)> {
    paths
        .split_once(' ')
        .ok_or(io::ErrorKind::InvalidInput.into())
}

fn create(path: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?;
    fs::remove_file(path)
}

fn make_pipe(path: &str) -> io::Result<()> {
    let name = CString::new(path)?;
    // SAFETY: the path lives longer than the call.
    check(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }.into())?;
    fs::remove_file(path)
}

fn watch(path: &str) -> io::Result<()> {
    let path = CString::new(path)?;
    // SAFETY: the path lives longer than the calls; what was opened is closed.
    unsafe {
        let queue = check(libc::inotify_init1(libc::IN_CLOEXEC).into())? as i32;
        let outcome = check(libc::inotify_add_watch(queue, path.as_ptr(), libc::IN_OPEN).into());
        libc::close(queue);
        outcome.map(|_| ())
    }
}

/// Opens a file without walking its path.
fn open_by_handle(path: &str) -> io::Result<()> {
    #[repr(C)]
    struct Handle {
        bytes: u32,
        kind: i32,
        handle: [u8; 128],
    }
    let (path, mut handle, mut mount) = (
        CString::new(path)?,
        Handle {
            bytes: 128,
            kind: 0,
            handle: [0; 128],
        },
        0,
    );
    // SAFETY: the structure is as name_to_handle_at(2) describes it.
    unsafe {
        let at = libc::AT_FDCWD;
        check(libc::syscall(
            libc::SYS_name_to_handle_at,
            at,
            path.as_ptr(),
            &mut handle,
            &mut mount,
            0,
        ))?;
        let root = File::open("/")?;
        use std::os::fd::AsRawFd;
        let file = check(libc::syscall(
            libc::SYS_open_by_handle_at,
            root.as_raw_fd(),
            &handle,
            libc::O_RDONLY,
        ))?;
        libc::close(file as i32);
    }
    Ok(())
}
