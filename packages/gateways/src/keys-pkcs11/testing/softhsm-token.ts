// For the tests: a SoftHSM2 token of one's own, in a folder that is thrown away.

import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { KeysSettings } from "../keys.ts"

export type SofthsmToken = {
  readonly settings: KeysSettings
  readonly pin: string
  readonly folder: string
  /** The token vanishes, as a device does whose cable is pulled, and is plugged in again. */
  readonly goAway: () => void
  readonly comeBack: () => void
  readonly remove: () => void
}

const LABEL = "paraph test"
const PIN = "987654"

export function makeSofthsmToken(): SofthsmToken {
  const folder = mkdtempSync(join(tmpdir(), "paraph-keys-"))
  const tokens = join(folder, "tokens")
  const pinFile = join(folder, "pin")
  const env = { SOFTHSM2_CONF: join(folder, "softhsm2.conf") }
  mkdirSync(tokens)
  writeFileSync(
    env.SOFTHSM2_CONF,
    `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  )
  writeFileSync(pinFile, `${PIN}\n`)
  const pins = ["--so-pin", "12345678", "--pin", PIN]
  execFileSync("softhsm2-util", ["--init-token", "--free", "--label", LABEL, ...pins], { env, stdio: "pipe" })
  return {
    settings: { module: softhsmModule(), tokenLabel: LABEL, pinFile, env },
    pin: PIN,
    folder,
    goAway: () => {
      renameSync(tokens, `${tokens}-away`)
      mkdirSync(tokens)
    },
    comeBack: () => {
      rmSync(tokens, { recursive: true })
      renameSync(`${tokens}-away`, tokens)
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function softhsmModule(): string {
  const places = [
    "/usr/lib/softhsm",
    "/usr/lib64/softhsm",
    "/usr/local/lib/softhsm",
    "/opt/homebrew/lib/softhsm",
  ]
  const found = places.map((place) => join(place, "libsofthsm2.so")).find((path) => existsSync(path))
  if (found === undefined) throw new Error("No SoftHSM2 found (libsofthsm2.so). Run: npm run setup")
  return found
}
