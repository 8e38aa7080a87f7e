import { startKeys } from "@paraph/gateways/keys"
import { readCertificate } from "@paraph/pki/certificate"
import { ocspRequest } from "@paraph/pki/ocsp"
import { readOcspResponse } from "@paraph/pki/ocsp-response"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { templateOf } from "../../scripts/stack/template.ts"
import { type Api, createApi } from "../service/api.ts"
import { judge, type Verdict } from "../service/judges.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { sharedStack } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

const KINDS = ["demo", "production"] as const
type Kind = (typeof KINDS)[number]
const otherOf = (kind: Kind): Kind => (kind === "demo" ? "production" : "demo")

// Security, T26: what is made for trying out must be worth nothing anywhere else. That no key of one kind reaches a thing of the
// other is walked through, operation by operation, in authorisation.test.ts.
describe("demo and production", () => {
  let service: Service
  const apis = new Map<Kind, Api>()
  beforeAll(async () => {
    service = await startService()
    apis.set("demo", service.caller)
    apis.set("production", await createApi(service.url, service.username, service.productionKey))
  })
  afterAll(() => service?.close())

  const apiOf = (kind: Kind): Api => {
    const api = apis.get(kind)
    if (api === undefined) throw new Error("Nobody has logged in.")
    return api
  }
  async function signed(kind: Kind): Promise<Buffer> {
    const who = newAddress(kind)
    const { body } = await apiOf(kind).post("/v2/signature-requests", {
      title: "Contract",
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: who }],
    })
    expect(
      (await (await openSession(service.url, await linkMailedTo(who))).press("Ada Lovelace")).status,
    ).toBe(202)
    const document = await until(
      "it is SIGNED",
      async () => {
        const { body: now } = await apiOf(kind).get(`/v2/signature-requests/${body.id}`)
        return now.status_overall === "SIGNED" && (now.document_id as string)
      },
      60_000,
    )
    return (await apiOf(kind).get(`/v2/documents/${document}/content`)).bytes
  }
  const certificateOf = async (kind: Kind, role: string) =>
    Buffer.from(
      await service.sql(
        `select encode(certificate, 'hex') from authority where kind = '${kind}' and role = '${role}'`,
      ),
      "hex",
    )

  it.each(KINDS)(
    "[AUTH-07 v2] a %s signature leads to the root of its kind, and to no other",
    async (kind) => {
      const pdf = await signed(kind)
      const { rootFiles } = templateOf(sharedStack().dir)
      const under = (root: Kind): Promise<Verdict> => judge(pdf, [rootFiles[root], stampsRoot()])
      expect(await under(kind)).toMatchObject({
        openssl: "CAdES Verification successful",
        pyhanko: [{ trusted: true, bottomLine: true }],
      })
      const other = await under(otherOf(kind))
      expect(other.openssl).toContain("Verification failure")
      expect(other.pyhanko).toMatchObject([{ intact: true, trusted: false, bottomLine: false }])
      // Whoever looks at the signer sees what it is; that a demo's mark says so too is in people.test.ts.
      expect(other.signers.map((name) => name.includes("no legal effect"))).toEqual([kind === "demo"])
    },
  )

  it.each(KINDS)("the key of %s signatures is in its own token, and in no other", async (kind) => {
    const label = await service.sql(
      `select key_label from authority where kind = '${kind}' and role = 'service'`,
    )
    const found = async (token: Kind) => {
      const { PKCS11_MODULE = "", SOFTHSM2_CONF = "", ...env } = service.env
      const keys = startKeys({
        module: PKCS11_MODULE,
        tokenLabel: env[`PKCS11_${token.toUpperCase()}_TOKEN`] ?? "",
        pinFile: env[`PKCS11_${token.toUpperCase()}_PIN_FILE`] ?? "",
        env: { SOFTHSM2_CONF },
      })
      try {
        return (await keys.publicKey(label)) !== null
      } finally {
        await keys.close()
      }
    }
    expect([await found(kind), await found(otherOf(kind))]).toEqual([true, false])
  })

  it.each(KINDS)("the other authority says nothing of a %s certificate", async (kind) => {
    const [certificate, issuer] = await Promise.all(
      ["service", "issuing"].map(async (role) => readCertificate(await certificateOf(kind, role))),
    )
    if (certificate === undefined || issuer === undefined) throw new Error("There is no authority.")
    const question = Buffer.from(ocspRequest({ certificate, issuer }))
    const ask = async (of: Kind) => {
      const answer = await fetch(`${service.url}/pki/${of}/ocsp`, {
        method: "POST",
        headers: { "content-type": "application/ocsp-request" },
        body: question,
      })
      return readOcspResponse(new Uint8Array(await answer.arrayBuffer())).status
    }
    expect([await ask(kind), await ask(otherOf(kind))]).toEqual(["successful", "unauthorized"])
  })
})

const stampsRoot = (): string => sharedStack().env.TRUST_ANCHORS_FILE ?? ""
