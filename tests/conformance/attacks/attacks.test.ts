// The generator itself: its attacks are many, different, made from documents that are rightly signed, and to be seen where
// they have to be. What a judge says of them is another test's.

import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SERVICE } from "@paraph/core/fair-share/owner"
import { createPdfRooms } from "@paraph/gateways/pdf"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pdfsig } from "../judges.ts"
import { sealedFile } from "../sealed-file.ts"
import { type AttackClass, type Attacks, makeAttacks } from "./make.ts"

const CLASSES: Readonly<Record<AttackClass, number>> = {
  USF: 60,
  ISA: 60,
  SWA: 60,
  "shadow-hide": 30,
  "shadow-replace": 30,
  "shadow-hide-and-replace": 30,
  EAA: 150,
  SSA: 80,
  "spoofed-dictionary": 30,
  "value-against-appearance": 30,
  form: 30,
  "font-swap": 30,
  "image-swap": 30,
  "content-swap": 30,
  page: 30,
  layers: 30,
  action: 30,
  document: 30,
  structure: 30,
  "security-store": 30,
  timestamp: 30,
  certification: 30,
}

const folder = mkdtempSync(join(tmpdir(), "paraph-attacks-"))
let sandbox: TrustSandbox
let made: Attacks
let tookMs = 0

beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
  const start = process.cpuUsage()
  made = await makeAttacks(sandbox)
  const { user, system } = process.cpuUsage(start)
  tookMs = (user + system) / 1000
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

describe("the attacks", () => {
  it("are more than 500, of every class, and made within a minute", () => {
    const byClass = Object.groupBy(made.attacks, (attack) => attack.class)
    const counts = Object.entries(byClass).map(([name, list]) => `${name} ${list?.length}`)
    process.stdout.write(`${made.attacks.length} attacks in ${Math.round(tookMs)} ms: ${counts.join(", ")}\n`)
    expect(made.attacks.length).toBeGreaterThan(500)
    for (const [name, least] of Object.entries(CLASSES))
      expect(byClass[name as AttackClass]?.length ?? 0, name).toBeGreaterThanOrEqual(least)
    expect(tookMs).toBeLessThan(60_000)
  })

  it("are no two the same, nor called the same", () => {
    const { attacks, bases } = made
    const files = [...attacks, ...bases].map(({ bytes }) => createHash("sha256").update(bytes).digest("hex"))
    expect(new Set(files).size).toBe(files.length)
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
  })

  it("begin with the document that was signed, or with what precedes its signature", () => {
    const bases = new Map(made.bases.map((base) => [base.name, base]))
    for (const { name, how, base: of, bytes } of made.attacks) {
      const base = bases.get(of)
      if (base === undefined) throw new Error(`${of} is no base.`)
      const range = base.bytes.lastIndexOf("/ByteRange", base.signature.range[1])
      const length = how === "appended" ? base.bytes.length : range
      expect(base.bytes.subarray(0, length).equals(bytes.subarray(0, length)), name).toBe(true)
      if (how === "appended") expect(bytes.length, name).toBeGreaterThan(base.bytes.length)
    }
  })

  it("reach every permission, both kinds of cross-reference, both levels, one signature and two", () => {
    const bases = made.bases.filter(({ name }) => made.attacks.some(({ base }) => base === name))
    const all = <T>(pick: (base: (typeof bases)[number]) => T) => new Set(bases.map(pick))
    expect(all(({ certified }) => certified)).toEqual(new Set(["none", 1, 2, 3]))
    expect(all(({ xref }) => xref)).toEqual(new Set(["table", "stream"]))
    expect(all(({ level }) => level)).toEqual(new Set(["B-B", "B-LTA"]))
    expect(all(({ signatures }) => signatures)).toEqual(new Set([1, 2]))
    expect(all(({ visible }) => visible)).toEqual(new Set([true, false]))
    for (const kind of ["EAA", "SSA"] as const) {
      const byTechnique = Object.groupBy(
        made.attacks.filter((attack) => attack.class === kind),
        ({ technique }) => technique,
      )
      for (const [name, list = []] of Object.entries(byTechnique))
        expect(new Set(list.map(({ level }) => level)), name).toEqual(new Set(["none", 1, 2, 3]))
    }
  })

  it("are upon documents whose signatures are right", async () => {
    for (const [i, { bytes, name, signatures }] of made.bases.entries()) {
      const file = join(folder, `${i}.pdf`)
      writeFileSync(file, bytes)
      const verdicts = [...(await pdfsig(file)).values()]
      expect(
        verdicts.filter((verdict) => verdict === "Signature is Valid."),
        name,
      ).toHaveLength(signatures)
    }
  })

  it("that have to be seen are seen, and none of the documents looks different from itself", async () => {
    const rooms = createPdfRooms({ folder, wallMs: 120_000, warmComparing: 2 })
    const looksDifferent = async (bytes: Uint8Array, before: number): Promise<boolean> => {
      const compared = await rooms.compare(await sealedFile(folder, bytes), SERVICE, {
        before,
        pages: "all",
        maxPictures: 0,
      })
      expect(compared.complete).toBe(true)
      return compared.pages.some(({ different }) => different)
    }
    const visual = made.attacks.filter(({ expected }) => expected === "visual")
    expect(visual.length).toBeGreaterThan(50)
    const left = visual.values()
    const hand = async () => {
      for (const { bytes, signedBytes, name } of left)
        expect(await looksDifferent(bytes, signedBytes), name).toBe(true)
    }
    await Promise.all([hand(), hand()])
    for (const { bytes, name } of made.bases)
      expect(await looksDifferent(bytes, bytes.length), name).toBe(false)
    await rooms.close()
  }, 600_000)
})
