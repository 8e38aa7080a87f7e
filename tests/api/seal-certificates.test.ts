import { generateKeyPairSync } from "node:crypto"
import { toPem } from "@paraph/trust-sandbox/authority"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { sealersOf } from "../service/sealed.ts"
import { installSeal, printed, type SealingService, startSealing } from "../service/sealing.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000
const content = contractPdf("An invoice.").toString("base64")

describe("the certificates of seals", { timeout: 180_000 }, () => {
  let service: SealingService
  let ahead = 0
  let sandbox: TrustSandbox
  beforeAll(async () => {
    sandbox = await startTrustSandbox({ now: () => new Date(Date.now() + ahead) })
    service = await startSealing()
  }, 240_000)
  afterAll(async () => {
    await service?.close()
    await sandbox?.close()
  })

  const which = (name: string) => ["--business", service.business, "--kind", "production", "--name", name]
  const api = () => createApi(service.url, service.username, service.productionKey)
  const seal = async (name: string) => (await api()).post("/v2/seal", { content, account_name: name })
  const listed = async (name: string) =>
    (await (await api()).get("/v3/seals")).body.find(
      (one: { account_name: string }) => one.account_name === name,
    )
  const issued =
    (more: object = {}) =>
    async (publicKeySpki: Uint8Array) => {
      const order = { commonName: "Acme Seal", organization: "Acme AG", publicKeySpki, ...more }
      return toPem(await sandbox.issue(order)) + toPem(sandbox.issuing) + toPem(sandbox.root)
    }

  it("by somebody else: what was asked for is taken, and nothing that does not hold", async () => {
    const company = ["--organization", "Acme AG"]
    const first = await printed(service, "seal", "request", ...which("bought"), ...company)
    expect(first).toContain("-----BEGIN CERTIFICATE REQUEST-----")
    // Asked again it is about the same key; and until there is a certificate nothing is sealed with it.
    const install = (issue: Parameters<typeof installSeal>[2]) =>
      installSeal(service, "bought", issue, { isNew: false })
    const other = new Uint8Array(
      generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "der" }),
    )
    expect(await listed("bought")).toMatchObject({ status: "REQUESTED", valid_until: null })
    expect((await seal("bought")).status).toBe(400)
    await expect(install(() => issued()(other))).rejects.toThrow("another key")
    await expect(install(issued({ organization: "Beta AG" }))).rejects.toThrow("does not name Acme AG")
    await expect(install(issued({ keyUsage: ["keyAgreement"] }))).rejects.toThrow("not for signatures")
    await expect(install(issued({ validDays: -1, standingDays: 9 }))).rejects.toThrow("chain does not hold")
    await expect(
      install(async (spki) =>
        toPem(await sandbox.issue({ commonName: "A", organization: "Acme AG", publicKeySpki: spki })),
      ),
    ).rejects.toThrow("issuers are missing")
    expect(await install(issued())).toMatchObject({ state: "active", issuer: "outside" })
    const { body } = await seal("bought")
    const { bytes } = await (await api()).get(`/v2/documents/${body.document_id}/content`)
    expect(sealersOf(bytes)).toMatchObject([{ commonName: "Acme Seal", organization: "Acme AG" }])
    await expect(install(issued())).rejects.toThrow()
  })

  it("of our own are renewed before they end, by a worker and on record; of others the operator is told in time", async () => {
    const before = await listed("main")
    ahead = 340 * DAY_MS
    service.moveClock(ahead)
    await until(
      "a second generation",
      async () => (await listed("main")).valid_until !== before.valid_until,
      60_000,
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
    await installSeal(service, "bought", issued(), { isNew: false })
    expect((await listed("bought")).valid_until > old.valid_until).toBe(true)
    expect((await seal("bought")).status).toBe(200)
  })

  it("refuses in words what cannot be meant", async () => {
    const refused = [
      [
        ["seal", "create", ...which("x"), "--organization", "A", "--identifier", "123"],
        "NTRCH-CHE-123.456.789",
      ],
      [
        ["seal", "create", ...which("x"), "--organization", "A", "--country", "Schweiz"],
        "two capital letters",
      ],
      [["seal", "create", ...which("x"), "--organization", "A", "--key", "RSA-1024"], "--key is"],
      [["seal", "create", ...which("main"), "--organization", "A"], "already"],
      [["seal", "end", ...which("nobody")], "no seal of this name"],
      [["seal", "install", ...which("main"), "--file", "/nowhere.pem"], "cannot be read"],
      [["seal", "request", ...which("main")], "own authority"],
      [["seal", "melt"], "create, request, install, list, end"],
    ] as const
    for (const [words, told] of refused) await expect(service.paraph(...words)).rejects.toThrow(told)
  })
})
