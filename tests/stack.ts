// Vitest's global set-up: the real services, once per run, whichever projects take part in it.
import { resolve } from "node:path"
import type { TestProject } from "vitest/node"
import { type Lease, lease } from "../scripts/stack/lease.ts"
import { makeTemplate } from "../scripts/stack/template.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the running stack; its settings are in `env` there. */
    stackDir: string
  }
}

type Shared = { readonly lease: Promise<Lease>; readonly users: number }

// Each project loads this file anew, so what they share hangs on the one global object of the process.
const place = globalThis as { paraphStack?: Shared | undefined }

export async function setup(project: TestProject): Promise<void> {
  const dir = resolve(import.meta.dirname, "..", ".stack", "test")
  const before = place.paraphStack ?? { lease: leased(dir), users: 0 }
  place.paraphStack = { ...before, users: before.users + 1 }
  const { stack } = await before.lease
  project.provide("stackDir", stack.dir)
}

async function leased(dir: string): Promise<Lease> {
  const held = await lease(dir, { fast: true })
  await makeTemplate(held.stack)
  return held
}

export async function teardown(): Promise<void> {
  const shared = place.paraphStack
  if (!shared) return
  place.paraphStack = shared.users > 1 ? { ...shared, users: shared.users - 1 } : undefined
  if (shared.users === 1) await (await shared.lease).release()
}
