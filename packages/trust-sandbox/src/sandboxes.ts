// Several sandboxes behind one address and under one root, each with a clock of its own: `/now/tsa`, `/tomorrow/tsa`. So one
// process serves many services at once, some of which have been sent years ahead.

import { createHierarchy } from "./hierarchy.ts"
import { listen } from "./http.ts"
import type { World } from "./issuer.ts"
import { type Keep, keepIn, keepNothing } from "./keep.ts"
import { folderKeyring, memoryKeyring } from "./keyring.ts"
import { createRoutes, type Routes } from "./routes.ts"
import { randomSerialNumber } from "./serial-number.ts"

export type SandboxesOptions = {
  readonly port: number
  /** The keys, the root, and what the one named "now" has issued. Of the others nothing outlives the process. */
  readonly folder: string
  readonly clockOf: (name: string) => () => Date
}

export type Sandboxes = {
  /** DER. Never add it to a trust list. */
  readonly root: Uint8Array
  readonly url: string
  readonly close: () => Promise<void>
}

const ALGORITHM = "ecdsa-sha256"
const MAX_SANDBOXES = 10_000

export async function startSandboxes({ port, folder, clockOf }: SandboxesOptions): Promise<Sandboxes> {
  const keyring = folderKeyring(folder, ALGORITHM)
  const kept = keepIn(folder)
  const known = new Map<string, Promise<Routes>>()
  const { url, close } = await listen(port, async (asked) => {
    const [, name = "", rest = ""] = /^\/([a-z0-9_]{1,64})(\/.*)$/.exec(asked.path) ?? []
    const routes = name === "" ? undefined : await routesOf(name)
    return routes?.answer({ ...asked, path: rest }) ?? { status: 404 }
  })
  const create = async (name: string): Promise<Routes> => {
    const keep = name === "now" ? keptAt(kept, url) : underRoot(kept)
    const world: World = { url: `${url}/${name}`, now: clockOf(name), serialNumber: randomSerialNumber, keep }
    const hierarchy = await createHierarchy(keyring, world)
    return createRoutes(hierarchy, world, () =>
      createHierarchy(memoryKeyring(ALGORITHM), { ...world, keep: keepNothing() }),
    )
  }
  const routesOf = (name: string): Promise<Routes> | undefined => {
    const before = known.get(name)
    if (before !== undefined || known.size >= MAX_SANDBOXES) return before
    const made = create(name)
    known.set(name, made)
    return made
  }
  await routesOf("now")
  const root = await kept.certificate("root", () => Promise.reject(new Error("There is no root.")))
  return { root: root.der, url, close }
}

/** The address stands in what was issued: under another one, everything but the root is made anew. */
function keptAt(kept: Keep, url: string): Keep {
  const at = (name: string) => (name === "root" ? name : `${name}-${new URL(url).port}`)
  return {
    certificate: (name, make) => kept.certificate(at(name), make),
    register: (name) => kept.register(at(name)),
  }
}

function underRoot(kept: Keep): Keep {
  const nothing = keepNothing()
  const certificate: Keep["certificate"] = (name, make) =>
    (name === "root" ? kept : nothing).certificate(name, make)
  return { certificate, register: nothing.register }
}
