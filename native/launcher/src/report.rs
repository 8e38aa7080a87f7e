//! Which protections are active.

use crate::system::Outcome;

pub struct Report {
    /// The version of Landlock in the kernel; 0 where it does not restrict files.
    pub landlock: u32,
    pub seccomp: bool,
    /// A network namespace of its own.
    pub network: bool,
    /// System V IPC and POSIX message queues of its own.
    pub ipc: bool,
    /// A user that owns nothing.
    pub uid: bool,
    pub limits: bool,
}

impl Report {
    pub fn json(&self) -> String {
        let Self {
            landlock,
            seccomp,
            network,
            ipc,
            uid,
            limits,
        } = self;
        format!(
            r#"{{"landlock":{landlock},"seccomp":{seccomp},"network":{network},"ipc":{ipc},"uid":{uid},"limits":{limits}}}"#
        )
    }

    pub fn must_have(&self, required: &[String], seccomp: Option<String>) -> Outcome<()> {
        for name in required {
            if !self.has(name)? {
                let reason = seccomp.filter(|_| name == "seccomp").unwrap_or_default();
                return Err(format!(
                    "{name} is required and not available here. {reason}"
                ));
            }
        }
        Ok(())
    }

    fn has(&self, name: &str) -> Outcome<bool> {
        match name {
            "landlock" => Ok(self.landlock > 0),
            "seccomp" => Ok(self.seccomp),
            "network" => Ok(self.network),
            "ipc" => Ok(self.ipc),
            "uid" => Ok(self.uid),
            "limits" => Ok(self.limits),
            _ => Err(format!("unknown protection {name}")),
        }
    }
}
