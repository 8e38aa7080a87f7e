// What OCSP responses and CRLs are worth: a good status needs everything in order, a revocation nothing but a right signature.

import type { Crl } from "@paraph/pki/crl"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, newHolder, newRoot } from "../testing/keys.ts"
import { newCrl, newOcspResponse, newResponder, type StatusOrder } from "../testing/revocation-evidence.ts"
import { indexRevocation, statusesOf } from "./revocation-index.ts"
import { decisiveStatus } from "./revocation-status.ts"

const at = (day: string) => new Date(`2026-${day}T12:00:00Z`)
const NOW = at("11-18")
const YEAR = { notBefore: at("01-01"), notAfter: at("12-31") }

let root: Holder
let ada: Holder
beforeAll(async () => {
  root = await newRoot({ name: "Root", keyUsage: ["keyCertSign", "cRLSign"] })
  ada = await newHolder(root, { name: "Ada", ...YEAR })
})

function statuses(
  responses: readonly BasicOcspResponse[],
  crls: readonly Crl[] = [],
  more: readonly Holder[] = [],
) {
  const certificates = [ada, ...more].map(({ certificate }) => certificate)
  const index = indexRevocation(responses, crls, certificates, NOW)
  return statusesOf(index, { anchor: root.certificate, certificates: [ada.certificate] }, 0)
}

const ocsp = (order: StatusOrder, responder?: Holder) =>
  newOcspResponse(ada.certificate, root, order, responder)
const crl = (order: StatusOrder) => newCrl(ada.certificate, root, order)
const GOOD: StatusOrder = { thisUpdate: at("11-18"), nextUpdate: at("11-19") }
const REVOKED: StatusOrder = { since: at("06-01"), thisUpdate: at("07-01"), nextUpdate: at("07-02") }

describe("a good status", () => {
  it("is taken from an OCSP response and from a CRL", async () => {
    expect(statuses([await ocsp(GOOD)]).map(({ status }) => status)).toEqual(["good"])
    expect(statuses([], [await crl(GOOD)]).map(({ status }) => status)).toEqual(["good"])
  })

  it("is not taken from the future", async () => {
    expect(statuses([], [await crl({ thisUpdate: at("11-20"), nextUpdate: at("11-21") })])).toEqual([])
    expect(statuses([await ocsp({ thisUpdate: at("11-20"), nextUpdate: at("11-21") })])).toEqual([])
  })

  it("is not taken from before the certificate, or from after its end", async () => {
    const before = { thisUpdate: new Date("2025-12-01"), nextUpdate: new Date("2025-12-02") }
    expect(statuses([await ocsp(before)], [await crl(before)])).toEqual([])
  })

  it("is not taken from a response that is older than its own nextUpdate allows", async () => {
    expect(
      statuses([
        await ocsp({ ...GOOD, thisUpdate: at("11-01"), nextUpdate: at("11-02"), producedAt: at("11-18") }),
      ]),
    ).toEqual([])
  })

  it("is not taken from a responder whose own status is unknown", async () => {
    const responder = await newResponder(root, YEAR, { needsCheck: true })
    expect(statuses([await ocsp(GOOD, responder)], [], [responder])).toEqual([])
  })
})

describe("a revocation", () => {
  const decides = (found: ReturnType<typeof statuses>) => decisiveStatus(found)?.status

  it("decides against a newer good response and a newer CRL that does not list it", async () => {
    expect(decides(statuses([await ocsp(REVOKED), await ocsp(GOOD)], [await crl(GOOD)]))).toBe("revoked")
  })

  it("counts although its responder has expired since", async () => {
    const responder = await newResponder(root, { notBefore: at("01-01"), notAfter: at("08-01") })
    expect(decides(statuses([await ocsp(REVOKED, responder)], [await crl(GOOD)]))).toBe("revoked")
  })

  it("counts although its responder had expired when it signed", async () => {
    const responder = await newResponder(root, { notBefore: at("01-01"), notAfter: at("06-15") })
    expect(decides(statuses([await ocsp(REVOKED, responder)], [await crl(GOOD)]))).toBe("revoked")
  })

  it("counts although the status of its responder is unknown", async () => {
    const responder = await newResponder(root, YEAR, { needsCheck: true })
    expect(decides(statuses([await ocsp(REVOKED, responder), await ocsp(GOOD)]))).toBe("revoked")
  })

  it.each([
    ["nextUpdate before producedAt", { ...REVOKED, producedAt: at("09-01") }],
    ["nextUpdate before thisUpdate", { ...REVOKED, nextUpdate: at("05-01") }],
    ["thisUpdate after producedAt", { ...REVOKED, producedAt: at("06-02") }],
    ["from the future", { ...REVOKED, thisUpdate: at("11-25"), nextUpdate: at("11-26") }],
  ])("counts with odd times in a response: %s", async (_, order) => {
    expect(decides(statuses([await ocsp(order), await ocsp(GOOD)]))).toBe("revoked")
  })

  it.each([
    ["nextUpdate before thisUpdate", { ...REVOKED, nextUpdate: at("05-01") }],
    [
      "from before the certificate",
      { ...REVOKED, thisUpdate: new Date("2025-12-01"), nextUpdate: new Date("2025-12-02") },
    ],
    [
      "from after the end of the certificate",
      { ...REVOKED, thisUpdate: new Date("2027-02-01"), nextUpdate: new Date("2027-02-02") },
    ],
  ])("counts with odd times in a CRL: %s", async (_, order) => {
    expect(decides(statuses([await ocsp(GOOD)], [await crl(order)]))).toBe("revoked")
  })

  it("does not count from a key that the issuer has not certified", async () => {
    const stranger = await newRoot({ name: "Root" })
    const { signature } = await ocsp(GOOD)
    const forged = { ...(await ocsp(REVOKED)), signature }
    const responder = await newResponder(stranger, YEAR)
    expect(decides(statuses([await ocsp(GOOD), await ocsp(REVOKED, responder), forged]))).toBe("good")
  })

  it("is not hidden behind many newer good responses", async () => {
    const many = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        ocsp({ ...GOOD, thisUpdate: new Date(NOW.getTime() - i * 1000) }),
      ),
    )
    expect(decides(statuses([...many, await ocsp(REVOKED)]))).toBe("revoked")
  })
})
