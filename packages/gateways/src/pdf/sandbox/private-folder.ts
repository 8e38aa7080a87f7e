// The one folder that a PDF process may read documents from. The parent makes it before the process starts, links the one sealed
// file into it for the time of a question, and removes it afterwards.

import { randomUUID } from "node:crypto"
import { chmodSync, chownSync, linkSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { SealedFile } from "@paraph/seal/file"
import { isRoot, SANDBOX_UID } from "./uid.ts"

export type PrivateFolder = {
  readonly path: string
  /**
   * Hard links the sealed file of a question, if it has one, and answers the question with the path of the link. An error where
   * there is no such file any more.
   */
  readonly give: (question: Question) => Question | Error
  /** Removes what was given. */
  readonly clear: () => void
  readonly remove: () => void
}

type Question = object & { readonly file?: SealedFile }

/** In the folder of the sealed files, because a hard link cannot lead to another file system. */
export function createPrivateFolder(folder: string): PrivateFolder {
  const path = join(folder, `process-${randomUUID()}`)
  mkdirSync(path, { mode: 0o700 })
  openToSandbox(path, 0o710)
  let links: readonly string[] = []
  const link = (file: SealedFile): SealedFile => {
    const one = join(path, randomUUID())
    linkSync(file.path, one)
    links = [...links, one]
    openToSandbox(one, 0o640)
    return { ...file, path: one }
  }
  const clear = () => {
    for (const one of links) rmSync(one, { force: true })
    links = []
  }
  return {
    path,
    give: (question) => {
      if (question.file === undefined) return question
      try {
        return { ...question, file: link(question.file) }
      } catch (cause) {
        // As the system says it: by its code (ENOSPC, ENOENT) the service tells a full disk from a fault.
        return cause instanceof Error ? cause : new Error("The sealed file could not be linked.", { cause })
      }
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
