// What outlives a sandbox that is given a folder: the certificates of its authorities, and the registers of what they
// issued and revoked. Of any other nothing is left.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import type { RevocationReason } from "@paraph/pki/revocation-reason"

export type Revocation = { readonly at: Date; readonly reason: Exclude<RevocationReason, "removeFromCRL"> }

export type Register = {
  /** Every certificate that was issued, and its revocation if it has one. */
  readonly known: ReadonlyMap<bigint, Revocation | null>
  readonly note: (serialNumber: bigint, revocation: Revocation | null) => void
}

export type Keep = {
  /** The certificate of that name; made where there is none yet. */
  readonly certificate: (name: string, make: () => Promise<Certificate>) => Promise<Certificate>
  readonly register: (name: string) => Register
}

export function keepNothing(): Keep {
  return { certificate: (_, make) => make(), register: () => registerOf(new Map(), () => undefined) }
}

export function keepIn(folder: string): Keep {
  mkdirSync(folder, { recursive: true })
  return {
    certificate: async (name, make) => {
      const file = join(folder, `${name}.crt`)
      if (existsSync(file)) return readCertificate(new Uint8Array(readFileSync(file)))
      const made = await make()
      writeFileSync(file, made.der)
      return made
    },
    register: (name) => {
      const file = join(folder, `${name}.register`)
      const text = existsSync(file) ? readFileSync(file, "utf8") : ""
      // What stands behind the last line end was cut short by a crash, before anybody was told of it.
      const whole = text.slice(0, text.lastIndexOf("\n") + 1)
      if (whole !== text) writeFileSync(file, whole)
      const lines = whole.split("\n").slice(0, -1)
      return registerOf(new Map(lines.map(readLine)), (line) => appendFileSync(file, line))
    },
  }
}

function registerOf(known: Map<bigint, Revocation | null>, append: (line: string) => void): Register {
  return {
    known,
    note: (serialNumber, revocation) => {
      append(`${[serialNumber, revocation?.at.toISOString(), revocation?.reason].join(" ").trimEnd()}\n`)
      known.set(serialNumber, revocation)
    },
  }
}

function readLine(line: string): [bigint, Revocation | null] {
  const [serialNumber = "", at, reason] = line.split(" ")
  const revocation = at === undefined ? null : { at: new Date(at), reason: reason as Revocation["reason"] }
  return [BigInt(serialNumber), revocation]
}
