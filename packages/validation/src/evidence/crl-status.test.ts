// What CRLs state about one certificate, also those with a scope, those that continue another, and those that a stranger signed.

import type { Crl } from "@paraph/pki/crl"
import { readCrlNumber } from "@paraph/pki/crl"
import type { Extension } from "@paraph/pki/extension"
import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, newHolder, newRoot } from "../testing/keys.ts"
import {
  deltaTo,
  forgedBy,
  KEY_REASONS,
  newCrl,
  newOcspResponse,
  ONLY_CA_CERTS,
  OTHER_REASONS,
  type StatusOrder,
} from "../testing/revocation-evidence.ts"
import { indexRevocation, statusesOf } from "./revocation-index.ts"
import { decisiveStatus } from "./revocation-status.ts"

const at = (day: string) => new Date(`2026-${day}T12:00:00Z`)
const NOW = at("11-18")

let root: Holder
let ada: Holder
let stranger: Holder
beforeAll(async () => {
  root = await newRoot({ name: "Root", keyUsage: ["keyCertSign", "cRLSign"] })
  ada = await newHolder(root, { name: "Ada", notBefore: at("01-01"), notAfter: at("12-31") })
  stranger = await newRoot({ name: "Root", keyUsage: ["keyCertSign", "cRLSign"] })
})

function statuses(crls: readonly Crl[], responses: Parameters<typeof indexRevocation>[0] = []) {
  const index = indexRevocation(responses, crls, [ada.certificate], NOW)
  return statusesOf(index, { anchor: root.certificate, certificates: [ada.certificate] }, 0)
}

const crl = (order: StatusOrder, extensions: readonly Extension[] = [], issuer = root) =>
  newCrl(ada.certificate, issuer, order, extensions)
const forged = (order: StatusOrder, extensions: readonly Extension[] = []) =>
  crl(order, extensions, forgedBy(stranger, root))

const OLD: StatusOrder = { thisUpdate: at("02-01"), nextUpdate: at("03-01") }
const NEW: StatusOrder = { thisUpdate: at("11-17"), nextUpdate: at("11-30") }
const REVOKED = { since: at("06-01"), reason: "keyCompromise" } as const
const HELD = { since: at("06-01"), reason: "certificateHold" } as const

describe("a good status", () => {
  it.each([
    ["of a stranger with a scope", () => forged(NEW, [ONLY_CA_CERTS])],
    ["of a stranger with some reasons", () => forged(NEW, [KEY_REASONS])],
    ["of a stranger that continues another", () => forged(NEW, [deltaTo(1)])],
    ["of the issuer about CA certificates only", () => crl(NEW, [ONLY_CA_CERTS])],
  ])("is as old as the CRL that states it, whatever newer CRL there is %s", async (_, newer) => {
    const old = await crl(OLD)
    expect(statuses([old, await newer()])).toMatchObject([
      { status: "good", source: old, thisUpdate: OLD.thisUpdate, nextUpdate: OLD.nextUpdate },
    ])
  })

  it("of two CRLs for different reasons is as old as the older one, and needs a proof of both", async () => {
    const older = await crl({ ...NEW, thisUpdate: at("11-10") }, [KEY_REASONS])
    const newer = await crl(NEW, [OTHER_REASONS])
    expect(statuses([older, newer])).toMatchObject([
      { status: "good", source: newer, others: [older], thisUpdate: at("11-10") },
    ])
  })

  it("of a delta CRL and its base is as new as the delta", async () => {
    const base = await crl({ thisUpdate: at("11-01"), nextUpdate: at("11-30") })
    const delta = await crl(NEW, [deltaTo(Number(readCrlNumber(base.extensions)))])
    expect(statuses([base, delta])[0]).toMatchObject({ source: delta, thisUpdate: NEW.thisUpdate })
  })

  it("does not end a hold if a stranger signed it", async () => {
    const held = await crl({ ...HELD, thisUpdate: at("11-10"), nextUpdate: at("11-30") })
    const old = await crl(OLD)
    expect(decisiveStatus(statuses([held, old, await forged(NEW, [ONLY_CA_CERTS])]))?.status).toBe("revoked")
  })
})

describe("a revocation", () => {
  it.each([
    ["for CA certificates only", () => crl({ ...OLD, ...REVOKED }, [ONLY_CA_CERTS])],
    ["for some reasons", () => crl({ ...OLD, ...REVOKED }, [KEY_REASONS])],
    ["that continues one which is not there", () => crl({ ...OLD, ...REVOKED }, [deltaTo(99)])],
    [
      "with an unknown critical extension",
      () => crl({ ...OLD, ...REVOKED }, [{ id: "2.999.1", critical: true, value: Uint8Array.of(5, 0) }]),
    ],
  ])("counts in a CRL %s, also where a newer CRL and OCSP response are good", async (_, listing) => {
    const good = await newOcspResponse(ada.certificate, root, NEW)
    expect(decisiveStatus(statuses([await listing(), await crl(NEW)], [good]))).toMatchObject({
      status: "revoked",
      since: REVOKED.since,
    })
  })

  it("in a CRL for some reasons is not the information that a certificate needs", async () => {
    const sound = async (extensions: readonly Extension[]) =>
      statuses([await crl({ ...OLD, ...REVOKED }, extensions)]).map(({ isSound }) => isSound)
    expect(await sound([KEY_REASONS])).toEqual([false])
    expect(await sound([])).toEqual([true])
  })

  it("does not count from a stranger, in whatever kind of CRL", async () => {
    const lists = [[], [ONLY_CA_CERTS], [KEY_REASONS], [deltaTo(1)]].map((one) =>
      forged({ ...NEW, ...REVOKED }, one),
    )
    expect(statuses([await crl(NEW), ...(await Promise.all(lists))])).toMatchObject([{ status: "good" }])
  })

  it("is not hidden behind many that strangers signed: the PDF is refused as too complex", async () => {
    const many = await Promise.all(Array.from({ length: 64 }, () => forged({ ...NEW, ...REVOKED })))
    const listed = await crl({ ...OLD, ...REVOKED })
    expect(() => statuses([...many, listed])).toThrow("more revocation information")
    expect(decisiveStatus(statuses([...many.slice(1), listed]))?.status).toBe("revoked")
  })
})
