// One signature through the three processes (EN 319 102-1, 5.3, 5.5 and 5.6).

import { openPdf } from "@paraph/pades/document"
import { bytesSource } from "@paraph/pades/source"
import { beforeAll, describe, expect, it } from "vitest"
import { createContext } from "../context.ts"
import { gatherMaterial } from "../material/gather.ts"
import { because, failed, type Outcome, PASSED } from "../outcome.ts"
import { DEFAULT_POLICY } from "../policy/default-policy.ts"
import { restamp } from "../testing/restamp.ts"
import { type SigningWorld, signingWorld } from "../testing/signing-world.ts"
import { type JudgedMark, judgeMark } from "./signature.ts"
import { judgeStamps } from "./timestamp.ts"

const at = (day: string, time = "12:00:00") => new Date(`${day}T${time}Z`)
const SIGNED = at("2026-05-05")
const soon = at("2026-05-05", "12:30:00")
const later = at("2027-03-01")

let world: SigningWorld
let signed: Uint8Array
let archived: Uint8Array
beforeAll(async () => {
  world = await signingWorld({
    signer: { notBefore: at("2026-01-01"), notAfter: at("2026-12-31") },
    authorities: [{ notBefore: at("2026-01-01"), notAfter: at("2028-12-31") }],
  })
  signed = world.sign(SIGNED)
  archived = await world.raise(await world.raise(signed, "B-LT", SIGNED), "B-LTA", SIGNED)
})

function judge(file: Uint8Array, now: Date, changes: Outcome = PASSED): JudgedMark {
  const { material, evidence } = gatherMaterial(openPdf(bytesSource(file)))
  const trust = { anchors: [{ certificate: world.root.certificate }], services: [] }
  const context = createContext(DEFAULT_POLICY, now, trust, evidence)
  const stamps = judgeStamps(context, { ...material, evidence })
  const [mark] = material.signatures
  if (mark === undefined) throw new Error("The document has no signature.")
  return judgeMark(context, mark, stamps, changes)
}

const verdict = ({ outcome: { indication, subIndication } }: JudgedMark) =>
  subIndication === undefined ? indication : `${indication} ${subIndication}`

const blockOf = ({ blocks }: JudgedMark, name: string) =>
  blocks.find(({ block }) => block === name)?.indication

describe("a signature", () => {
  it("passes by the basic process while everything is fresh", () => {
    const judged = judge(archived, soon)
    expect(verdict(judged)).toBe("PASSED")
    expect(blockOf(judged, "basic")).toBe("PASSED")
    expect(judged.existedAt).toEqual(SIGNED)
  })

  it("passes by a later process once its certificate has ended", () => {
    const judged = judge(archived, later)
    expect(blockOf(judged, "basic")).toBe("INDETERMINATE")
    expect(verdict(judged)).toBe("PASSED")
  })

  it("that nothing proves is known to exist only now, and is not saved once its certificate has ended", () => {
    const judged = judge(signed, later)
    expect(judged.existedAt).toEqual(later)
    expect(verdict(judged)).not.toBe("PASSED")
  })

  it("is not saved by time-stamps that do not hash it", async () => {
    const cut = await restamp(await world.raise(signed, "B-T", SIGNED), world, SIGNED, (right) => [
      right[1] - 30,
      30,
      right[2],
      right[3],
    ])
    const judged = judge(cut, later)
    expect(judged.existedAt).toEqual(later)
    expect(verdict(judged)).not.toBe("PASSED")
  })

  it("that is wrong fails, whatever proves its age", () => {
    const copy = Buffer.from(archived)
    const place = copy.indexOf("/Contents <") + 3000
    copy[place] = copy[place] === 0x30 ? 0x31 : 0x30
    expect(verdict(judge(copy, soon))).not.toBe("PASSED")
    const content = Buffer.from(archived)
    content[20] = (content[20] ?? 0) ^ 1
    expect(verdict(judge(content, soon))).toBe("FAILED HASH_FAILURE")
  })

  it("fails for changes that nothing explains, and no later process takes that away", () => {
    const changes = failed("FORMAT_FAILURE", because("undefined-changes", { path: "/Pages" }))
    for (const now of [soon, later])
      expect(verdict(judge(archived, now, changes))).toBe("FAILED FORMAT_FAILURE")
  })
})
