import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, type HolderOrder, newHolder, newRoot } from "../testing/keys.ts"
import { checkPurpose } from "./timestamp-blocks.ts"

const TIME_STAMPING = "1.3.6.1.5.5.7.3.8"
const CODE_SIGNING = "1.3.6.1.5.5.7.3.3"
const ANY_PURPOSE = "2.5.29.37.0"

let root: Holder
beforeAll(async () => {
  root = await newRoot({ name: "Root" })
})

async function verdict(order: Partial<HolderOrder>): Promise<string> {
  const name = "Clock"
  const extendedKeyUsage = [TIME_STAMPING]
  const authority = await newHolder(root, {
    name,
    extendedKeyUsage,
    extendedKeyUsageCritical: true,
    ...order,
  })
  const { indication, subIndication = "" } = checkPurpose(authority.certificate)
  return `${indication} ${subIndication}`.trim()
}

describe("the certificate of a time-stamp", () => {
  it.each<[string, Partial<HolderOrder>]>([
    ["has a critical extended key usage of time-stamping", {}],
    ["has the key usage digitalSignature", { keyUsage: ["digitalSignature"] }],
    ["has the key usage contentCommitment", { keyUsage: ["contentCommitment"] }],
    ["has a further key usage", { keyUsage: ["digitalSignature", "keyEncipherment"] }],
    ["has no key usage", { keyUsage: [] }],
  ])("passes where it %s", async (_, order) => {
    expect(await verdict(order)).toBe("PASSED")
  })

  it.each<[string, Partial<HolderOrder>]>([
    ["has a key usage without signatures", { keyUsage: ["keyEncipherment"] }],
    ["has an extended key usage that is not critical", { extendedKeyUsageCritical: false }],
    ["is for another purpose too", { extendedKeyUsage: [TIME_STAMPING, CODE_SIGNING] }],
    ["is for any purpose", { extendedKeyUsage: [ANY_PURPOSE] }],
    ["is for another purpose", { extendedKeyUsage: [CODE_SIGNING] }],
  ])("is refused where it %s", async (_, order) => {
    expect(await verdict(order)).toBe("INDETERMINATE CHAIN_CONSTRAINTS_FAILURE")
  })
})
