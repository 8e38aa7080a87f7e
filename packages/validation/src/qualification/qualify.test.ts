import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, newHolder, newRoot } from "../testing/keys.ts"
import { BOTH, CH, EU, type Listing, NO_DEVICE, withdrawnSince } from "../testing/qualification-rows.ts"
import { periodOf, serviceOf } from "../testing/services.ts"
import { newSigner, type SignerOrder } from "../testing/trust-world.ts"
import type { TrustService } from "../trusted-list/trusted-list.ts"
import { qualify } from "./qualify.ts"

const NOW = new Date("2026-06-01T00:00:00Z")
const SIGNED = new Date("2025-06-01T00:00:00Z")

let root: Holder
let authority: Holder
let other: Holder

beforeAll(async () => {
  root = await newRoot({ name: "Root" })
  authority = await newHolder(root, { name: "Authority", basicConstraints: { ca: true } })
  other = await newRoot({ name: "Authority" })
})

function listed({
  law = "EU",
  of = "authority",
  periods,
  qualifiers = [],
  ...order
}: Listing = {}): TrustService {
  const holder = { authority, root, namesake: other }[of]
  return serviceOf(holder, periods ?? [periodOf({ qualifiers })], { law, ...order })
}

async function judge(
  signer: SignerOrder,
  services: readonly Listing[],
  order: { readonly at?: Date; readonly expiredLists?: "accept" } = {},
) {
  const { certificate } = await newSigner(authority, signer)
  const path = [certificate, authority.certificate, root.certificate]
  return qualify({ path, services: services.map(listed), anchors: [], at: SIGNED, now: NOW, ...order })
}

describe.each([
  ["the Union", EU],
  ["Switzerland", CH],
  ["both", BOTH],
])("by the lists of %s", (_, rows) => {
  it.each(rows)("%s: %s", async (_clause, _sentence, signer, services, quality, legislation) => {
    expect(await judge(signer, services)).toMatchObject({ quality, legislation })
  })
})

it("a signer who is listed as a service is none by that", async () => {
  const { certificate, ...keys } = await newSigner(authority)
  const path = [certificate, authority.certificate, root.certificate]
  const services = [serviceOf({ ...keys, certificate }, [periodOf()])]
  expect(qualify({ path, services, anchors: [], at: SIGNED, now: NOW }).quality).toBe("SES")
})

describe("before and after 1 July 2016", () => {
  const ofOld = { notBefore: new Date("2015-01-01T00:00:00Z"), types: [] } as const
  const change = "2016-07-01T00:00:00.000Z"
  const supervised = periodOf({
    status: "undersupervision",
    from: "2010-01-01T00:00:00.000Z",
    until: change,
    uses: [],
  })

  it("an old certificate signs before it, under supervision", async () => {
    const found = await judge(ofOld, [{ periods: [periodOf(), supervised] }], {
      at: new Date("2016-01-01T00:00:00Z"),
    })
    expect(found).toMatchObject({ quality: "QES", legislation: "EU", use: "signature" })
  })

  it("and after it, under the same service, granted (eIDAS, article 51)", async () => {
    const found = await judge(ofOld, [{ periods: [periodOf(), supervised] }], {
      at: new Date("2017-01-01T00:00:00Z"),
    })
    expect(found).toMatchObject({ quality: "QES", legislation: "EU" })
  })

  it("and not after it, if nobody granted anything", async () => {
    const periods = [periodOf({ status: "withdrawn" }), supervised]
    const found = await judge(ofOld, [{ periods }], { at: new Date("2017-01-01T00:00:00Z") })
    expect(found.quality).toBe("SES")
  })

  it("the midnight is that of Brussels", async () => {
    const periods = [periodOf({ from: "2016-06-30T22:00:00.000Z" }), supervised]
    const found = await judge(ofOld, [{ periods }], { at: new Date("2016-06-30T22:00:00Z") })
    expect(found.quality).toBe("QES")
  })
})

describe("what an operator may say", () => {
  it("services of an expired list count, if the policy says so", async () => {
    const listings = [{ listExpires: "2026-05-01T00:00:00.000Z" }]
    expect(await judge({}, listings)).toMatchObject({
      quality: "SES",
      reasons: [{ code: "qualification-list-expired", values: { law: "EU" } }],
    })
    expect(await judge({}, listings, { expiredLists: "accept" })).toMatchObject({ quality: "QES" })
  })

  it("an anchor for advanced signatures makes AES, by the law that is declared, and never more", async () => {
    const { certificate } = await newSigner(authority)
    const path = [certificate, authority.certificate, root.certificate]
    const ask = (anchor: object, services: readonly TrustService[] = []) =>
      qualify({
        path,
        services,
        anchors: [{ certificate: root.certificate, ...anchor }],
        at: SIGNED,
        now: NOW,
      })
    expect(ask({ quality: "AES" })).toMatchObject({ quality: "AES", legislation: "WORLD" })
    expect(ask({ quality: "AES", legislation: "CH" })).toMatchObject({ quality: "AES", legislation: "CH" })
    expect(ask({})).toMatchObject({ quality: "SES", legislation: "WORLD" })
    const apart = createHash("sha256").update(certificate.der).digest("hex")
    expect(ask({ quality: "AES", except: [apart] })).toMatchObject({ quality: "SES" })
    expect(ask({ quality: "AES", except: [apart.replace(/./g, "0")] })).toMatchObject({ quality: "AES" })
    const inBetween = { certificate: authority.certificate, purposes: [], quality: "AES" }
    expect(ask(inBetween)).toMatchObject({ quality: "AES" })
    expect(ask({ ...inBetween, certificate })).toMatchObject({ quality: "SES" })
    expect(ask({ quality: "AES" }, [listed()])).toMatchObject({ quality: "QES", legislation: "EU" })
  })

  it("an anchor of the same name and another key makes nothing", async () => {
    const { certificate } = await newSigner(authority)
    const path = [certificate, authority.certificate, root.certificate]
    const anchors = [{ certificate: other.certificate, quality: "AES" }] as const
    expect(qualify({ path, services: [], anchors, at: SIGNED, now: NOW }).quality).toBe("SES")
  })
})

describe("reasons", () => {
  it("say by which law, when, and why not", async () => {
    const found = await judge({}, [{ periods: withdrawnSince("2024-06-01") }])
    expect(found.reasons).toEqual([
      { code: "qualification-not-granted", weight: "note", values: { law: "EU", when: "signing" } },
    ])
  })

  it("say what kept a qualified certificate from more", async () => {
    expect((await judge(NO_DEVICE, [{}])).reasons).toEqual([
      { code: "qualification-no-device", weight: "note", values: { law: "EU", when: "signing" } },
    ])
  })

  it("are none where nothing is missing", async () => {
    expect((await judge({}, [{}])).reasons).toEqual([])
  })

  it("a certificate for websites is said to be one", async () => {
    const periods = [periodOf({ uses: ["web"] })]
    expect((await judge({ types: ["web"] }, [{ periods }])).reasons[0]?.code).toBe(
      "qualification-for-websites",
    )
  })
})
