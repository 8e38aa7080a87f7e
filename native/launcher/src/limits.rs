//! Resource limits (getrlimit(2)). Both the soft and the hard limit are set, so the program cannot raise them.

use crate::options::Options;
use crate::system::check;
use std::io;

/// Applies every limit; false where the system refuses one.
pub fn apply(options: &Options) -> bool {
    let limits = [
        (libc::RLIMIT_CPU, options.cpu_seconds),
        (libc::RLIMIT_DATA, options.data_bytes),
        (libc::RLIMIT_NOFILE, options.open_files),
        (libc::RLIMIT_FSIZE, Some(0)),
        (libc::RLIMIT_CORE, Some(0)),
        (libc::RLIMIT_MSGQUEUE, Some(0)),
        (libc::RLIMIT_MEMLOCK, Some(0)),
    ];
    limits
        .iter()
        .filter_map(|(resource, most)| most.map(|most| limit(*resource, most)))
        .all(|outcome| outcome.is_ok())
}

fn limit(resource: libc::__rlimit_resource_t, most: u64) -> io::Result<i64> {
    let value = libc::rlimit {
        rlim_cur: most,
        rlim_max: most,
    };
    // SAFETY: `value` lives longer than the call.
    unsafe { check(libc::setrlimit(resource, &value).into()) }
}
