import { describe, expect, it } from "vitest"
import type { Document } from "../document/model.ts"
import type { Evidence } from "../evidence/model.ts"
import { LIMITS } from "../limits.ts"
import type { StoredBlob, Transact, Tx } from "../ports.ts"
import { Refusal, type RefusalCode } from "../refusal.ts"
import { currentConsent } from "./consent.ts"
import type { Intent } from "./intent.ts"
import { type Effect, transition } from "./machine.ts"
import { type SignatureRequest, statusOf } from "./model.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "./sample.ts"
import {
  performSigning,
  requestSigning,
  SIGNING_POINTS,
  type SigningParts,
  type SigningPoint,
} from "./sign.ts"

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
    expect(world.text()).toBe("upload+s1")
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
      putBlob: async (...blob) => {
        seen.value = world.intents()[0]?.value !== null
        return world.parts.putBlob(...blob)
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
      expect(world.text()).toBe("upload+s1")
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
    expect(world.text()).toBe("upload+s2+s1")
    expect(statusOf(world.request())).toBe("SIGNED")
    expect(world.marksMade()).toEqual(["s2", "s1"])
    expect(world.intents()).toHaveLength(3)
    expect(world.newest().parentId).toBe(world.request().signatures[1]?.marks[0]?.versionId)
  })

  it("by two workers at once makes one mark, and none of the two harms it", async () => {
    const world = newWorld(["s1", "s2"])
    await Promise.allSettled([1, 2].map(() => performSigning(world.parts, task("s1"))))
    await performSigning(world.parts, task("s1"))
    expect(world.text()).toBe("upload+s1")
    expect(world.marksMade()).toEqual(["s1"])
  })

  it("of everyone at once ends with a mark of each, one after the other", async () => {
    const signers = ["s1", "s2", "s3", "s4"]
    const world = newWorld(signers)
    await Promise.all(signers.map((signer) => performSigning(world.parts, task(signer))))
    expect(statusOf(world.request())).toBe("SIGNED")
    expect(world.text().split("+").sort()).toEqual([...signers, "upload"])
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
    const run = performSigning({ ...down, now: () => new Date(hours72) }, task("s1"))
    await expect(run).rejects.toMatchObject({ code: "part-down" })
    expect(statusOf(world.request())).toBe("OPEN")
    await performSigning({ ...down, now: () => new Date(hours72 + 1) }, task("s1"))
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

  it("signs no document whose stored bytes have another size than its row says", async () => {
    const world = newWorld(["s1"])
    const cut: SigningParts = { ...world.parts, readBlob: () => piecesOf("uploa") }
    await expect(performSigning(cut, task("s1"))).rejects.toThrow("another size")
    const long: SigningParts = { ...world.parts, readBlob: () => piecesOf("upload and more") }
    await expect(performSigning(long, task("s1"))).rejects.toThrow()
    expect(world.keyUses()).toBe(0)
  })
})

describe("requestSigning", () => {
  const signer = { businessId: "b1", requestId: "r1", signatureId: "s1" }

  it("writes down the name, the version and the hash of the text, and asks for the mark", async () => {
    const world = newWorld([], ["s1"])
    const sha256 = (text: string) => `hash of ${text.length}`
    const { version, text } = currentConsent()
    const agreed = { name: "Ann", consentVersion: version }
    await requestSigning({ ...world.parts, sha256 }, signer, agreed)
    expect(world.request().signatures[0]?.consent).toEqual({
      name: "Ann",
      version,
      language: "en",
      sha256: `hash of ${text.length}`,
      at: SAMPLE_TIME,
    })
    expect(world.effects()).toEqual([{ type: "sign", signatureId: "s1", documentId: "d1" }])
    expect(world.evidence()[0]).toMatchObject({
      type: "signature.consented",
      data: { name: "Ann", documents: "d1" },
    })
  })

  it("refuses a consent to another text than today's", async () => {
    const world = newWorld([], ["s1"])
    const agreed = { name: "Ann", consentVersion: "ses-1999-01" }
    const run = requestSigning({ ...world.parts, sha256: () => "" }, signer, agreed)
    await expect(run).rejects.toMatchObject({ code: "consent-outdated" })
    expect(world.effects()).toEqual([])
  })
})

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

type State = {
  readonly requests: Map<string, SignatureRequest>
  readonly documents: Map<string, Document>
  readonly intents: Map<string, Intent>
  readonly evidence: Evidence[]
  readonly effects: Effect[]
}

/** A world in memory. A transaction works on a copy that becomes the state when it ends well; one at a time. */
function newWorld(agreed: readonly string[], undecided: readonly string[] = []) {
  const request = started([...agreed, ...undecided], agreed)
  let state: State = {
    requests: new Map([[request.id, request]]),
    documents: new Map([["d1", upload]]),
    intents: new Map(),
    evidence: [],
    effects: [],
  }
  let last: Promise<unknown> = Promise.resolve()
  const transact: Transact = (_, work) => {
    const result = last.then(async () => {
      const copy = copyOf(state)
      const answer = await work(txOn(copy))
      state = copy
      return answer
    })
    last = result.catch(() => undefined)
    return result
  }
  const { parts, blobs, keyUses } = partsOn(transact)
  const newest = () => {
    const document = state.documents.get(requestOf(state).documents[0]?.newestId ?? "")
    if (document === undefined) throw new Error("The newest version is missing.")
    return document
  }
  return {
    parts,
    keyUses,
    newest,
    request: () => requestOf(state),
    change: (to: (request: SignatureRequest) => SignatureRequest) =>
      void state.requests.set("r1", to(requestOf(state))),
    intents: () => [...state.intents.values()],
    evidence: () => state.evidence,
    effects: () => state.effects,
    text: () => new TextDecoder().decode(blobs.get(newest().blob.name)),
    marksMade: () => state.evidence.filter((e) => e.type === "mark.made").map((e) => e.signatureId),
  }
}

const upload: Document = {
  id: "d1",
  businessId: "b1",
  kind: "demo",
  ownerId: "u1",
  owner: "acme-integration",
  title: "Contract",
  contentType: "application/pdf",
  sizeBytes: "upload".length,
  sha256: "",
  pageCount: 1,
  pageWidth: 595,
  pageHeight: 842,
  parentId: null,
  blob: { name: "blob of d1", wrappedKey: new Uint8Array() },
  readAccess: [],
  writeAccess: [],
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
}

function started(signers: readonly string[], agreed: readonly string[]): SignatureRequest {
  let request = transition(sampleRequest(signers.map(() => null)), { type: "start", at: SAMPLE_TIME }).request
  for (const signatureId of agreed) {
    const consent = sampleConsent()
    request = transition(request, { type: "consent", signatureId, consent, at: SAMPLE_TIME }).request
  }
  return request
}

const requestOf = (state: State): SignatureRequest => {
  const request = state.requests.get("r1")
  if (request === undefined) throw new Error("The request is missing.")
  return request
}

const copyOf = (state: State): State => ({
  requests: new Map(state.requests),
  documents: new Map(state.documents),
  intents: new Map(state.intents),
  evidence: [...state.evidence],
  effects: [...state.effects],
})

function txOn(state: State): Tx {
  const key = (i: Pick<Intent, "signatureId" | "documentId" | "baseId">) =>
    `${i.signatureId} ${i.documentId} ${i.baseId}`
  const keep = (intent: Intent): Intent => {
    state.intents.set(key(intent), intent)
    return intent
  }
  return {
    insertDocument: async (document) => {
      if (state.documents.has(document.id)) throw new Error("There is a document with this id.")
      state.documents.set(document.id, document)
    },
    findDocument: async (id) => state.documents.get(id) ?? null,
    insertRequest: async (request) => void state.requests.set(request.id, request),
    findRequest: async (id) => state.requests.get(id) ?? null,
    lockRequest: async (id) => state.requests.get(id) ?? null,
    saveRequest: async (request) => void state.requests.set(request.id, request),
    appendEvidence: async (_, evidence) => void state.evidence.push(...evidence),
    enqueue: async (_, effects) => void state.effects.push(...effects),
    findIntent: async (signatureId, documentId, baseId) =>
      state.intents.get(key({ signatureId, documentId, baseId })) ?? null,
    keepIntent: async (intent) => state.intents.get(key(intent)) ?? keep(intent),
    keepValue: async (intent, value) => {
      const kept = state.intents.get(key(intent)) ?? intent
      return kept.value === null ? keep({ ...kept, value }) : kept
    },
  }
}

/** The mark is the signer's id, appended; the raw value is a number that no second use of the key repeats. */
function partsOn(transact: Transact) {
  const blobs = new Map([["blob of d1", new TextEncoder().encode("upload")]])
  let uses = 0
  let ids = 0
  const parts: SigningParts = {
    transact,
    readBlob: async function* (_, { name }) {
      yield blobs.get(name) ?? new Uint8Array()
    },
    putBlob: async (_, sizeBytes, bytes): Promise<StoredBlob> => {
      const whole: number[] = []
      for await (const piece of bytes) whole.push(...piece)
      if (whole.length !== sizeBytes) throw new Error("The bytes have another size than was said.")
      const name = `blob ${blobs.size}`
      blobs.set(name, Uint8Array.from(whole))
      return { blob: { name, wrappedKey: new Uint8Array() }, sha256: "" }
    },
    prepareMark: async (_, { fieldName }) => ({
      signedAttributes: "",
      certificateSha256: "",
      baseSha256: "",
      engine: fieldName.replace("Paraph-", ""),
    }),
    signBytes: async () => {
      uses += 1
      return Uint8Array.of(uses)
    },
    finishMark: ({ engine }) => new TextEncoder().encode(`+${engine}`),
    now: () => SAMPLE_TIME,
    newId: () => `v${++ids}`,
    pass: () => undefined,
  }
  return { parts, blobs, keyUses: () => uses }
}
