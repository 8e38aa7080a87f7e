// What a company seals with this service: B-LTA at once, by EU DSS and pyHanko, offline, with the roots of the time-stamping
// authority and of the built-in authority as their only anchors; and PDF/A stays PDF/A, by veraPDF.

import { readdirSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toPem } from "@paraph/trust-sandbox/authority"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { block } from "../service/pictures.ts"
import { sealersOf } from "../service/sealed.ts"
import {
  createSeal,
  installSeal,
  requestSeal,
  type SealingService,
  startSealing,
} from "../service/sealing.ts"
import { startTrust, type Trust } from "../service/trust.ts"
import { dss, pyhanko, verapdf } from "./judges.ts"
import { dssFaults, pyhankoFaults } from "./level-faults.ts"

const corpora = process.env.PARAPH_CORPORA

describe("a sealed document", { timeout: 300_000 }, () => {
  let folder = ""
  let trust: Trust
  let service: SealingService
  const roots: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "paraph-seals-"))
    trust = await startTrust()
    service = await startSealing({ env: { ...trust.env, SEAL_WAIT_SECONDS: "120" } })
    roots.push(trust.rootFile)
    for (const kind of ["demo", "production"]) {
      const answer = await fetch(`${service.url}/pki/${kind}/root-1.cer`)
      const file = join(folder, `${kind}.pem`)
      await writeFile(file, toPem(new Uint8Array(await answer.arrayBuffer())))
      roots.push(file)
    }
    await createSeal(service, "rsa", "--key", "RSA-3072")
    const company = { organization: "Acme AG", country: "CH" }
    const publicKeySpki = await requestSeal(service, "bought", "--organization", "Acme AG", "--country", "CH")
    const { sandbox } = trust
    const bought = await sandbox.issue({ commonName: "Acme AG Seal", ...company, publicKeySpki })
    await installSeal(service, "bought", toPem(bought) + toPem(sandbox.issuing) + toPem(sandbox.root))
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await trust?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const sealed = async (api: Api, name: string, pdf: Buffer, more: object = {}): Promise<string> => {
    const answer = await api.post("/v2/seal", { content: pdf.toString("base64"), ...more })
    expect([name, answer.status, answer.body.message]).toEqual([name, 200, undefined])
    const file = join(folder, `${name}.pdf`)
    await writeFile(file, (await api.get(`/v2/documents/${answer.body.document_id}/content`)).bytes)
    return file
  }
  const position = { page: "0", x: 300, y: 60, width: 180, height: 70 }
  const image = { content_type: "image/png", content: block(120, 60, [160, 0, 0]).toString("base64") }

  it("[SEAL-01] is B-LTA at once: TOTAL-PASSED, now and in five years, whoever issued its certificate", async () => {
    const pdf = contractPdf("For the archive.", 2)
    const { production, caller } = service
    const files = [
      await sealed(production, "plain", pdf),
      await sealed(production, "image", pdf, { visual_signature: { position, image } }),
      await sealed(production, "rsa", pdf, { account_name: "rsa", visual_signature: { position } }),
      await sealed(production, "bought", pdf, { account_name: "bought" }),
      await sealed(caller, "demo", pdf, { visual_signature: { position } }),
    ]
    // Somebody else's seal upon ours, as when a document goes on.
    const twice = await sealed(production, "twice", await readFile(files[0] ?? ""), { account_name: "rsa" })
    const byDss = await dss({ anchors: roots }, files)
    // By then the company's certificate has ended, and its authority, which lives six years, has not: pyHanko knows of no past
    // in which an authority between was alive.
    const byPyhanko = await pyhanko(roots, files, { levels: true, laterYears: 5 })
    for (const file of files) {
      const fields = sealersOf(await readFile(file)).map(({ field }) => field)
      const claim = { level: "B-LTA", fields } as const
      expect([file, dssFaults(claim, byDss.get(file))]).toEqual([file, []])
      expect([file, pyhankoFaults(claim, byPyhanko.get(file))]).toEqual([file, []])
    }
    const verdict = (await dss({ anchors: roots }, [twice])).get(twice)
    expect(verdict?.signatures?.map(({ indication }) => indication)).toEqual(["TOTAL_PASSED", "TOTAL_PASSED"])
  })

  it.skipIf(corpora === undefined)(
    "[DOC-15] PDF/A stays PDF/A when it is sealed, seen or not, by veraPDF",
    async () => {
      const made = new Map<string, string>()
      for (const [n, file] of oneOfEachFlavour().entries()) {
        const pdf = await readFile(file)
        const shown = { visual_signature: { position: { ...position, x: 20, y: 20 }, image } }
        made.set(await sealed(service.production, `unseen-${n}`, pdf), file)
        made.set(await sealed(service.production, `seen-${n}`, pdf, shown), file)
      }
      expect(made.size).toBeGreaterThan(8)
      const verdicts = await verapdf([...made.keys()])
      for (const [path, file] of made) {
        const { flavour, compliant, error } = verdicts.get(path) ?? { error: "no verdict" }
        expect([path, file, error ?? `PDF_A-${flavour}`, compliant]).toEqual([
          path,
          file,
          flavourOf(file),
          true,
        ])
      }
    },
  )
})

const flavourOf = (file: string): string | undefined => /PDF_A-\d\w/.exec(file)?.[0]

function oneOfEachFlavour(): readonly string[] {
  const files = readdirSync(join(corpora ?? "", "pdfa"), { recursive: true, withFileTypes: true })
    .filter((file) => /\.pdf$/i.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .sort()
  return [...new Set(files.map(flavourOf))].map(
    (flavour) => files.find((f) => flavourOf(f) === flavour) ?? "",
  )
}
