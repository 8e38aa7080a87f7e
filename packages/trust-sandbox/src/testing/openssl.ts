// For the tests: OpenSSL, which judges what the sandbox answers, with a folder of its own for files.

import { execFile } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

export type Openssl = {
  /** What it printed on both streams, and whether it ended well. */
  readonly run: (...args: string[]) => Promise<{ readonly ok: boolean; readonly said: string }>
  readonly file: (bytes: Uint8Array | string) => Promise<string>
  /** One file with all of the certificates, as PEM. */
  readonly pem: (...certificates: readonly Uint8Array[]) => Promise<string>
  readonly remove: () => Promise<void>
}

export async function makeOpenssl(): Promise<Openssl> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-openssl-"))
  let files = 0
  const file = async (bytes: Uint8Array | string) => {
    files += 1
    const path = join(folder, String(files))
    await writeFile(path, bytes)
    return path
  }
  return {
    // Without the caller's environment: a proxy that is set there would be asked for 127.0.0.1 too.
    run: (...args) =>
      run("openssl", args, { env: { PATH: process.env.PATH ?? "" } }).then(
        ({ stdout, stderr }) => ({ ok: true, said: stdout + stderr }),
        ({ stdout, stderr }) => ({ ok: false, said: `${stdout}${stderr}` }),
      ),
    file,
    pem: (...certificates) => file(certificates.map((der) => new X509Certificate(der).toString()).join("")),
    remove: () => rm(folder, { recursive: true }),
  }
}
