// OpenSSL as a judge and as a peer, in a folder that is thrown away.

import { execFile } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Holder } from "./small-pki.ts"

export type OpenSsl = {
  /** Writes a file and gives its path. */
  readonly file: (name: string, content: Uint8Array | string) => Promise<string>
  readonly path: (name: string) => string
  readonly read: (name: string) => Promise<Uint8Array>
  readonly certificate: (name: string, der: Uint8Array) => Promise<string>
  readonly key: (name: string, holder: Pick<Holder, "privateKey">) => Promise<string>
  /** What it printed on both streams, and whether it was content. */
  readonly run: (...args: readonly string[]) => Promise<{ readonly ok: boolean; readonly text: string }>
  readonly remove: () => Promise<void>
}

export async function openssl(): Promise<OpenSsl> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-openssl-"))
  const path = (name: string) => join(folder, name)
  const file = async (name: string, content: Uint8Array | string) => {
    await writeFile(path(name), content)
    return path(name)
  }
  return {
    file,
    path,
    read: async (name) => new Uint8Array(await readFile(path(name))),
    certificate: (name, der) => file(name, new X509Certificate(der).toString()),
    key: (name, { privateKey }) => file(name, privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
    run: (...args) =>
      new Promise((resolve) => {
        execFile("openssl", [...args], (error, stdout, stderr) =>
          resolve({ ok: error === null, text: stdout + stderr }),
        )
      }),
    remove: () => rm(folder, { recursive: true }),
  }
}
