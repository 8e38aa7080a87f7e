import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

type Answered = Readonly<Record<string, unknown>>

describe("the signing order of a new request", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const create = (v: "v1" | "v2", signatures: readonly object[]) =>
    service.caller.post(`/${v}/signature-requests`, {
      title: "In order",
      content: contractPdf().toString("base64"),
      signatures,
    })

  it.each([
    ["v1", "order", "signer_email_address", "order"],
    ["v1", "sequence", "signer_email_address", "order"],
    ["v2", "sequence", "account_email", "sequence"],
    ["v2", "order", "account_email", "sequence"],
  ] as const)(
    "[SR-11 %s] sent as %s, from 0 on, is kept and answered by the version's own name",
    async (v, name, address, own) => {
      const signatures = [3, 0].map((order) => ({ [address]: `order-${order}@example.org`, [name]: order }))
      const { status, body } = await create(v, signatures)
      expect(status).toBe(200)
      const answered = new Map(body.signatures.map((one: Answered) => [one[address], one[own]]))
      expect(answered.get("order-3@example.org")).toBe(3)
      expect(answered.get("order-0@example.org")).toBe(0)
    },
  )

  it.each(["v1", "v2"] as const)("%s refuses two values under the two names, and names both", async (v) => {
    const address = v === "v1" ? "signer_email_address" : "account_email"
    const { status, body } = await create(v, [{ [address]: "a@example.org", order: 1, sequence: 2 }])
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain("but 1 and 2 were sent")
  })
})
