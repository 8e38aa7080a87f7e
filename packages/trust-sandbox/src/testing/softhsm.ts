// For the tests: a SoftHSM2 token in a folder that is thrown away.

import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { KeysSettings } from "@paraph/gateways/keys"

const PLACES = [
  "/usr/lib/softhsm",
  "/usr/lib64/softhsm",
  "/usr/local/lib/softhsm",
  "/opt/homebrew/lib/softhsm",
]

export function makeToken(): { readonly settings: KeysSettings; readonly remove: () => void } {
  const module = PLACES.map((place) => join(place, "libsofthsm2.so")).find((path) => existsSync(path))
  if (module === undefined) throw new Error("No SoftHSM2 found (libsofthsm2.so). Run: npm run setup")
  const folder = mkdtempSync(join(tmpdir(), "paraph-sandbox-"))
  const env = { SOFTHSM2_CONF: join(folder, "softhsm2.conf") }
  const pinFile = join(folder, "pin")
  mkdirSync(join(folder, "tokens"))
  writeFileSync(env.SOFTHSM2_CONF, `directories.tokendir = ${join(folder, "tokens")}\nlog.level = ERROR\n`)
  writeFileSync(pinFile, "987654")
  const pins = ["--so-pin", "12345678", "--pin", "987654"]
  execFileSync("softhsm2-util", ["--init-token", "--free", "--label", "sandbox", ...pins], {
    env,
    stdio: "pipe",
  })
  return {
    settings: { module, tokenLabel: "sandbox", pinFile, env },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
