//! For the tests: a native add-on of Node that attempts what a native bug in a PDF process could attempt (ADR 0094). Node's permission
//! model does not bind it, so what fails here fails because of the sandbox.
//!
//! `module.exports = (name, argument) => "done" | "EACCES" | …`

mod files;
mod kernel;
mod network;
mod processes;

use std::ffi::{c_char, c_int, c_void};
use std::io;
use std::ptr;

/// What was attempted: `Ok` where it succeeded.
pub type Attempt = fn(&str) -> io::Result<()>;

fn attempt(name: &str, argument: &str) -> String {
    let tables = [
        files::ATTEMPTS,
        network::ATTEMPTS,
        processes::ATTEMPTS,
        kernel::ATTEMPTS,
    ];
    let found = tables
        .iter()
        .flat_map(|table| table.iter())
        .find(|(each, _)| *each == name);
    match found.map(|(_, attempt)| attempt(argument)) {
        None => format!("unknown attempt {name}"),
        Some(Ok(())) => "done".into(),
        Some(Err(error)) => error.to_string(),
    }
}

/// Turns the answer of a system call into a result.
pub fn check(answer: i64) -> io::Result<i64> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}

/// Numbers of an argument such as "12 34".
pub fn numbers(argument: &str) -> io::Result<Vec<i64>> {
    argument
        .split(' ')
        .map(|word| {
            word.parse()
                .map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
        })
        .collect()
}

type Value = *mut c_void;
type Callback = extern "C" fn(Value, Value) -> Value;

// Node-API (node_api.h), which the process itself exports.
extern "C" {
    fn napi_create_function(
        env: Value,
        name: *const c_char,
        length: usize,
        callback: Callback,
        data: *mut c_void,
        result: *mut Value,
    ) -> c_int;
    fn napi_get_cb_info(
        env: Value,
        info: Value,
        count: *mut usize,
        values: *mut Value,
        this: *mut Value,
        data: *mut *mut c_void,
    ) -> c_int;
    fn napi_get_value_string_utf8(
        env: Value,
        value: Value,
        buffer: *mut c_char,
        size: usize,
        length: *mut usize,
    ) -> c_int;
    fn napi_create_string_utf8(
        env: Value,
        text: *const c_char,
        length: usize,
        result: *mut Value,
    ) -> c_int;
}

/// # Safety
/// Called by Node alone.
#[no_mangle]
pub unsafe extern "C" fn napi_register_module_v1(env: Value, _exports: Value) -> Value {
    let mut function = ptr::null_mut();
    unsafe {
        napi_create_function(
            env,
            c"attempt".as_ptr(),
            7,
            call,
            ptr::null_mut(),
            &mut function,
        )
    };
    function
}

extern "C" fn call(env: Value, info: Value) -> Value {
    let (mut count, mut values, mut answer) = (2, [ptr::null_mut(); 2], ptr::null_mut());
    // SAFETY: as node_api.h describes them; every pointer is of this frame.
    unsafe {
        napi_get_cb_info(
            env,
            info,
            &mut count,
            values.as_mut_ptr(),
            ptr::null_mut(),
            ptr::null_mut(),
        );
        let outcome = attempt(&text(env, values[0]), &text(env, values[1]));
        napi_create_string_utf8(env, outcome.as_ptr().cast(), outcome.len(), &mut answer);
    }
    answer
}

/// # Safety
/// `value` is a string of `env`.
unsafe fn text(env: Value, value: Value) -> String {
    let (mut buffer, mut length) = ([0_u8; 4096], 0);
    unsafe {
        napi_get_value_string_utf8(
            env,
            value,
            buffer.as_mut_ptr().cast(),
            buffer.len(),
            &mut length,
        )
    };
    String::from_utf8_lossy(&buffer[..length]).into_owned()
}
