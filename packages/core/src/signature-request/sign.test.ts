import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { Refusal, type RefusalCode } from "../refusal.ts"
import { SAMPLE_TIME } from "../testing/sample.ts"
import { newWorld } from "../testing/world.ts"
import { currentConsent } from "./consent.ts"
import { transition } from "./machine.ts"
import { SIGNING_POINTS, type SigningParts, type SigningPoint } from "./make-mark.ts"
import { type Signature, type SignatureRequest, statusOf } from "./model.ts"
import { requestSigning } from "./request-signing.ts"
import { performSigning } from "./sign.ts"

describe("performSigning", () => {
  it("makes one mark: a new version that begins with the bytes of the old one", async () => {
    const world = newWorld(["s1"])
    await performSigning(world.parts, task("s1"))
    expect(statusOf(world.request())).toBe("SIGNED")
    expect(world.keyUses()).toBe(1)
    const version = world.newest()
    expect(version).toMatchObject({
      parentId: "d1",
      title: "Contract",
      owner: "acme-integration",
      pageCount: 1,
    })
    expect(version.id).not.toBe("d1")
    expect(world.text()).toBe("upload+s1=")
    expect(version.sizeBytes).toBe(world.text().length)
  })

  it("has the intent on record before the key is used, and the value before the document is stored", async () => {
    const world = newWorld(["s1"])
    const seen: Record<string, boolean> = {}
    const look: Partial<SigningParts> = {
      signBytes: async (kind, prepared) => {
        seen.intent = world.intents().length === 1
        return world.parts.signBytes(kind, prepared)
      },
      keepHeld: async (...held) => {
        seen.value = world.intents()[0]?.value !== null
        return world.parts.keepHeld(...held)
      },
    }
    await performSigning({ ...world.parts, ...look }, task("s1"))
    expect(seen).toEqual({ intent: true, value: true })
    expect(world.newest().id).toBe(world.intents()[0]?.versionId)
  })

  // A value that was made and not kept is lost with the process; only there the key is asked a second time.
  it.each(SIGNING_POINTS.map((point) => [point, point === "value-made" ? 2 : 1] as const))(
    "that dies at %s and runs again makes one mark, with %i use of the key",
    async (point, keyUses) => {
      const world = newWorld(["s1", "s2"])
      await expect(performSigning({ ...world.parts, pass: dyingAt(point) }, task("s1"))).rejects.toThrow(
        point,
      )
      await performSigning(world.parts, task("s1"))
      expect(world.keyUses()).toBe(keyUses)
      expect(world.stampsBought()).toBe(1)
      expect(world.text()).toBe("upload+s1-")
      expect(world.marksMade()).toEqual(["s1"])
      expect(world.effects().filter((e) => e.type === "call-back")).toEqual([
        { type: "call-back", which: "update" },
      ])
    },
  )

  it("passes every point once, in the order of their list", async () => {
    const world = newWorld(["s1"])
    const passed: SigningPoint[] = []
    await performSigning({ ...world.parts, pass: (point) => void passed.push(point) }, task("s1"))
    expect(passed).toEqual([...SIGNING_POINTS])
  })

  it("prepares once: what runs again goes on with the intent that is on record", async () => {
    const world = newWorld(["s1"])
    let prepared = 0
    const counting: SigningParts = {
      ...world.parts,
      prepareMark: (...mark) => {
        prepared += 1
        return world.parts.prepareMark(...mark)
      },
    }
    await expect(performSigning({ ...counting, pass: dyingAt("intent-kept") }, task("s1"))).rejects.toThrow()
    await performSigning(counting, task("s1"))
    expect(prepared).toBe(1)
  })

  it("starts again on the newer version when somebody else was faster", async () => {
    const world = newWorld(["s1", "s2"])
    let overtaken = false
    const slow: SigningParts = {
      ...world.parts,
      signBytes: async (kind, prepared) => {
        if (!overtaken) await performSigning(world.parts, task("s2"))
        overtaken = true
        return world.parts.signBytes(kind, prepared)
      },
    }
    await performSigning(slow, task("s1"))
    expect(world.text()).toBe("upload+s2-+s1=")
    expect(statusOf(world.request())).toBe("SIGNED")
    expect(world.marksMade()).toEqual(["s2", "s1"])
    expect(world.intents()).toHaveLength(3)
    expect(world.newest().parentId).toBe(world.request().signatures[1]?.marks[0]?.versionId)
  })

  it("by two workers at once makes one mark, and none of the two harms it", async () => {
    const world = newWorld(["s1", "s2"])
    await Promise.allSettled([1, 2].map(() => performSigning(world.parts, task("s1"))))
    await performSigning(world.parts, task("s1"))
    expect(world.text()).toBe("upload+s1-")
    expect(world.marksMade()).toEqual(["s1"])
  })

  it("raises each mark to B-LT, and all of them to B-LTA with the last one on the document", async () => {
    const world = newWorld(["s1", "s2"])
    const raised: unknown[] = []
    const noting: SigningParts = {
      ...world.parts,
      raiseMarks: (held, mark, raising) => {
        raised.push(raising)
        return world.parts.raiseMarks(held, mark, raising)
      },
    }
    await performSigning(noting, task("s2"))
    await performSigning(noting, task("s1"))
    expect(raised).toEqual([
      { kind: "demo", to: "B-LT", fields: ["Paraph-s2"] },
      { kind: "demo", to: "B-LTA", fields: ["Paraph-s2", "Paraph-s1"] },
    ])
  })

  it("has the time-stamp on record before the document is finished, and waits without one", async () => {
    const world = newWorld(["s1"])
    const down = async () => {
      throw new Error("The time-stamping authority does not answer.")
    }
    await expect(performSigning({ ...world.parts, stampValue: down }, task("s1"))).rejects.toThrow("answer")
    expect(world.text()).toBe("upload")
    expect(statusOf(world.request())).toBe("OPEN")
    const refusing: SigningParts = { ...world.parts, raiseMarks: down }
    await expect(performSigning(refusing, task("s1"))).rejects.toThrow("answer")
    expect(world.intents()[0]?.stamp).not.toBeNull()
    await performSigning(world.parts, task("s1"))
    expect([world.keyUses(), world.stampsBought(), world.text()]).toEqual([1, 1, "upload+s1="])
  })

  it("of everyone at once ends with a mark of each, one after the other", async () => {
    const signers = ["s1", "s2", "s3", "s4"]
    const world = newWorld(signers)
    await Promise.all(signers.map((signer) => performSigning(world.parts, task(signer))))
    expect(statusOf(world.request())).toBe("SIGNED")
    expect(world.text().replaceAll("-", "").split("+").sort()).toEqual(
      ["s1", "s2", "s3", "s4=", "upload"].sort(),
    )
  })

  it.each(["pdf-corrupt", "pdf-encrypted", "pdf-locked", "pdf-xfa", "pdf-not-a-pdf"] as const)(
    "ends the request in ERROR when the document can never be signed: %s",
    async (code) => {
      const world = newWorld(["s1", "s2"])
      await performSigning({ ...world.parts, prepareMark: refusing(code) }, task("s1"))
      expect(statusOf(world.request())).toBe("ERROR")
      expect(world.effects().at(-1)).toEqual({ type: "call-back", which: "error" })
      expect(world.evidence().map((e) => e.type)).toEqual(["signature.failed", "request.ended"])
      expect(world.keyUses()).toBe(0)
    },
  )

  it.each(["part-down", "pdf-too-complex"] as const)(
    "leaves the request OPEN when another try may help: %s",
    async (code) => {
      const world = newWorld(["s1"])
      const run = performSigning({ ...world.parts, prepareMark: refusing(code) }, task("s1"))
      await expect(run).rejects.toMatchObject({ code })
      expect(statusOf(world.request())).toBe("OPEN")
    },
  )

  it("gives up when 72 hours of tries have passed since the signer agreed, not before", async () => {
    const world = newWorld(["s1"])
    const down = { ...world.parts, prepareMark: refusing("part-down") }
    const hours72 = SAMPLE_TIME.getTime() + LIMITS.signingRetryMs
    const tryAt = (ms: number, attempt: number) =>
      performSigning({ ...down, now: () => new Date(ms) }, task("s1"), attempt)
    await expect(tryAt(hours72, 50)).rejects.toMatchObject({ code: "part-down" })
    expect(statusOf(world.request())).toBe("OPEN")
    await tryAt(hours72 + 1, 51)
    expect(statusOf(world.request())).toBe("ERROR")
  })

  it("does not give up what was hardly tried: a clock was days ahead for a moment", async () => {
    const world = newWorld(["s1"])
    const down = { ...world.parts, prepareMark: refusing("part-down") }
    const now = () => new Date(SAMPLE_TIME.getTime() + 2 * LIMITS.signingRetryMs)
    const last = LIMITS.leastAttempts
    for (let attempt = 1; attempt < last; attempt += 1)
      await expect(performSigning({ ...down, now }, task("s1"), attempt)).rejects.toThrow()
    expect(statusOf(world.request())).toBe("OPEN")
    await performSigning({ ...down, now }, task("s1"), last)
    expect(statusOf(world.request())).toBe("ERROR")
  })

  it("gives up after 72 hours whatever it is that fails", async () => {
    const world = newWorld(["s1"])
    const signBytes = async () => Promise.reject(new Error("The token is gone."))
    const now = () => new Date(SAMPLE_TIME.getTime() + LIMITS.signingRetryMs + 1)
    await performSigning({ ...world.parts, signBytes, now }, task("s1"), LIMITS.leastAttempts)
    expect(statusOf(world.request())).toBe("ERROR")
  })

  it("throws a fault as it is, and changes nothing", async () => {
    const world = newWorld(["s1"])
    const broken = { ...world.parts, signBytes: async () => Promise.reject(new Error("The token is gone.")) }
    await expect(performSigning(broken, task("s1"))).rejects.toThrow("The token is gone.")
    expect(statusOf(world.request())).toBe("OPEN")
    expect(world.newest().id).toBe("d1")
  })

  it("uses no key when nothing is wanted any more", async () => {
    const world = newWorld(["s1", "s2"])
    await performSigning(world.parts, task("s1"))
    await performSigning(world.parts, task("s1"))
    await performSigning(world.parts, { ...task("s1"), requestId: "r9" })
    await performSigning(world.parts, { ...task("s1"), signatureId: "s9" })
    world.change(
      (request) => transition(request, { type: "fail", signatureId: "s2", at: SAMPLE_TIME }).request,
    )
    await performSigning(world.parts, task("s2"))
    expect(world.keyUses()).toBe(1)
  })

  it("uses no key for somebody who has not agreed, whatever the job says", async () => {
    const world = newWorld([], ["s1"])
    await performSigning(world.parts, task("s1"))
    expect([world.keyUses(), world.intents(), statusOf(world.request())]).toEqual([0, [], "OPEN"])
  })

  it.each([
    ["the consent is gone", without({ consent: null })],
    ["the signer is gone", (request) => ({ ...request, signatures: request.signatures.slice(1) })],
    ["the signature has ended", without({ state: "declined" })],
    ["the request has ended", (request) => ({ ...request, lifecycle: "withdrawn" })],
  ] satisfies [string, (request: SignatureRequest) => SignatureRequest][])(
    "uses no key when between the intent and the key %s",
    async (_, change) => {
      const world = newWorld(["s1", "s2"])
      const pass = (point: SigningPoint) => void (point === "intent-kept" && world.change(change))
      await performSigning({ ...world.parts, pass }, task("s1"))
      expect([world.intents().length, world.keyUses(), world.marksMade()]).toEqual([1, 0, []])
      expect(world.newest().id).toBe("d1")
    },
  )

  it("makes no mark of a value that was made just before the request ended", async () => {
    const world = newWorld(["s1", "s2"])
    const ending = (request: SignatureRequest) => ({ ...request, lifecycle: "withdrawn" as const })
    const pass = (point: SigningPoint) => void (point === "value-kept" && world.change(ending))
    await performSigning({ ...world.parts, pass }, task("s1"))
    expect([world.keyUses(), world.marksMade(), world.newest().id]).toEqual([1, [], "d1"])
  })

  it("[R22] uses no key for bytes that are not those of the document's row", async () => {
    const world = newWorld(["s1"])
    const other: SigningParts = {
      ...world.parts,
      prepareMark: async (...mark) => ({ ...(await world.parts.prepareMark(...mark)), baseSha256: "other" }),
    }
    await expect(performSigning(other, task("s1"))).rejects.toThrow("not those of its row")
    expect(world.keyUses()).toBe(0)
  })

  it("[R22] keeps no version that is not the document and what was appended", async () => {
    const world = newWorld(["s1"])
    const cut: SigningParts = { ...world.parts, readHeld: () => piecesOf("uploa") }
    await expect(performSigning(cut, task("s1"))).rejects.toThrow("another size")
    expect(world.marksMade()).toEqual([])
  })
})

describe("requestSigning", () => {
  const signer = { businessId: "b1", requestId: "r1", signatureId: "s1" }

  it("writes down the name, the version and the hash of the text, and asks for the mark", async () => {
    const world = newWorld([], ["s1"])
    const sha256 = (text: string) => `hash of ${text.length}`
    const { version, text } = currentConsent()
    const agreed = { name: " Ann ", consentVersion: version, shown: ["d1"] }
    await requestSigning({ ...world.parts, sha256 }, signer, agreed)
    expect(world.request().signatures[0]?.consent).toEqual({
      name: "Ann",
      look: { type: "plain" },
      places: [],
      version,
      language: "en",
      sha256: `hash of ${text.length}`,
      shown: ["d1"],
      at: SAMPLE_TIME,
    })
    expect(world.effects()).toEqual([{ type: "sign", signatureId: "s1", documentId: "d1" }])
    expect(world.evidence()[0]).toMatchObject({
      type: "signature.consented",
      data: { name: "Ann", shown: "d1" },
    })
  })

  it("refuses a consent to another text than today's", async () => {
    const world = newWorld([], ["s1"])
    const agreed = { name: "Ann", consentVersion: "ses-1999-01", shown: ["d1"] }
    const run = requestSigning({ ...world.parts, sha256: () => "" }, signer, agreed)
    await expect(run).rejects.toMatchObject({ code: "consent-outdated" })
    expect(world.effects()).toEqual([])
  })
})

it.each([
  ["no name", { name: " ", shown: ["d1"] }, "constraint-violated"],
  ["a document that was not shown", { name: "Ann", shown: [] }, "consent-outdated"],
  ["a document of somebody else", { name: "Ann", shown: ["d9"] }, "consent-outdated"],
  ["more documents than there are", { name: "Ann", shown: ["d1", "d9"] }, "consent-outdated"],
])("requestSigning refuses %s", async (_, agreed, code) => {
  const world = newWorld([], ["s1"])
  const signer = { businessId: "b1", requestId: "r1", signatureId: "s1" }
  const parts = { ...world.parts, sha256: () => "" }
  const run = requestSigning(parts, signer, { consentVersion: currentConsent().version, ...agreed })
  await expect(run).rejects.toMatchObject({ code })
  expect(world.effects()).toEqual([])
})

it("an intent of a certificate that was replaced is prepared anew, unless it has its value", async () => {
  const world = newWorld(["s1"])
  await expect(performSigning({ ...world.parts, pass: dyingAt("intent-kept") }, task("s1"))).rejects.toThrow()
  const rotated: SigningParts = {
    ...world.parts,
    certificateOf: async () => "new",
    prepareMark: async (...asked) => ({
      ...(await world.parts.prepareMark(...asked)),
      certificateSha256: "new",
    }),
  }
  await expect(performSigning({ ...rotated, pass: dyingAt("value-kept") }, task("s1"))).rejects.toThrow()
  expect(world.intents().map((intent) => intent.prepared.certificateSha256)).toEqual(["new"])
  await performSigning({ ...rotated, certificateOf: async () => "newer" }, task("s1"))
  expect(world.keyUses()).toBe(1)
  expect(statusOf(world.request())).toBe("SIGNED")
})

it("a value whose certificate was revoked before it was stamped gives way to one of the next certificate", async () => {
  const world = newWorld(["s1"])
  const down = async () => {
    throw new Refusal("part-down", "Nobody says that it is good.", { lacks: "revocation" })
  }
  await expect(performSigning({ ...world.parts, raiseMarks: down }, task("s1"))).rejects.toThrow("Nobody")
  const [before] = world.intents()
  const revoked: SigningParts = {
    ...world.parts,
    certificateOf: async () => "next",
    isInVain: async (_, intent) => intent.prepared.certificateSha256 !== "next",
    prepareMark: async (...asked) => ({
      ...(await world.parts.prepareMark(...asked)),
      certificateSha256: "next",
    }),
  }
  await performSigning(revoked, task("s1"))
  const [after, ...more] = world.intents()
  expect(more).toEqual([])
  expect(after?.versionId).not.toBe(before?.versionId)
  expect([world.keyUses(), world.stampsBought(), world.text()]).toEqual([2, 2, "upload+s1="])
  expect(world.marksMade()).toEqual(["s1"])
})

function without(changed: Partial<Signature>) {
  return (request: SignatureRequest): SignatureRequest => ({
    ...request,
    signatures: request.signatures.map((s) => (s.id === "s1" ? { ...s, ...changed } : s)),
  })
}

const task = (signatureId: string) => ({ businessId: "b1", requestId: "r1", signatureId, documentId: "d1" })

const dyingAt = (point: SigningPoint) => (passed: SigningPoint) => {
  if (passed === point) throw new Error(`died at ${point}`)
}

const refusing = (code: RefusalCode) => async () => {
  throw new Refusal(code, "refused by the test")
}

async function* piecesOf(text: string) {
  yield new TextEncoder().encode(text)
}
