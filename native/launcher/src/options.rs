//! The command line.

use crate::system::Outcome;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

#[derive(Default)]
pub struct Options {
    /// Print which protections are active, instead of starting the program.
    pub report: bool,
    /// Protections without which nothing is started: `landlock`, `seccomp`, `network`, `ipc`, `uid`, `limits`.
    pub required: Vec<String>,
    /// Files and folders that the program may read.
    pub read: Vec<PathBuf>,
    /// Files that may be executed: the program and its dynamic linker.
    pub execute: Vec<PathBuf>,
    /// The folder into which the parent puts the one document, under a name that it says later.
    pub documents: Option<PathBuf>,
    /// User and group of the process, where the launcher was started by root.
    pub uid: Option<u32>,
    pub cpu_seconds: Option<u64>,
    pub data_bytes: Option<u64>,
    pub open_files: Option<u64>,
    pub environment: Vec<OsString>,
    /// The program and its arguments.
    pub command: Vec<OsString>,
}

impl Options {
    pub fn parse(mut words: impl Iterator<Item = OsString>) -> Outcome<Self> {
        let mut options = Self::default();
        while let Some(word) = words.next() {
            match word.to_str() {
                Some("--") => {
                    options.command = words.collect();
                    break;
                }
                Some("--report") => options.report = true,
                Some(name) => {
                    let value = words.next().ok_or(format!("{name} needs a value"))?;
                    options.set(name, value)?;
                }
                None => return Err("an option is not UTF-8".into()),
            }
        }
        if options.command.is_empty() {
            return Err("expected a program after --".into());
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: OsString) -> Outcome<()> {
        match name {
            "--require" => self.required.push(value.to_string_lossy().into_owned()),
            "--read" => self.read.push(value.into()),
            "--execute" => self.execute.push(value.into()),
            "--documents" => self.documents = Some(value.into()),
            "--uid" => self.uid = Some(number(name, &value)? as u32),
            "--cpu" => self.cpu_seconds = Some(number(name, &value)?),
            "--data" => self.data_bytes = Some(number(name, &value)?),
            "--open-files" => self.open_files = Some(number(name, &value)?),
            "--env" => self.environment.push(value),
            _ => return Err(format!("unknown option {name}")),
        }
        Ok(())
    }
}

fn number(name: &str, value: &OsStr) -> Outcome<u64> {
    value
        .to_str()
        .and_then(|text| text.parse().ok())
        .ok_or(format!("{name} needs a number, got {value:?}"))
}
