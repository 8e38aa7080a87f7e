// Time-stamps, and what they prove (EN 319 102-1, 5.4 and 5.6.2.3).

import { openPdf } from "@paraph/pades/document"
import { bytesSource } from "@paraph/pades/source"
import { beforeAll, describe, expect, it } from "vitest"
import { type Context, createContext } from "../context.ts"
import { provedAt } from "../evidence/proofs.ts"
import { gatherMaterial } from "../material/gather.ts"
import { DEFAULT_POLICY } from "../policy/default-policy.ts"
import type { ValidationPolicy } from "../policy/policy.ts"
import { type Range, restamp } from "../testing/restamp.ts"
import { type SigningWorld, signingWorld } from "../testing/signing-world.ts"
import { type JudgedStamp, judgeStamps } from "./timestamp.ts"

const at = (day: string, time = "12:00:00") => new Date(`${day}T${time}Z`)
const SIGNED = at("2026-05-05")
const STAMPED = at("2026-05-05", "12:10:00")
const NOW = at("2026-05-05", "12:30:00")

let world: SigningWorld
let archived: Uint8Array
beforeAll(async () => {
  const year = { notBefore: at("2026-01-01"), notAfter: at("2028-12-31") }
  world = await signingWorld({ signer: year, authorities: [year] })
  archived = await world.raise(await world.raise(world.sign(SIGNED), "B-LT", SIGNED), "B-LTA", STAMPED)
})

type Judged = {
  readonly context: Context
  readonly stamps: readonly JudgedStamp[]
  readonly signature: object
}

function judge(file: Uint8Array, policy: ValidationPolicy = DEFAULT_POLICY): Judged {
  const { material, evidence } = gatherMaterial(openPdf(bytesSource(file)))
  const trust = { anchors: [{ certificate: world.root.certificate }], services: [] }
  const context = createContext(policy, NOW, trust, evidence)
  const stamps = judgeStamps(context, { ...material, evidence })
  return { context, stamps, signature: material.signatures[0] ?? {} }
}

/** The one for B-LTA; the document has another one, of when it was signed. */
const documentStamp = ({ stamps }: Judged) =>
  stamps.find(({ genTime }) => genTime?.getTime() === STAMPED.getTime())

describe("a document time-stamp", () => {
  it("passes, and proves the signature and all evidence in the bytes that it hashes", () => {
    const judged = judge(archived)
    expect(documentStamp(judged)?.outcome.indication).toBe("PASSED")
    const { proofs, locations } = judged.context
    const start = Buffer.from(archived).lastIndexOf("/DocTimeStamp")
    const before = [...locations].filter(([, places]) => places.some(({ end }) => end < start))
    expect(before.length).toBeGreaterThan(3)
    for (const [thing] of before)
      expect(provedAt(proofs, thing).getTime()).toBeLessThanOrEqual(STAMPED.getTime())
    expect(provedAt(judged.context.proofs, judged.signature)).toEqual(SIGNED)
  })

  const cutOff: readonly (readonly [string, (right: Range) => Range])[] = [
    ["at the second byte", ([, length, start2, length2]) => [1, length - 1, start2, length2]],
    ["behind the signature", ([, length, start2, length2]) => [length - 40, 40, start2, length2]],
    ["right at its own contents", ([, length, start2, length2]) => [length, 0, start2, length2]],
  ]
  it.each(cutOff)("that begins %s is refused, and proves nothing", async (_, change) => {
    const judged = judge(await restamp(archived, world, STAMPED, change))
    expect(documentStamp(judged)?.outcome).toMatchObject({
      indication: "FAILED",
      subIndication: "FORMAT_FAILURE",
    })
    const times = [...judged.context.proofs.times.values()].map((time) => time.getTime())
    expect(times).not.toContain(STAMPED.getTime())
  })

  it("that leaves out another byte than its own contents is refused", async () => {
    const judged = judge(
      await restamp(archived, world, STAMPED, ([start, length, start2, length2]) => [
        start,
        length - 9,
        start2,
        length2,
      ]),
    )
    expect(documentStamp(judged)?.outcome.subIndication).toBe("FORMAT_FAILURE")
  })

  it("over other bytes fails", async () => {
    const copy = Buffer.from(archived)
    copy[20] = (copy[20] ?? 0) ^ 1
    expect(documentStamp(judge(copy))?.outcome.subIndication).toBe("HASH_FAILURE")
  })
})

describe("the earlier of two time-stamps", () => {
  it("proves the signature, and not the evidence that was added after it", () => {
    const { context, signature } = judge(archived)
    expect(provedAt(context.proofs, signature)).toEqual(SIGNED)
    const responses = [...context.revocation.responsesBySerialNumber.values()].flat()
    expect(responses.length).toBeGreaterThan(0)
    for (const response of responses) expect(provedAt(context.proofs, response)).toEqual(STAMPED)
  })
})
