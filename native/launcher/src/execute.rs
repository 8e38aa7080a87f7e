//! The one execve that the filter of system calls lets pass. A filter cannot read memory, but it can compare pointers. So the arguments
//! lie at random addresses, which the filter alone knows: the memory of this program ends with the call. Who runs in the new program would
//! have to guess three addresses at once, and each guess fails alike. Landlock limits what could be executed even then.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::ptr;

use crate::options::Options;
use crate::system::Outcome;

pub struct Program {
    pub path: *const libc::c_char,
    pub arguments: *const *const libc::c_char,
    pub environment: *const *const libc::c_char,
    /// What the two lists point at.
    _texts: [Vec<CString>; 2],
}

impl Program {
    pub fn prepare(options: &Options) -> Outcome<Self> {
        let arguments = texts(&options.command)?;
        let environment = texts(&options.environment)?;
        let path = arguments
            .first()
            .ok_or("expected a program")?
            .as_bytes_with_nul();
        let memory = |error: io::Error| format!("no memory for the arguments: {error}");
        Ok(Self {
            path: at_random(path).map_err(memory)?.cast(),
            arguments: at_random(&pointers(&arguments)).map_err(memory)?,
            environment: at_random(&pointers(&environment)).map_err(memory)?,
            _texts: [arguments, environment],
        })
    }

    /// Answers only where it failed.
    pub fn execute(&self) -> String {
        // SAFETY: the path ends with a zero byte, and both lists with a null pointer.
        unsafe { libc::execve(self.path, self.arguments, self.environment) };
        format!(
            "the program could not be executed: {}",
            io::Error::last_os_error()
        )
    }
}

fn texts(words: &[impl AsRef<OsStr>]) -> Outcome<Vec<CString>> {
    words
        .iter()
        .map(|word| {
            CString::new(word.as_ref().as_bytes())
                .map_err(|_| "an argument has a zero byte".to_string())
        })
        .collect()
}

fn pointers(texts: &[CString]) -> Vec<*const libc::c_char> {
    texts
        .iter()
        .map(|text| text.as_ptr())
        .chain([ptr::null()])
        .collect()
}

const PAGE: usize = 65_536;
/// Of the smallest address space that a kernel gives on the architectures we build for (39 bits, aarch64).
const ADDRESSES: usize = (1 << 38) - 1;

/// Copies values to an address that nothing else tells. `MAP_FIXED_NOREPLACE` fails where something lies already.
fn at_random<T: Copy>(values: &[T]) -> io::Result<*const T> {
    let size = (size_of_val(values) + 2 * PAGE) / PAGE * PAGE;
    for _ in 0..64 {
        let random = random()? & ADDRESSES;
        let (page, offset) = (random / PAGE * PAGE, random % PAGE / 16 * 16);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: takes no memory that is in use.
        let memory = unsafe {
            libc::mmap(
                page as *mut _,
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                flags,
                -1,
                0,
            )
        };
        if memory as usize != page {
            continue;
        }
        let place = (page + offset) as *mut T;
        // SAFETY: the mapping has a whole page more than the values, and an offset is less than that and a multiple of 16.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), place, values.len()) };
        return Ok(place);
    }
    Err(io::ErrorKind::OutOfMemory.into())
}

fn random() -> io::Result<usize> {
    let mut bytes = [0_u8; size_of::<usize>()];
    // SAFETY: writes no more than the length.
    match unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) } {
        8 => Ok(usize::from_ne_bytes(bytes)),
        _ => Err(io::Error::last_os_error()),
    }
}
