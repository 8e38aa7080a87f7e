import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { createOwnDatabase, type OwnDatabase } from "../testing/own-database.ts"
import { openDatabase } from "./database.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-passfile-"))
const passfile = join(folder, "pgpass")
let owned: OwnDatabase

beforeAll(async () => {
  owned = await createOwnDatabase({ migrated: false })
  vi.stubEnv("PGPASSFILE", passfile)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await owned.close()
  rmSync(folder, { recursive: true })
})

const writes = (password: string) => writeFileSync(passfile, `*:*:*:*:${password}\n`, { mode: 0o600 })

/** Opens a connection by an address without a password, and asks one question. */
async function connects(): Promise<boolean> {
  const url = Object.assign(new URL(owned.url), { password: "" }).href
  const { serviceDb, close } = openDatabase(url, { max: 1, name: "paraph-test" })
  try {
    await sql`select 1`.execute(serviceDb)
    return true
  } catch {
    return false
  } finally {
    await close()
  }
}

it("[13.2.1] each new connection to PostgreSQL reads the password file, so that a password can be replaced", async () => {
  const password = decodeURIComponent(new URL(owned.url).password)
  expect(password).not.toBe("")
  for (const [written, expected] of [
    ["another", false],
    [password, true],
    ["another", false],
  ] as const) {
    writes(written)
    expect(await connects()).toBe(expected)
  }
})
