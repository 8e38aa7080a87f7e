// A root folder for a container with no more than the image has: the C library and a program, no shell. Node and the checkout are mounted.

import { chmodSync, cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { LAUNCHER } from "../../pdf/sandbox/launcher.ts"
import { librariesOf } from "../../pdf/sandbox/shared-libraries.ts"

const PROGRAMS = ["/bin/cat"]
const FOLDERS = ["proc", "sys", "dev", "run", "root", "etc", "tmp", "usr/local/bin"]

export function writeContainerRoot(root: string): void {
  chmodSync(root, 0o755)
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true, mode: 0o755 })
  chmodSync(join(root, "tmp"), 0o1777)
  mkdirSync(join(root, "srv"), { recursive: true })
  writeFileSync(join(root, "etc/passwd"), "service:x:65532:65532::/srv:/bin/false\n")
  writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n")
  const libraries = [process.execPath, LAUNCHER, ...PROGRAMS].flatMap(librariesOf)
  for (const path of new Set([...libraries, ...PROGRAMS])) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    cpSync(realpathSync(path), join(root, path))
  }
}
