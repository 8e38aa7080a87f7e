// The one folder that a PDF process may read documents from. The parent makes it before the process starts, links the one sealed
// file into it for the time of a question, and removes it afterwards.

import { randomUUID } from "node:crypto"
import { chmodSync, chownSync, linkSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { SealedFile } from "@paraph/seal/file"
import { isRoot, SANDBOX_UID } from "./uid.ts"

export type PrivateFolder = {
  readonly path: string
  /** A hard link to the sealed file, which the process may open. */
  readonly put: (file: SealedFile) => SealedFile
  /** Removes what was put there. */
  readonly clear: () => void
  readonly remove: () => void
}

/** In the folder of the sealed files, because a hard link cannot lead to another file system. */
export function createPrivateFolder(folder: string): PrivateFolder {
  const path = join(folder, `process-${randomUUID()}`)
  mkdirSync(path, { mode: 0o700 })
  openToSandbox(path, 0o710)
  let links: readonly string[] = []
  const clear = () => {
    for (const link of links) rmSync(link, { force: true })
    links = []
  }
  return {
    path,
    put: (file) => {
      const link = join(path, randomUUID())
      linkSync(file.path, link)
      links = [...links, link]
      openToSandbox(link, 0o640)
      return { ...file, path: link }
    },
    clear,
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** Started by root, a process is another user, who reads as a member of its group. The folders above stay closed to all others. */
function openToSandbox(path: string, mode: number): void {
  if (!isRoot()) return
  chownSync(path, 0, SANDBOX_UID)
  chmodSync(path, mode)
}
