// What OCSP responses state about one certificate, where many claims and many responders stand in a document.

import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, newHolder, newRoot } from "../testing/keys.ts"
import { newCrl, newOcspResponse, newResponder } from "../testing/revocation-evidence.ts"
import { indexRevocation, statusesOf } from "./revocation-index.ts"
import { decisiveStatus } from "./revocation-status.ts"

const at = (day: string) => new Date(`2026-${day}T12:00:00Z`)
const YEAR = { notBefore: at("01-01"), notAfter: at("12-31") }
const REVOKED = { since: at("06-01"), thisUpdate: at("07-01"), nextUpdate: at("07-02") }
const GOOD = { thisUpdate: at("11-17"), nextUpdate: at("11-30") }

let root: Holder
let ada: Holder
beforeAll(async () => {
  root = await newRoot({ name: "Root", keyUsage: ["keyCertSign", "cRLSign"] })
  ada = await newHolder(root, { name: "Ada", ...YEAR })
})

type Response = Awaited<ReturnType<typeof newOcspResponse>>

async function statuses(responses: readonly Response[], responders: readonly Holder[] = []) {
  const crl = await newCrl(ada.certificate, root, GOOD)
  const certificates = [ada, ...responders].map(({ certificate }) => certificate)
  const index = indexRevocation(responses, [crl], certificates, at("11-18"))
  return statusesOf(index, { anchor: root.certificate, certificates: [ada.certificate] }, 0)
}

/** Without the certificate of its responder, which then stands elsewhere in the document. */
const bare = (response: Response): Response => ({ ...response, certificates: [] })
const revoked = (responder: Holder) => newOcspResponse(ada.certificate, root, REVOKED, responder)

describe("a revoked response", () => {
  it("is not hidden behind many that strangers signed: the PDF is refused as too complex", async () => {
    const real = await newOcspResponse(ada.certificate, root, REVOKED)
    const { signature } = await newOcspResponse(ada.certificate, root, GOOD)
    const many = Array.from({ length: 64 }, () => ({ ...real, signature }))
    await expect(statuses([...many, real])).rejects.toThrow("more revocation information")
    expect(decisiveStatus(await statuses([...many.slice(1), real]))?.status).toBe("revoked")
  })

  it("is not hidden behind many certificates that name its responder", async () => {
    const responder = await newResponder(root, YEAR)
    const others = await Promise.all(Array.from({ length: 20 }, () => newResponder(root, YEAR)))
    const found = await statuses([bare(await revoked(responder))], [...others, responder])
    expect(decisiveStatus(found)?.status).toBe("revoked")
    const many = Array.from({ length: 65 }, (_, i) => ({
      ...responder,
      certificate: { ...responder.certificate, der: Uint8Array.of(i) },
    }))
    await expect(statuses([bare(await revoked(responder))], [...many, responder])).rejects.toThrow(
      "more revocation information",
    )
  })

  it("counts where the issuer has certified another responder of the same name", async () => {
    const [responder, renewed] = [await newResponder(root, YEAR), await newResponder(root, YEAR)]
    const response = await revoked(responder)
    // Nothing signs the certificates next to a response, so anyone can put another one first.
    const misled = { ...response, certificates: [renewed.certificate.der, ...response.certificates] }
    expect(decisiveStatus(await statuses([misled], [renewed, responder]))?.status).toBe("revoked")
  })
})

describe("a hold", () => {
  const held = { since: at("10-01"), reason: "certificateHold" } as const

  it("is not ended by a response that was made later from older knowledge", async () => {
    const hold = await newOcspResponse(ada.certificate, root, {
      ...held,
      thisUpdate: at("11-18"),
      nextUpdate: at("11-19"),
    })
    const older = await newOcspResponse(ada.certificate, root, {
      thisUpdate: at("11-05"),
      producedAt: at("11-18"),
      nextUpdate: at("11-30"),
    })
    expect(decisiveStatus(await statuses([hold, older]))?.status).toBe("revoked")
  })

  it("counts from its beginning where a later response moves the beginning", async () => {
    const order = { thisUpdate: at("11-18"), nextUpdate: at("11-19") }
    const [first, moved] = await Promise.all([
      newOcspResponse(ada.certificate, root, { ...held, thisUpdate: at("11-17"), nextUpdate: at("11-19") }),
      newOcspResponse(ada.certificate, root, { ...held, since: at("11-18"), ...order }),
    ])
    expect(decisiveStatus(await statuses([first, moved]))).toMatchObject({ since: held.since })
  })
})
