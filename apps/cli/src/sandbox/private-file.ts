import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { chmod, rename, writeFile } from "node:fs/promises"

/** Whole or not at all, and for the owner's eyes only. */
export async function writePrivate(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content, { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, path)
}

/** What stands in the file; made once. */
export async function keptIn(path: string, make: () => string = () => randomBytes(24).toString("base64url")) {
  if (!existsSync(path)) await writePrivate(path, make())
  return readFileSync(path, "utf8")
}
