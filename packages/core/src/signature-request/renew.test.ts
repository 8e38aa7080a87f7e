import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { newWorld } from "../testing/world.ts"
import { statusOf } from "./model.ts"
import { renewalOf, renewDocument } from "./renew.ts"
import { performSigning } from "./sign.ts"

const task = { businessId: "b1", requestId: "r1", documentId: "d1" }

async function signed() {
  const world = newWorld(["s1"])
  await performSigning(world.parts, { ...task, signatureId: "s1" })
  return world
}

describe("a renewal", () => {
  it("is a new version under one more time-stamp, and the request stays SIGNED", async () => {
    const world = await signed()
    const before = world.newest()
    const effects = world.effects().length
    await renewDocument(world.parts, task)
    expect(world.text()).toBe("upload+s1==")
    expect(world.newest()).toMatchObject({ parentId: before.id })
    expect(statusOf(world.request())).toBe("SIGNED")
    expect(world.evidence().at(-1)).toMatchObject({
      type: "document.renewed",
      data: { documentId: "d1", onto: before.id, versionId: world.newest().id },
    })
    expect(world.effects()).toHaveLength(effects)
  })

  it("comes 90 days before the certificate of the time-stamp ends, and never without one", () => {
    const end = new Date("2029-11-15T00:00:00Z")
    const now = new Date("2026-11-16T09:00:00Z")
    expect(renewalOf(end, now)?.getTime()).toBe(end.getTime() - LIMITS.renewBeforeMs)
    expect(renewalOf(null, now)).toBeNull()
  })

  it("is never due at once: an authority whose certificate ends soon is asked again a few times, not for ever", () => {
    const end = new Date("2029-11-15T00:00:00Z")
    let now = new Date("2026-11-16T09:00:00Z")
    const times: Date[] = []
    while (now < end) {
      const next = renewalOf(end, now) ?? end
      expect(next.getTime() - now.getTime()).toBeGreaterThanOrEqual(LIMITS.renewAgainMs)
      times.push(next)
      now = next
    }
    expect(times.length).toBeLessThan(15)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 * 365 }), (days) => {
        const at = (ofEnd: number) => renewalOf(new Date(now.getTime() + ofEnd * 86_400_000), now)?.getTime()
        expect(at(days + 1)).toBeGreaterThanOrEqual(at(days) ?? Number.POSITIVE_INFINITY)
      }),
    )
  })

  it("by two workers at once happens once", async () => {
    const world = await signed()
    await Promise.all([renewDocument(world.parts, task), renewDocument(world.parts, task)])
    expect(world.text()).toBe("upload+s1==")
  })

  it("leaves alone what is not signed by everybody, what is gone, and what nobody can stamp", async () => {
    const open = newWorld(["s1"], ["s2"])
    await performSigning(open.parts, { ...task, signatureId: "s1" })
    await renewDocument(open.parts, task)
    expect(open.text()).toBe("upload+s1-")
    const world = await signed()
    await renewDocument(world.parts, { ...task, requestId: "another" })
    const nobody = async () => ({ tail: new Uint8Array(), archiveEndsAt: null })
    await renewDocument({ ...world.parts, raiseMarks: nobody }, task)
    expect(world.text()).toBe("upload+s1=")
  })
})
