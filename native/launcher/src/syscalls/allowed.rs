//! The calls themselves. Found by tracing every program of packages/gateways/src/pdf, and completed from the sources of glibc, libuv and V8
//! for what they do under load or on another machine. The C library of aarch64 has only the newer name of some.

use libc::*;

/// With any arguments.
pub const ALWAYS: &[i64] = &[
    // Memory. V8 compiles, so pages become executable.
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_mincore,
    SYS_membarrier,
    SYS_pkey_alloc,
    SYS_pkey_free,
    SYS_pkey_mprotect,
    // Threads, signals of the process itself, and time.
    SYS_futex,
    SYS_futex_waitv,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_set_tid_address,
    SYS_gettid,
    SYS_getpid,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_getcpu,
    // Files: which ones, Landlock decides. `openat` is below.
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_preadv,
    SYS_lseek,
    SYS_close,
    SYS_close_range,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_fstatfs,
    SYS_getdents64,
    SYS_getcwd,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_dup,
    // To what is open already: the pipe to the parent, and events within the process.
    SYS_write,
    SYS_writev,
    SYS_pipe2,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_ppoll,
    SYS_getsockopt,
    SYS_getsockname,
    SYS_shutdown,
    // What the process is and uses.
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_capget,
    SYS_getrusage,
    SYS_times,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrandom,
    #[cfg(target_arch = "x86_64")]
    SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    SYS_stat,
    #[cfg(target_arch = "x86_64")]
    SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    SYS_access,
    #[cfg(target_arch = "x86_64")]
    SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    SYS_epoll_wait,
    #[cfg(target_arch = "x86_64")]
    SYS_poll,
    #[cfg(target_arch = "x86_64")]
    SYS_time,
];

/// Only where the argument of this index has one of these values.
pub const WITH_VALUES: &[(i64, u8, &[u64])] = &[
    // No F_SETOWN or F_SETSIG, which send signals; no locks.
    (
        SYS_fcntl,
        1,
        &[
            F_DUPFD as u64,
            F_DUPFD_CLOEXEC as u64,
            F_GETFD as u64,
            F_SETFD as u64,
            F_GETFL as u64,
            F_SETFL as u64,
        ],
    ),
    // No TIOCSTI, which types into a terminal.
    (
        SYS_ioctl,
        1,
        &[FIONBIO, FIOCLEX, FIONCLEX, FIONREAD, TCGETS],
    ),
    (
        SYS_prctl,
        0,
        &[PR_SET_NAME as u64, PR_GET_NAME as u64, PR_SET_VMA as u64],
    ),
];

/// Calls that open a file, and the index of their flags.
pub const OPENING: &[(i64, u8)] = &[
    (SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (SYS_open, 1),
];

/// Flags of open(2) that change a file or make one. `O_TMPFILE` has the bit of `O_DIRECTORY` too, which is allowed.
pub const WRITING: u64 =
    (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_EXCL | (O_TMPFILE & !O_DIRECTORY)) as u64;

/// What glibc asks of clone(2) for a thread, and nothing else.
pub const THREAD: u64 = (CLONE_VM
    | CLONE_FS
    | CLONE_FILES
    | CLONE_SIGHAND
    | CLONE_THREAD
    | CLONE_SYSVSEM
    | CLONE_SETTLS
    | CLONE_PARENT_SETTID
    | CLONE_CHILD_CLEARTID) as u64;

/// Denied, but with the answer that has the program go on.
pub const ANSWERED: &[(i32, &[i64])] = &[
    // Its flags lie in memory, which a filter cannot read. glibc then takes clone.
    (ENOSYS, &[SYS_clone3]),
    // Node makes sure of the folder of its compile cache, which is there.
    (
        EEXIST,
        &[
            SYS_mkdirat,
            #[cfg(target_arch = "x86_64")]
            SYS_mkdir,
        ],
    ),
];
