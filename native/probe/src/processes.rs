//! Other processes, and new ones.

use crate::{check, numbers, Attempt};
use std::ffi::CString;
use std::io;
use std::mem::{size_of, zeroed};
use std::ptr;

pub const ATTEMPTS: &[(&str, Attempt)] = &[
    ("kill", |pid| call(&[libc::SYS_kill, first(pid)?, 0])),
    ("tkill", |pid| call(&[libc::SYS_tkill, first(pid)?, 0])),
    ("tgkill", |pid| {
        call(&[libc::SYS_tgkill, first(pid)?, first(pid)?, 0])
    }),
    ("queue-signal", queue_signal),
    ("pidfd-signal", |pid| {
        let process = check(unsafe { libc::syscall(libc::SYS_pidfd_open, first(pid)?, 0) })?;
        call(&[libc::SYS_pidfd_send_signal, process, 0, 0, 0])
    }),
    ("pidfd-getfd", |pid| {
        let process = check(unsafe { libc::syscall(libc::SYS_pidfd_open, first(pid)?, 0) })?;
        call(&[libc::SYS_pidfd_getfd, process, 0, 0])
    }),
    ("signal-by-owner", |pid| {
        call(&[libc::SYS_fcntl, 0, i64::from(libc::F_SETOWN), first(pid)?])
    }),
    ("ptrace", |pid| {
        call(&[libc::SYS_ptrace, 0x4206, first(pid)?, 0, 0])
    }),
    ("read-memory", read_memory),
    ("compare", |pid| {
        call(&[libc::SYS_kcmp, own_pid(), first(pid)?, 1, 0, 0])
    }),
    ("priority", |pid| {
        call(&[libc::SYS_setpriority, 0, first(pid)?, 19])
    }),
    ("io-priority", |pid| {
        call(&[libc::SYS_ioprio_set, 1, first(pid)?, 2 << 13 | 4])
    }),
    ("scheduler", scheduler),
    ("affinity", affinity),
    ("limits-of", limits_of),
    ("raise-own-limit", |_| {
        let limit = libc::rlimit {
            rlim_cur: libc::RLIM_INFINITY,
            rlim_max: libc::RLIM_INFINITY,
        };
        check(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &limit) }.into()).map(|_| ())
    }),
    ("fork", |_| in_child(|| Ok(()), false)),
    ("vfork", |_| {
        // What vfork does, without sharing the memory.
        clone_raw(libc::CLONE_VFORK as i64 | libc::SIGCHLD as i64)
    }),
    ("clone", |_| clone_raw(libc::SIGCHLD as i64)),
    ("clone3", |_| {
        let mut arguments = [0_u64; 8];
        arguments[4] = libc::SIGCHLD as u64;
        match check(unsafe { libc::syscall(libc::SYS_clone3, arguments.as_ptr(), 64) })? {
            0 => unsafe { libc::_exit(0) },
            child => wait(child as i32).map(|_| ()),
        }
    }),
    ("exec", |path| {
        in_child(|| execute(path, &[path, "--version"]), true)
    }),
    ("exec-by-linker", |paths| {
        let (linker, program) = paths.split_once(' ').ok_or(io::ErrorKind::InvalidInput)?;
        in_child(|| execute(linker, &[linker, program, "--version"]), true)
    }),
    ("exec-memory", |path| {
        in_child(|| execute_memory(path), true)
    }),
];

fn first(argument: &str) -> io::Result<i64> {
    numbers(argument)?
        .first()
        .copied()
        .ok_or(io::ErrorKind::InvalidInput.into())
}

fn own_pid() -> i64 {
    std::process::id().into()
}

fn call(words: &[i64]) -> io::Result<()> {
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    // SAFETY: the calls above take numbers, or null.
    check(unsafe { libc::syscall(word(0), word(1), word(2), word(3), word(4), word(5)) })
        .map(|_| ())
}

/// Does it in a child, where it may change the process; in place where there can be no child and `also_here`.
pub fn in_child(deed: impl Fn() -> io::Result<()>, also_here: bool) -> io::Result<()> {
    // SAFETY: the child only makes system calls and ends.
    match check(unsafe { libc::fork() }.into()) {
        Err(_) if also_here => deed(),
        Err(error) => Err(error),
        Ok(0) => {
            let code = deed()
                .err()
                .map_or(0, |error| error.raw_os_error().unwrap_or(255));
            unsafe { libc::_exit(code) }
        }
        Ok(child) => match wait(child as i32)? {
            0 => Ok(()),
            code => Err(io::Error::from_raw_os_error(code)),
        },
    }
}

fn wait(child: i32) -> io::Result<i32> {
    let mut status = 0;
    check(unsafe { libc::waitpid(child, &mut status, 0) }.into())?;
    Ok(if libc::WIFEXITED(status) {
        libc::WEXITSTATUS(status)
    } else {
        254
    })
}

fn clone_raw(flags: i64) -> io::Result<()> {
    // SAFETY: without CLONE_VM the child has memory of its own; a null stack keeps the one it has.
    match check(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })? {
        0 => unsafe { libc::_exit(0) },
        child => wait(child as i32).map(|_| ()),
    }
}

/// Answers only where it failed; a program that runs is a success that the parent sees.
fn execute(path: &str, words: &[&str]) -> io::Result<()> {
    let path = CString::new(path)?;
    let words: Vec<CString> = words
        .iter()
        .map(|word| CString::new(*word))
        .collect::<Result<_, _>>()?;
    let arguments: Vec<_> = words
        .iter()
        .map(|word| word.as_ptr())
        .chain([ptr::null()])
        .collect();
    let environment = [ptr::null()];
    // SAFETY: both lists end with a null pointer. Output is closed: it belongs to the frames.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup2(null, 1);
        check(libc::execve(path.as_ptr(), arguments.as_ptr(), environment.as_ptr()).into())
            .map(|_| ())
    }
}

fn execute_memory(path: &str) -> io::Result<()> {
    let program = std::fs::read(path);
    // SAFETY: as memfd_create(2) and fexecve(3) describe them.
    unsafe {
        let file = check(libc::syscall(
            libc::SYS_memfd_create,
            c"program".as_ptr(),
            0,
        ))? as i32;
        let program = program?;
        check(libc::write(file, program.as_ptr().cast(), program.len()) as i64)?;
        let arguments = [c"program".as_ptr(), c"--version".as_ptr(), ptr::null()];
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup2(null, 1);
        check(libc::fexecve(file, arguments.as_ptr(), [ptr::null()].as_ptr()).into()).map(|_| ())
    }
}

fn queue_signal(pid: &str) -> io::Result<()> {
    // SAFETY: a zeroed structure is a valid one; SI_QUEUE may be sent to others.
    unsafe {
        let mut info: libc::siginfo_t = zeroed();
        info.si_code = -1;
        check(libc::syscall(
            libc::SYS_rt_sigqueueinfo,
            first(pid)?,
            0,
            &info,
        ))
        .map(|_| ())
    }
}

/// "pid address"
fn read_memory(argument: &str) -> io::Result<()> {
    let words = numbers(argument)?;
    let (pid, address) = (
        first(argument)?,
        *words.get(1).ok_or(io::ErrorKind::InvalidInput)?,
    );
    let mut byte = 0_u8;
    let local = libc::iovec {
        iov_base: ptr::from_mut(&mut byte).cast(),
        iov_len: 1,
    };
    let remote = libc::iovec {
        iov_base: address as *mut _,
        iov_len: 1,
    };
    // SAFETY: one byte into a variable of this frame.
    check(unsafe { libc::process_vm_readv(pid as i32, &local, 1, &remote, 1, 0) } as i64)
        .map(|_| ())
}

fn scheduler(pid: &str) -> io::Result<()> {
    let parameter = libc::sched_param { sched_priority: 0 };
    // SAFETY: the structure lives longer than the call.
    check(
        unsafe { libc::sched_setscheduler(first(pid)? as i32, libc::SCHED_OTHER, &parameter) }
            .into(),
    )
    .map(|_| ())
}

/// Sets what is set already.
fn affinity(pid: &str) -> io::Result<()> {
    let pid = first(pid)? as i32;
    // SAFETY: the set lives longer than the calls.
    unsafe {
        let mut set: libc::cpu_set_t = zeroed();
        check(libc::sched_getaffinity(pid, size_of::<libc::cpu_set_t>(), &mut set).into())?;
        check(libc::sched_setaffinity(pid, size_of::<libc::cpu_set_t>(), &set).into()).map(|_| ())
    }
}

/// Reads the limits of another process.
fn limits_of(pid: &str) -> io::Result<()> {
    // SAFETY: the structure lives longer than the call.
    unsafe {
        let mut limit: libc::rlimit = zeroed();
        check(
            libc::prlimit(
                first(pid)? as i32,
                libc::RLIMIT_CORE,
                ptr::null(),
                &mut limit,
            )
            .into(),
        )
        .map(|_| ())
    }
}
