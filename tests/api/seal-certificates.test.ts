import { generateKeyPairSync } from "node:crypto"
import { toPem } from "@paraph/trust-sandbox/authority"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { sealersOf } from "../service/sealed.ts"
import { installSeal, requestSeal, type SealingService, startSealing } from "../service/sealing.ts"
import { stackSettings } from "../service/settings.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000
const content = contractPdf("An invoice.").toString("base64")

describe("the certificates of seals", { timeout: 600_000 }, () => {
  let service: SealingService
  let ahead = 0
  let sandbox: TrustSandbox
  beforeAll(async () => {
    sandbox = await startTrustSandbox({ now: () => new Date(Date.now() + ahead) })
    const hosts = [stackSettings().REVOCATION_ALLOWED_HOSTS, new URL(sandbox.url).host]
    service = await startSealing({ env: { REVOCATION_ALLOWED_HOSTS: hosts.filter(Boolean).join(",") } })
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await sandbox?.close()
  })

  const api = () => createApi(service.url, service.username, service.productionKey)
  const seal = async (name: string) => (await api()).post("/v2/seal", { content, account_name: name })
  const listed = async (name: string) =>
    (await (await api()).get("/v3/seals")).body.find(
      (one: { account_name: string }) => one.account_name === name,
    )
  const issued = async (publicKeySpki: Uint8Array, more: object = {}) => {
    const order = { commonName: "Acme Seal", organization: "Acme AG", publicKeySpki, ...more }
    return toPem(await sandbox.issue(order)) + toPem(sandbox.issuing) + toPem(sandbox.root)
  }

  it("by somebody else: what was asked for is taken, and nothing that does not hold", async () => {
    const key = await requestSeal(service, "bought", "--organization", "Acme AG")
    // Asked again it is about the same key; and until there is a certificate nothing is sealed with it.
    expect(await requestSeal(service, "bought")).toEqual(key)
    expect(await listed("bought")).toMatchObject({ status: "REQUESTED", valid_until: null })
    expect((await seal("bought")).status).toBe(400)
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const other = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
    const refused: [string, string][] = [
      [await issued(other), "another key"],
      [await issued(key, { organization: "Beta AG" }), "does not name Acme AG"],
      [await issued(key, { keyUsage: ["keyAgreement"] }), "not for signatures"],
      [await issued(key, { validDays: -1, standingDays: 9 }), "chain does not hold"],
      [
        toPem(await sandbox.issue({ commonName: "A", organization: "Acme AG", publicKeySpki: key })),
        "issuers",
      ],
    ]
    for (const [pem, told] of refused) await expect(installSeal(service, "bought", pem)).rejects.toThrow(told)
    const installed = await installSeal(service, "bought", await issued(key))
    expect(installed).toMatchObject({ state: "active", issuer: "outside" })
    const { body } = await seal("bought")
    const { bytes } = await (await api()).get(`/v2/documents/${body.document_id}/content`)
    expect(sealersOf(bytes)).toMatchObject([{ commonName: "Acme Seal", organization: "Acme AG" }])
  })

  it("of our own are renewed before they end, by a worker and on record; of others the operator is told in time", async () => {
    const before = await listed("main")
    ahead = 340 * DAY_MS
    service.moveClock(ahead)
    await until(
      "a second generation",
      async () => (await listed("main")).valid_until !== before.valid_until,
      300_000,
    )
    const log = `select shell_user from audit_log where act = 'seal certify' order by id desc limit 1`
    expect(await service.sql(log)).toBe("worker")
    const { body } = await seal("main")
    const { bytes } = await (await api()).get(`/v2/documents/${body.document_id}/content`)
    expect(sealersOf(bytes)).toMatchObject([{ commonName: "Acme AG" }])
    await until("the operator is told", () =>
      /seal \\"bought\\" of business .* ends on .*: paraph seal request/.test(service.worker.log()),
    )
    const old = await listed("bought")
    await installSeal(service, "bought", await issued(await requestSeal(service, "bought")))
    expect((await listed("bought")).valid_until > old.valid_until).toBe(true)
    expect((await seal("bought")).status).toBe(200)
  })
})
