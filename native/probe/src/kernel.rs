//! Parts of the kernel that no PDF needs.

use crate::processes::in_child;
use crate::{check, Attempt};
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr;

pub const ATTEMPTS: &[(&str, Attempt)] = &[
    ("user-namespace", |_| {
        in_child(|| unshare(libc::CLONE_NEWUSER), true)
    }),
    ("mount-namespace", |_| {
        in_child(|| unshare(libc::CLONE_NEWNS), true)
    }),
    ("enter-namespace", |path| {
        in_child(
            || check(unsafe { libc::setns(File::open(path)?.as_raw_fd(), 0) }.into()).map(|_| ()),
            true,
        )
    }),
    ("mount", |path| {
        in_child(
            || unshare(libc::CLONE_NEWNS).and_then(|()| mount(path)),
            false,
        )
        .or_else(|_| mount(path))
    }),
    ("change-root", |path| {
        in_child(
            || check(unsafe { libc::chroot(CString::new(path)?.as_ptr()) }.into()).map(|_| ()),
            true,
        )
    }),
    ("io-uring", |_| {
        let parameters = [0_u64; 32];
        opened(&[libc::SYS_io_uring_setup, 1, parameters.as_ptr() as i64])
    }),
    ("bpf", |_| {
        // BPF_MAP_CREATE of an array with one entry.
        let attributes = [2_u32, 4, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        opened(&[libc::SYS_bpf, 0, attributes.as_ptr() as i64, 72])
    }),
    ("user-fault", |_| opened(&[libc::SYS_userfaultfd, 1])),
    ("perf", |_| {
        // A software event of 64 bytes (PERF_ATTR_SIZE_VER0): the clock of this process.
        let mut attributes = [0_u32; 16];
        (attributes[0], attributes[1]) = (1, 64);
        opened(&[
            libc::SYS_perf_event_open,
            attributes.as_ptr() as i64,
            0,
            -1,
            -1,
            0,
        ])
    }),
    ("secret-memory", |_| opened(&[libc::SYS_memfd_secret, 0])),
    ("memory-file", |_| {
        opened(&[libc::SYS_memfd_create, c"x".as_ptr() as i64, 0])
    }),
    ("keyring", |_| call(&[libc::SYS_keyctl, 0, -3, 1])),
    ("add-key", |_| {
        let (kind, name) = (c"user".as_ptr() as i64, c"paraph-probe".as_ptr() as i64);
        call(&[libc::SYS_add_key, kind, name, name, 4, -2])
    }),
    ("shared-memory", |_| {
        let id = check(
            unsafe { libc::shmget(libc::IPC_PRIVATE, 4096, libc::IPC_CREAT | 0o600) }.into(),
        )?;
        check(unsafe { libc::shmctl(id as i32, libc::IPC_RMID, ptr::null_mut()) }.into())
            .map(|_| ())
    }),
    ("message-queue", |_| {
        let id = check(unsafe { libc::msgget(libc::IPC_PRIVATE, libc::IPC_CREAT | 0o600) }.into())?;
        check(unsafe { libc::msgctl(id as i32, libc::IPC_RMID, ptr::null_mut()) }.into())
            .map(|_| ())
    }),
    ("semaphore", |_| {
        let id =
            check(unsafe { libc::semget(libc::IPC_PRIVATE, 1, libc::IPC_CREAT | 0o600) }.into())?;
        check(unsafe { libc::semctl(id as i32, 0, libc::IPC_RMID) }.into()).map(|_| ())
    }),
    ("file-notification", |_| {
        opened(&[libc::SYS_fanotify_init, 0, 0])
    }),
    ("personality", |_| {
        in_child(|| call(&[libc::SYS_personality, 0x0040_0000]), true)
    }),
    ("kernel-log", |_| call(&[libc::SYS_syslog, 10, 0, 0])),
    ("host-name", |_| {
        in_child(
            || call(&[libc::SYS_sethostname, c"x".as_ptr() as i64, -1]).or_else(was_allowed),
            true,
        )
    }),
    ("become-root", |_| {
        in_child(
            || check(unsafe { libc::setuid(0) }.into()).map(|_| ()),
            true,
        )
    }),
    ("seccomp-filter", |_| {
        in_child(
            || call(&[libc::SYS_seccomp, 2, 0, c"xxxx".as_ptr() as i64]),
            true,
        )
    }),
    ("dump-core", |_| {
        in_child(|| call(&[libc::SYS_prctl, 4, 1]), true)
    }),
    ("trace-me", |_| {
        in_child(|| call(&[libc::SYS_ptrace, 0, 0, 0, 0]), true)
    }),
    ("type-into-terminal", |_| {
        check(unsafe { libc::ioctl(0, libc::TIOCSTI, c"x".as_ptr()) }.into()).map(|_| ())
    }),
    ("inherited-files", inherited),
];

fn call(words: &[i64]) -> io::Result<()> {
    answer(words).map(|_| ())
}

fn opened(words: &[i64]) -> io::Result<()> {
    let file = answer(words)?;
    // SAFETY: this process has just opened it.
    unsafe { libc::close(file as i32) };
    Ok(())
}

fn answer(words: &[i64]) -> io::Result<i64> {
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    // SAFETY: pointers among the words are of the frame above.
    check(unsafe { libc::syscall(word(0), word(1), word(2), word(3), word(4), word(5)) })
}

/// A length that is wrong is looked at only after the right to it.
fn was_allowed(error: io::Error) -> io::Result<()> {
    if error.raw_os_error() == Some(libc::EINVAL) {
        Ok(())
    } else {
        Err(error)
    }
}

fn unshare(flags: i32) -> io::Result<()> {
    check(unsafe { libc::unshare(flags) }.into()).map(|_| ())
}

fn mount(path: &str) -> io::Result<()> {
    let (path, kind) = (CString::new(path)?, c"tmpfs".as_ptr());
    // SAFETY: every text lives longer than the call.
    check(unsafe { libc::mount(kind, path.as_ptr(), kind, 0, ptr::null()) }.into()).map(|_| ())
}

/// Anything beyond the three streams that is no part of Node's own event loop, and not the one document.
fn inherited(_: &str) -> io::Result<()> {
    let mut files = 0;
    for number in 3..1024 {
        // SAFETY: a zeroed structure is a valid one.
        let mut found: libc::stat = unsafe { std::mem::zeroed() };
        if unsafe { libc::fstat(number, &mut found) } < 0 {
            continue;
        }
        match found.st_mode & libc::S_IFMT {
            libc::S_IFSOCK | libc::S_IFDIR | libc::S_IFBLK => return Ok(()),
            libc::S_IFREG => files += 1,
            _ => {}
        }
    }
    if files > 1 {
        Ok(())
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}
