// The engine of the page that checks without us, with its own cryptography, against the same sources on Node's (ADR 0054):
// whatever the file, both say the same, word for word.

import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import type { Verified } from "@paraph/verifying/verified"
import { type Given, verifyFiles } from "@paraph/verifying/verify"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle } from "../../apps/verify/src/build/bundle.ts"
import { later, type ToldWorld, toldWorld } from "../../packages/verifying/src/testing/told-world.ts"

const ENGINE = resolve(import.meta.dirname, "../../apps/verify/src/engine.ts")
const corpora = process.env.PARAPH_CORPORA
const NOW = new Date("2026-11-16T12:00:00Z")
const MAX_BYTES = 3_000_000

type Engine = {
  readonly verifyHere: (given: Given) => Promise<Verified & { unknownCurves: readonly string[] }>
}

let folder: string
let page: Engine
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paraph-engine-"))
  const file = join(folder, "engine.mjs")
  writeFileSync(file, await bundle(ENGINE, "esm"))
  page = (await import(file)) as Engine
})
afterAll(() => rmSync(folder, { recursive: true }))

async function both(given: Given) {
  const [{ unknownCurves, ...here }, there] = [await page.verifyHere(given), await verifyFiles(given)]
  return { here, there, unknownCurves }
}

describe("the engine of the page", () => {
  let told: ToldWorld
  beforeAll(async () => {
    told = await toldWorld()
  })

  it("says of a contract, its report and its story what Node says", async () => {
    const files = [
      { name: "contract.pdf", bytes: told.contract },
      { name: "report.pdf", bytes: told.report },
    ]
    const given = { files, logKeys: [told.key], trusted: [readCertificate(told.root)], now: later(3) }
    const { here, there } = await both(given)
    expect(there.standing).toBe("holds")
    expect(here).toEqual(there)
  })

  it("and of a contract in which something was changed", async () => {
    for (let at = 20; at < told.contract.length; at += 1999) {
      const bytes = Uint8Array.from(told.contract)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      const given = {
        files: [{ name: "a.pdf", bytes }],
        trusted: [readCertificate(told.root)],
        now: later(3),
      }
      const { here, there } = await both(given)
      expect(here, String(at)).toEqual(there)
    }
  })
})

describe.runIf(corpora !== undefined)("other people's files", () => {
  it.each([
    ["dss/**/*.pdf", 150],
    ["pyhanko/**/*.pdf", 20],
    ["shadow-attacks/**/*.pdf", 5],
    ["pdf101/**/*.pdf", 0],
    ["pdfa/**/*.pdf", 0],
  ])(
    "%s: both engines say the same",
    async (pattern, leastSigned) => {
      let signed = 0
      let passed = 0
      for (const path of globSync(pattern, { cwd: corpora ?? "" })) {
        const file = join(corpora ?? "", path)
        if (statSync(file).size > MAX_BYTES) continue
        const files = [{ name: "a.pdf", bytes: new Uint8Array(readFileSync(file)) }]
        const { here, there, unknownCurves } = await both({ files, now: NOW })
        expect({ path, ...here }).toEqual({ path, ...there })
        expect(unknownCurves, path).toEqual([])
        const [document] = there.documents
        if ((document?.report?.signatures.length ?? 0) === 0) continue
        signed += 1
        // With somebody to trust, every certificate and every answer of the chain is verified too.
        const trusted = rootsIn(there)
        const again = await both({ files, trusted, now: NOW })
        expect({ path, ...again.here }).toEqual({ path, ...again.there })
        if (again.there.documents[0]?.report?.signatures.some(({ chain }) => chain?.isAnchored)) passed += 1
      }
      expect(signed).toBeGreaterThanOrEqual(leastSigned)
      expect(passed).toBeGreaterThanOrEqual(Math.floor(leastSigned / 2))
    },
    300_000,
  )
})

/** The ends of the chains that the file itself brings along: nobody to rely on, but somebody to begin with. */
function rootsIn({ documents }: Verified): readonly Certificate[] {
  const values = documents.flatMap(({ report }) => report?.certificates ?? [])
  const certificates = values.map(({ der }) => readCertificate(Buffer.from(der, "base64")))
  const own = certificates.filter(({ subject, issuer }) => Buffer.compare(subject, issuer) === 0)
  return own.length > 0 ? own : certificates.slice(-1)
}
