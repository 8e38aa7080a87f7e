// The signature protocol as the service answers it: PDF/A-3a by veraPDF although it is sealed and carries a file, and B-LTA by EU
// DSS and pyHanko, offline, with the roots of the time-stamping authority and of the built-in authority as their only anchors.

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toPem } from "@paraph/trust-sandbox/authority"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { passkeyHolder, signAdvanced } from "../service/release.ts"
import { createRequest, newAddress, sentTo, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { startTrust, type Trust } from "../service/trust.ts"
import { until } from "../service/until.ts"
import { dss, pyhanko, qpdfFaults, verapdf } from "./judges.ts"
import { dssFaults, pyhankoFaults } from "./level-faults.ts"

describe("the sealed signature protocol", { timeout: 300_000 }, () => {
  let folder = ""
  let trust: Trust
  let service: Service
  const roots: string[] = []
  const made: { readonly file: string; readonly id: string }[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "paraph-protocol-"))
    trust = await startTrust()
    service = await startService({ env: { ...trust.env, SEAL_WAIT_SECONDS: "120" } })
    roots.push(trust.rootFile)
    for (const kind of ["demo", "production"]) {
      const answer = await fetch(`${service.url}/pki/${kind}/root-1.cer`)
      const file = join(folder, `${kind}.pem`)
      await writeFile(file, toPem(new Uint8Array(await answer.arrayBuffer())))
      roots.push(file)
    }
    const { caller } = service
    const production = await createApi(service.url, service.username, service.productionKey)
    const requests = [
      [caller, await signedByTwo(caller)],
      [production, await signedByOne(production)],
      [caller, await declined(caller)],
      [caller, (await createRequest(caller, "v3", await uploadTo(caller, "v3"))).body.id],
    ] as const
    for (const [api, id] of requests) made.push(...(await protocolsOf(api, id)))
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await trust?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const isNow = (api: Api, id: string, status: string) =>
    until(`it is ${status}`, async () => {
      const { body } = await api.get(`/v3/signature-requests/${id}`)
      return body.status_overall === status
    })

  /** The one with a passkey and the other, with names in several scripts. */
  const signedByTwo = async (api: Api): Promise<string> => {
    const emails = [newAddress("grace"), newAddress("sofia")]
    const [first = "", second = ""] = emails
    const holder = await passkeyHolder(service, first, "Grace Hopper")
    const other = await passkeyHolder(service, second, "Żofia Ковалевская")
    const { id } = await sentTo(api, "v3", emails, { quality: "AES", title: "Lease of the workshop, 2027" })
    await signAdvanced(service, first, holder)
    await until("it is the other one's turn", async () => {
      const { body } = await api.get(`/v3/signature-requests/${id}/report?type=JSON`)
      return body.protocol.people[0].state === "signed"
    })
    await signAdvanced(service, second, other)
    await isNow(api, id, "SIGNED")
    return id
  }

  const signedByOne = async (api: Api): Promise<string> => {
    const email = newAddress("rosa")
    const { id } = await sentTo(api, "v3", [email])
    await (await openSession(service.url, await linkMailedTo(email))).press("Rosa Luxemburg")
    await isNow(api, id, "SIGNED")
    return id
  }

  const declined = async (api: Api): Promise<string> => {
    const email = newAddress("noah")
    const { id } = await sentTo(api, "v3", [email])
    await (await openSession(service.url, await linkMailedTo(email))).decline("The sum is wrong.\u202e\n")
    await isNow(api, id, "DECLINED")
    return id
  }

  const protocolsOf = (api: Api, id: string) =>
    Promise.all(
      ["en", "de", "fr", "it"].map(async (lang) => {
        const answer = await api.get(`/v3/signature-requests/${id}/report?lang=${lang}`)
        expect([lang, answer.status]).toEqual([lang, 200])
        const file = join(folder, `${id}-${lang}.pdf`)
        await writeFile(file, answer.bytes)
        return { file, id }
      }),
    )

  it("is PDF/A-3a, in every language, and without fault for qpdf", async () => {
    expect(made).toHaveLength(16)
    const verdicts = await verapdf(made.map(({ file }) => file))
    for (const { file } of made) {
      expect(verdicts.get(file)).toEqual({ file, flavour: "3a", compliant: true, failed: [] })
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
