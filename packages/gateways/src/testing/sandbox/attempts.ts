// What a native bug in a PDF process could attempt. `name` is a function of native/probe.

import { join } from "node:path"
import type { Target } from "./target.ts"

export type Attempt = { readonly title: string; readonly name: string; readonly argument: string }

type Row = readonly [title: string, name: string, argument?: string | number]

/** Paths in `own` and `code` are those of the process: it reads them, and must not change them. */
export function attemptsOn(target: Target): readonly Attempt[] {
  const rows = [...files(target), ...writes(target), ...network(target), ...processes(target), ...KERNEL]
  return rows.map(([title, name, argument = ""]) => ({ title, name, argument: `${argument}` }))
}

const files = ({ key, parent, sibling, sealed, secret, spool, home }: Target): readonly Row[] => [
  ["read the operator's key (mode 0400)", "read", key],
  ["open the operator's key by its handle", "open-by-handle", key],
  ["watch the operator's key", "watch", key],
  ["read the environment of the parent", "read", `/proc/${parent}/environ`],
  ["open the memory of the parent", "read", `/proc/${parent}/maps`],
  ["read the environment of a sibling", "read", `/proc/${sibling}/environ`],
  ["read the file descriptors of the parent", "list", `/proc/${parent}/fd`],
  ["read its own environment", "read", "/proc/self/environ"],
  ["list /proc", "list", "/proc"],
  ["read a sealed file of another business", "read", sealed],
  ["list the spool", "list", spool],
  ["read /etc/passwd", "read", "/etc/passwd"],
  ["list /etc", "list", "/etc"],
  ["list the root folder", "list", "/"],
  ["list the home folder", "list", home],
  ["read a mounted secret", "read", secret],
  ["list /tmp", "list", "/tmp"],
  ["list /dev", "list", "/dev"],
  ["read /sys", "list", "/sys"],
]

const writes = ({ key, sealed, spool, own, code }: Target): readonly Row[] => [
  ["create a file in the spool", "create", join(spool, "written")],
  ["create a file in /tmp", "create", `/tmp/paraph-written-${process.pid}`],
  ["create a file in its own folder", "create", join(own, "written")],
  ["create a file without a name", "unnamed-file", spool],
  ["open its own code for writing", "open-to-write", code],
  ["open a sealed file for writing", "open-to-write", sealed],
  ["make a folder", "make-folder", join(own, "folder")],
  ["make a named pipe", "make-pipe", join(own, "pipe")],
  ["make a symbolic link", "symbolic-link", join(own, "symbolic")],
  ["link the operator's key into its folder", "hard-link", `${key} ${join(own, "hard")}`],
  ["link a sealed file into its folder", "hard-link", `${sealed} ${join(own, "hard-sealed")}`],
  ["rename a sealed file", "rename", `${sealed} ${sealed}-renamed`],
  ["truncate a sealed file", "truncate", `${sealed}-truncated`],
  ["change the mode of the operator's key", "change-mode", `${key}-changed`],
  ["remove a sealed file", "remove", `${sealed}-removed`],
]

const network = ({ tcp4, tcp6, udp4, unix, abstract }: Target): readonly Row[] => [
  ["connect by TCP to 127.0.0.1", "tcp", `127.0.0.1:${tcp4}`],
  ["connect by TCP to ::1", "tcp", `[::1]:${tcp6}`],
  ["ask by UDP", "udp", `127.0.0.1:${udp4}`],
  ["listen on a TCP port", "listen", "127.0.0.1:0"],
  ["connect to a Unix socket", "unix", unix],
  ["connect to an abstract Unix socket", "abstract", abstract],
  ["listen on an abstract Unix socket", "abstract-listen", `${abstract}-own`],
  ["open a Unix datagram socket", "unix-datagram"],
  ["open a pair of Unix sockets", "unix-pair"],
  ["resolve a name", "resolve", "localhost"],
  ["open a raw socket", "raw"],
  ["open a packet socket", "packet"],
  ["open a netlink socket", "netlink"],
  ["open a vsock socket", "vsock"],
  ["send a message over its output", "send-file-descriptor"],
]

const processes = ({ parent, sibling, memory, node, linker, own }: Target): readonly Row[] => [
  ["signal the parent", "kill", parent],
  ["signal a sibling", "kill", sibling],
  ["signal a thread of the parent", "tgkill", parent],
  ["signal a thread by its number", "tkill", sibling],
  ["signal the parent by a pidfd", "pidfd-signal", parent],
  ["queue a signal for the parent", "queue-signal", parent],
  ["have a file signal the parent", "signal-by-owner", parent],
  ["take a file descriptor of a sibling", "pidfd-getfd", sibling],
  ["trace a sibling", "ptrace", sibling],
  ["read the memory of a sibling", "read-memory", `${sibling} ${memory}`],
  ["compare with a sibling", "compare", sibling],
  ["change the priority of a sibling", "priority", sibling],
  ["change the I/O priority of a sibling", "io-priority", sibling],
  ["change the scheduler of a sibling", "scheduler", sibling],
  ["change the CPUs of a sibling", "affinity", sibling],
  ["read the limits of a sibling", "limits-of", sibling],
  ["raise its own limits", "raise-own-limit"],
  ["fork", "fork"],
  ["vfork", "vfork"],
  ["clone", "clone"],
  ["clone3", "clone3"],
  ["execute another program", "exec", "/bin/cat"],
  ["execute Node again", "exec", node],
  ["execute Node by the dynamic linker", "exec-by-linker", `${linker} ${node}`],
  ["execute from memory", "exec-memory", node],
  ["change its root", "change-root", own],
]

const KERNEL: readonly Row[] = [
  ["make a user namespace", "user-namespace"],
  ["make a mount namespace", "mount-namespace"],
  ["enter a namespace", "enter-namespace", "/proc/self/ns/net"],
  ["mount a file system", "mount", "/tmp"],
  ["set up io_uring", "io-uring"],
  ["make a BPF map", "bpf"],
  ["handle page faults", "user-fault"],
  ["count events", "perf"],
  ["make a file in memory", "memory-file"],
  ["read its keyring", "keyring"],
  ["add a key", "add-key"],
  ["get System V shared memory", "shared-memory"],
  ["get a System V message queue", "message-queue"],
  ["get a System V semaphore", "semaphore"],
  ["ask to be notified of files", "file-notification"],
  ["change its personality", "personality"],
  ["read the kernel's log", "kernel-log"],
  ["become root", "become-root"],
  ["be traced", "trace-me"],
  ["type into a terminal", "type-into-terminal"],
  ["use a file that it inherited", "inherited-files"],
]
