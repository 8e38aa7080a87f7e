//! The service keeps its spool in folders that no other user may enter. For a process that becomes another user, an empty file
//! system covers the outermost of them, in which only the folders of this process appear. So it cannot even see what else is there.

use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::identity::c_path;
use crate::namespaces::unshare;
use crate::options::Options;
use crate::system::check;

/// Mounts nothing where every user may enter the folder of the documents.
pub fn private_folders(options: &Options) -> io::Result<()> {
    let Some(cover) = cover_of(options) else {
        return Ok(());
    };
    let shown: Vec<&PathBuf> = options
        .read
        .iter()
        .chain(&options.documents)
        .filter(|path| path.starts_with(&cover) && path.is_dir())
        .collect();
    unshare(libc::CLONE_NEWNS)?;
    mount(
        "none",
        Path::new("/"),
        None,
        libc::MS_REC | libc::MS_PRIVATE,
    )?;
    // Opened before they are covered, and in the new namespace, whose mounts alone can be bound in it.
    let opened: io::Result<Vec<fs::File>> = shown.iter().map(fs::File::open).collect();
    let opened = opened?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    mount(
        "tmpfs",
        &cover,
        Some(("tmpfs", "mode=0711,size=64k")),
        flags,
    )?;
    let bound = shown.iter().zip(&opened).try_for_each(|(path, folder)| {
        fs::create_dir_all(path)?;
        mount(
            &format!("/proc/self/fd/{}", folder.as_raw_fd()),
            path,
            None,
            libc::MS_BIND,
        )
    });
    let bound = bound.and_then(|()| {
        mount(
            "none",
            &cover,
            None,
            libc::MS_REMOUNT | libc::MS_RDONLY | flags,
        )
    });
    bound.inspect_err(|_| uncover(&cover))
}

fn uncover(folder: &Path) {
    if let Ok(path) = c_path(folder) {
        // SAFETY: the path lives longer than the call.
        unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) };
    }
}

/// Whether the path lies where `private_folders` makes it reachable.
pub fn is_private(options: &Options, path: &Path) -> bool {
    cover_of(options).is_some_and(|cover| path.starts_with(cover))
}

/// The outermost folder above the documents that not every user may enter.
fn cover_of(options: &Options) -> Option<PathBuf> {
    let mut folders: Vec<&Path> = options.documents.as_ref()?.parent()?.ancestors().collect();
    folders.reverse();
    folders
        .into_iter()
        .find(|folder| !may_enter(folder))
        .map(Path::to_path_buf)
}

fn may_enter(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|found| found.mode() & 0o001 != 0)
}

fn mount(
    source: &str,
    target: &Path,
    kind: Option<(&str, &str)>,
    flags: libc::c_ulong,
) -> io::Result<()> {
    let source = c_path(Path::new(source))?;
    let target = c_path(target)?;
    let (name, data) = match kind {
        Some((name, data)) => (
            Some(c_path(Path::new(name))?),
            Some(c_path(Path::new(data))?),
        ),
        None => (None, None),
    };
    let pointer = |text: &Option<std::ffi::CString>| {
        text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
    };
    // SAFETY: every pointer is null or a text that lives longer than the call.
    let answer = unsafe {
        libc::mount(
            source.as_ptr(),
            target.as_ptr(),
            pointer(&name),
            flags,
            pointer(&data).cast(),
        )
    };
    check(answer.into()).map(|_| ())
}
