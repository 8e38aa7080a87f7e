import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, newHolder, newRoot } from "../testing/keys.ts"
import { periodOf, serviceOf } from "../testing/services.ts"
import { indexServices, servicesFor, servicesOf } from "./trust-store.ts"
import type { TrustService } from "./trusted-list.ts"

let authority: Holder
let namesake: Holder
let signer: Holder

beforeAll(async () => {
  authority = await newRoot({ name: "Authority" })
  namesake = await newRoot({ name: "Authority" })
  signer = await newHolder(authority, { name: "Ada" })
})

describe("finding services", () => {
  it("finds who issued a certificate, even if only that one is at hand", () => {
    const service = serviceOf(authority, [periodOf()])
    const store = indexServices([service])
    expect(servicesFor(store, [signer.certificate])).toEqual([service])
    expect(servicesFor(store, [authority.certificate])).toEqual([service])
    expect(servicesFor(store, [])).toEqual([])
  })

  it("a namesake may be looked at, and is nobody on the path", () => {
    const service = serviceOf(namesake, [periodOf()])
    const found = servicesFor(indexServices([service]), [signer.certificate, authority.certificate])
    expect(found).toEqual([service])
    expect(servicesOf(found, authority.certificate)).toEqual([])
    expect(servicesOf(found, namesake.certificate)).toEqual([service])
  })

  it("finds a service by any of its certificates", () => {
    const service: TrustService = {
      ...serviceOf(authority, [periodOf()]),
      identities: [...serviceOf(namesake, []).identities, ...serviceOf(authority, []).identities],
    }
    const store = indexServices([service])
    expect(servicesOf(servicesFor(store, [signer.certificate]), authority.certificate)).toEqual([service])
  })

  it("is kept as JSON and back", () => {
    const services = [serviceOf(authority, [periodOf({ qualifiers: ["QCWithQSCD"] })])]
    expect(JSON.parse(JSON.stringify(services))).toEqual(services)
  })

  it("finds one of 5,000 in less than a millisecond of processor time", () => {
    const [identity] = serviceOf(authority, []).identities
    const many = Array.from({ length: 5_000 }, (_, at): TrustService => {
      const service = serviceOf(namesake, [periodOf()])
      return {
        ...service,
        name: `${at}`,
        identities: identity ? [{ ...identity, subject: `${at}`, key: `${at}` }] : [],
      }
    })
    const service = serviceOf(authority, [periodOf()])
    const store = indexServices([...many, service])
    const begun = process.cpuUsage()
    for (let times = 0; times < 100; times++) servicesFor(store, [signer.certificate])
    expect(process.cpuUsage(begun).user / 1_000 / 100).toBeLessThan(1)
    expect(servicesFor(store, [signer.certificate])).toEqual([service])
  })
})
