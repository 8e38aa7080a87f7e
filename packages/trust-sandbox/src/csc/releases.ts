// What people have released: exactly these hashes, by this credential, once, and not for long (EN 419 241-1, SCAL2).

import { randomBytes } from "node:crypto"
import { refusal } from "./refusal.ts"

export type Released = {
  readonly login: string
  readonly credentialId: string
  /** Base64, in the order in which they were shown. */
  readonly hashes: readonly string[]
}

export type Releases = {
  /** Under the name of a grant, or under a new one, which is the SAD. */
  readonly add: (released: Released, name?: string) => string
  /** Takes the release for good before anything is signed; a second one with the same name finds nothing. */
  readonly take: (name: string, wanted: Released) => void
  readonly secondsLeft: (name: string) => number
}

export function createReleases(now: () => Date, seconds: number, isOver: () => boolean): Releases {
  const open = new Map<string, Released & { readonly until: number }>()
  return {
    add: (released, name = randomBytes(32).toString("base64url")) => {
      open.set(name, { ...released, until: now().getTime() + seconds * 1000 })
      return name
    },
    take: (name, wanted) => {
      const found = open.get(name)
      if (found === undefined || found.login !== wanted.login) throw refusal("Invalid parameter SAD")
      if (isOver() || found.until <= now().getTime()) throw refusal("SAD expired")
      if (found.credentialId !== wanted.credentialId) throw refusal("Invalid parameter credentialID")
      if ([...found.hashes].sort().join() !== [...wanted.hashes].sort().join())
        throw refusal("Hash is not authorized by the SAD")
      open.delete(name)
    },
    secondsLeft: (name) => Math.max(0, Math.round(((open.get(name)?.until ?? 0) - now().getTime()) / 1000)),
  }
}
