import { expect, it } from "vitest"
import { newWorld } from "../testing/world.ts"
import type { SigningParts, SigningPoint } from "./make-mark.ts"
import { performSigning } from "./sign.ts"

it.each(["intent-kept", "value-kept"] as const)(
  "a value is never put into what another worker has prepared anew, and has got as far as %s, while it was stamped",
  async (point) => {
    const world = newWorld(["s1"])
    const finished: (readonly [string, number | undefined])[] = []
    const finishMark: SigningParts["finishMark"] = (prepared, value, stamp) => {
      finished.push([prepared.certificateSha256, value[0]])
      return world.parts.finishMark(prepared, value, stamp)
    }
    const other: SigningParts = {
      ...world.parts,
      finishMark,
      certificateOf: async () => "next",
      isInVain: async (_, intent) => intent.prepared.certificateSha256 !== "next",
      prepareMark: async (...asked) => ({
        ...(await world.parts.prepareMark(...asked)),
        certificateSha256: "next",
      }),
    }
    const slow: SigningParts = {
      ...world.parts,
      finishMark,
      stampValue: async (...asked) => {
        await expect(performSigning({ ...other, pass: dyingAt(point) }, task("s1"))).rejects.toThrow(point)
        return world.parts.stampValue(...asked)
      },
    }
    await expect(performSigning(slow, task("s1"))).rejects.toThrow("prepared anew")
    expect(finished).toEqual([])
    await performSigning(other, task("s1"))
    expect(finished).toEqual([["next", 2]])
    expect(world.marksMade()).toEqual(["s1"])
  },
)

const task = (signatureId: string) => ({ businessId: "b1", requestId: "r1", signatureId, documentId: "d1" })

const dyingAt = (point: SigningPoint) => (passed: SigningPoint) => {
  if (passed === point) throw new Error(`died at ${point}`)
}
