// The report for people as the service answers it: PDF/A-2a by veraPDF although it is sealed, and B-LTA by EU DSS and pyHanko,
// offline, with the roots of the time-stamping authority and of the built-in authority as their only anchors.

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toPem } from "@paraph/trust-sandbox/authority"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api } from "../../service/api.ts"
import { contractPdf } from "../../service/pdf.ts"
import { type SealingService, startSealing } from "../../service/sealing.ts"
import { startTrust, type Trust } from "../../service/trust.ts"
import { AT, changedAfterwards, sealed, validate } from "../../service/validation.ts"
import { dss, pyhanko, qpdfFaults, verapdf } from "../judges.ts"
import { dssFaults, pyhankoFaults } from "../level-faults.ts"

describe("the sealed report of a validation", { timeout: 300_000 }, () => {
  let folder = ""
  let trust: Trust
  let service: SealingService
  const roots: string[] = []
  const made: { readonly file: string; readonly id: string }[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "paraph-sealed-report-"))
    trust = await startTrust()
    service = await startSealing({ validation: true, env: { ...trust.env, SEAL_WAIT_SECONDS: "120" } })
    roots.push(trust.rootFile)
    for (const kind of ["demo", "production"]) {
      const answer = await fetch(`${service.url}/pki/${kind}/root-1.cer`)
      const file = join(folder, `${kind}.pem`)
      await writeFile(file, toPem(new Uint8Array(await answer.arrayBuffer())))
      roots.push(file)
    }
    const { caller, production } = service
    const signed = await sealed(caller, contractPdf("A contract."))
    const judged = [
      [caller, signed],
      [caller, changedAfterwards(signed, "Another sum.")],
      [caller, contractPdf("Signed by nobody.")],
      [production, await sealed(production, contractPdf("In earnest."))],
    ] as const
    for (const [api, pdf] of judged) made.push(...(await reportsOn(api, pdf)))
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await trust?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const reportsOn = async (api: Api, pdf: Buffer) => {
    const { id } = (await validate(api, pdf)).body
    return Promise.all(
      ["en", "de", "fr", "it"].map(async (lang) => {
        const answer = await api.get(`${AT}/reports/${id}/pdf?lang=${lang}`)
        expect([lang, answer.status]).toEqual([lang, 200])
        const file = join(folder, `${id}-${lang}.pdf`)
        await writeFile(file, answer.bytes)
        return { file, id }
      }),
    )
  }

  it("is PDF/A-2a, in every language, and without fault for qpdf", async () => {
    expect(made).toHaveLength(16)
    const verdicts = await verapdf(made.map(({ file }) => file))
    for (const { file } of made) {
      expect(verdicts.get(file)).toEqual({ file, flavour: "2a", compliant: true, failed: [] })
      expect(await qpdfFaults(file)).toBe("")
    }
  })

  it("is B-LTA: TOTAL-PASSED, now and in five years", async () => {
    const files = made.map(({ file }) => file)
    const byDss = await dss({ anchors: roots }, files)
    const byPyhanko = await pyhanko(roots, files, { levels: true, laterYears: 5 })
    for (const { file, id } of made) {
      const claim = { level: "B-LTA", fields: [`Paraph-${id}`] } as const
      expect([file, dssFaults(claim, byDss.get(file))]).toEqual([file, []])
      expect([file, pyhankoFaults(claim, byPyhanko.get(file))]).toEqual([file, []])
    }
  })
})
