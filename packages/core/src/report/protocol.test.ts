import { describe, expect, it } from "vitest"
import type { Caller } from "../access/caller.ts"
import type { ToldEvent, ToldStory } from "../evidence/model.ts"
import type { SealJob } from "../jobs.ts"
import { LIMITS } from "../limits.ts"
import type { Reading, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import type { SealedReport } from "../validation/ports.ts"
import type { ProtocolOf } from "./ports.ts"
import { protocolOf } from "./protocol.ts"
import { protocolToMail, readProtocol, readSealedProtocol } from "./read.ts"
import { reasonOf, type SealProtocolParts, sealProtocol } from "./seal-protocol.ts"

const at = (seconds: number): Date => new Date(SAMPLE_TIME.getTime() + seconds * 1000)
type Data = ToldEvent["data"]
type Happened = readonly [type: string, signatureId: string | null, data?: Data]
const told = (...events: readonly Happened[]): ToldStory => ({
  events: events.map(([type, signatureId, data = {}], i) => ({
    ...{ seq: i + 1, type, at: at(i), signatureId, data, salt: new Uint8Array(32), body: "{}" },
    logged: i < 3 ? { index: i, path: [] } : null,
  })),
  log: null,
})

describe("protocolOf", () => {
  const request = sampleRequest([1])
  const [signature] = request.signatures
  const [document] = request.documents
  if (signature === undefined || document === undefined) throw new Error("A sample without parts.")
  const { id: s } = signature
  const { id: documentId } = document

  it("tells from the evidence who did what, from where and with which certificate", () => {
    const protocol = protocolOf(
      request,
      told(
        ["request.created", null, { documentId, sha256: "aa" }],
        ["signature.opened", s, { ip: "192.0.2.1" }],
        ["factor.passed", s, { kind: "e-mail-code", to: "s1@example.org", ip: "192.0.2.1" }],
        [
          "signature.consented",
          s,
          {
            name: "Ada",
            consentVersion: "1",
            language: "de",
            consentSha256: "bb",
            through: "e-mail code",
            ip: "192.0.2.7",
          },
        ],
        [
          "mark.made",
          s,
          { documentId, versionId: "v1", sha256: "cc", certificateSha256: "dd", subject: "CN=Us" },
        ],
        ["document.renewed", null, { documentId, versionId: "v2", sha256: "ee" }],
        ["request.completed", null, { status: "SIGNED" }],
      ),
    )
    expect(protocol.people[0]).toMatchObject({
      ...{ name: "Ada", nameBy: "signer", ipAddresses: ["192.0.2.1", "192.0.2.7"] },
      consent: { at: at(3), version: "1", language: "de", sha256: "bb", through: "e-mail code" },
      factors: [{ at: at(2), kind: "e-mail-code", to: "s1@example.org" }],
      certificates: [{ sha256: "dd", subject: "CN=Us", issuer: null, serialNumber: null }],
    })
    expect(protocol.documents[0]).toMatchObject({
      ...{ sha256: "aa", uploadedAt: at(0) },
      versions: [
        { id: "v1", sha256: "cc", signatureId: s },
        { id: "v2", sha256: "ee", signatureId: null },
      ],
    })
    expect(protocol.endedAt).toEqual(at(6))
    expect(protocol.events.map(({ logged }) => logged)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it("names a person by the certificate before what was typed, and by the requester before nothing", () => {
    const named = (of: SignatureRequest, ...events: readonly Happened[]) => {
      const [person] = protocolOf(of, told(...events)).people
      return [person?.name, person?.nameBy]
    }
    expect(named(request)).toEqual([null, null])
    const identity = { provider: null, mobileNumber: null, issuingCountry: null, identityReference: null }
    const stated = { ...signature, identity: { ...identity, firstName: "Ann", lastName: "Example" } }
    expect(named({ ...request, signatures: [stated] })).toEqual(["Ann Example", "requester"])
    const typed = ["signature.consented", s, { name: "Ada" }] as const
    expect(named(request, typed)).toEqual(["Ada", "signer"])
    const turn = ["signature.turn-taken", s, { name: "Ada Lovelace", nameBy: "account" }] as const
    expect(named(request, typed, turn)).toEqual(["Ada Lovelace", "account"])
    const offered = ["key.offered", s, { name: "LOVELACE Ada", nameBy: "certificate" }] as const
    expect(named(request, typed, turn, offered)).toEqual(["LOVELACE Ada", "certificate"])
  })

  it("[B3] says who checked the name of a person, and when", () => {
    const proof = { nameSource: "bob@acme.example", nameAt: "2026-11-18T09:00:00.000Z" }
    const turn = ["signature.turn-taken", s, { name: "Ada Lovelace", nameBy: "member", ...proof }] as const
    const [person] = protocolOf(request, told(turn)).people
    expect(person?.nameProof).toEqual({ source: "bob@acme.example", at: "2026-11-18T09:00:00.000Z" })
  })

  it("[B11] has every name on one line, and says where one was flagged", () => {
    const person = (...events: readonly Happened[]) => protocolOf(request, told(...events)).people[0]
    const consented = (name: string) => ["signature.consented", s, { name }] as const
    const flagged = ["signature.name-flagged", s, { name: "x", warning: "mixed-scripts" }] as const
    expect(person(consented("Ada\n\u202eLove\u200blace"))).toMatchObject({
      ...{ name: "Ada Lovelace", nameWarning: null },
    })
    expect(person(consented("\u0410da"))).toMatchObject({ name: "\u0410da", nameWarning: "mixed-scripts" })
    expect(person(consented("Ada"), flagged)).toMatchObject({ name: "Ada", nameWarning: "mixed-scripts" })
    expect(person(consented("\u200b"))).toMatchObject({ name: null, nameBy: null })
    expect(protocolOf({ ...request, creator: "a\u202e@b.example" }, told()).sender).toBe("a@b.example")
  })
})

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

/** One request in memory, and a worker that seals by writing down what it was given. */
function newWorld() {
  const request = sampleRequest([1])
  let story = told(["request.created", null])
  const kept = new Map<string, SealedReport & { lastSeq: number | null }>()
  const jobs: SealJob[] = []
  const used: object[] = []
  const isWhole = (of: ProtocolOf) => kept.get(of.language)?.lastSeq === story.events.length
  const reading = {
    findRequest: async (id: string) => (id === request.id ? request : null),
    findStory: async () => story,
    findProtocol: async (of: ProtocolOf) => (isWhole(of) ? (kept.get(of.language) ?? null) : null),
    findNewestProtocol: async ({ language }: ProtocolOf) => kept.get(language) ?? null,
    isProtocolOrdered: async ({ language }: ProtocolOf) => kept.get(language)?.pdf === null,
  }
  const tx = {
    orderProtocol: async (of: ProtocolOf) => {
      if (kept.get(of.language)?.pdf === null || isWhole(of)) return false
      kept.set(of.language, { pdf: null, waitingFor: null, lastSeq: null })
      return true
    },
    keepProtocol: async ({ language }: ProtocolOf, pdf: Uint8Array, lastSeq: number) => {
      kept.set(language, { pdf, waitingFor: null, lastSeq })
      return true
    },
    noteProtocolWaits: async ({ language }: ProtocolOf, waitingFor: SealedReport["waitingFor"]) =>
      void kept.set(language, { pdf: null, waitingFor, lastSeq: null }),
    enqueueSealing: async (job: SealJob) => void jobs.push(job),
    appendEvidence: async () => {
      throw new Error("A protocol leaves no evidence.")
    },
  }
  const around = {
    now: () => SAMPLE_TIME,
    read: <T>(_: string, work: (one: Reading) => Promise<T>) => work(reading as unknown as Reading),
    transact: <T>(_: string, work: (one: Tx) => Promise<T>) => work(tx as unknown as Tx),
  }
  const sealing: SealProtocolParts = {
    ...around,
    catchUpLog: async (kind) => void used.push({ caughtUp: kind }),
    pass: () => undefined,
    mustHold: async (_, kind) => void used.push({ held: kind }),
    reportSealer: async (kind) => ({
      ...{ name: `The service, ${kind}`, keyLabel: `${kind}-reports` },
      ...{ certificate: new Uint8Array([1]), chain: [] },
    }),
    writeProtocol: async ({ protocol, language, sealer }) =>
      Buffer.from(`[${protocol.events.length} ${language} ${sealer}]`),
    holdBytes: async (_, bytes) => {
      let whole = ""
      for await (const piece of bytes) whole += text(piece)
      return { sha256: whole, release: async () => undefined } as never
    },
    sha256Of: (bytes) => text(bytes as Uint8Array),
    prepareMark: async (held, options) => {
      used.push(options)
      return { baseSha256: held.sha256 } as never
    },
    signBytes: async () => Buffer.from("signed"),
    stampValue: async () => Buffer.from("stamped"),
    finishMark: (_, value, stamp) => Buffer.from(`[${text(value)} ${stamp && text(stamp)}]`),
    raiseMarks: async (_, __, { to }) => ({ tail: Buffer.from(`[${to}]`), archiveEndsAt: null }) as never,
  }
  const work = async (parts: SealProtocolParts) => {
    for (const job of jobs.splice(0)) if (job.task === "seal-protocol") await sealProtocol(parts, job)
  }
  const caller: Caller = {
    ...{ businessId: request.businessId, userId: request.ownerId, username: request.owner },
    ...{ keyId: "k1", kind: request.kind },
  }
  const of: ProtocolOf = { requestId: request.id, language: "de" }
  return {
    ...{ request, caller, of, sealing, work, kept, jobs, used },
    reading: { ...around, mayOrderProtocol: () => undefined, protocolIsOver: () => work(sealing) },
    nobody: { ...around, mayOrderProtocol: () => undefined, protocolIsOver: async () => false },
    happens: () => {
      story = told(["request.created", null], ["request.started", null])
    },
  }
}

describe("the sealed protocol", () => {
  it("is written when the log has caught up and holds, sealed for the archive, and says what it is", async () => {
    const { reading, caller, of, used, request } = newWorld()
    expect(text(await readSealedProtocol(reading, caller, of))).toBe(
      `[1 de The service, ${request.kind}][signed stamped][B-LTA]`,
    )
    expect(used).toMatchObject([
      { caughtUp: request.kind },
      { held: request.kind },
      { reason: reasonOf(request.id), positions: [] },
    ])
  })

  it("is made once until something happens, and then anew", async () => {
    const world = newWorld()
    const first = await readSealedProtocol(world.reading, world.caller, world.of)
    expect(await readSealedProtocol(world.reading, world.caller, world.of)).toBe(first)
    world.happens()
    expect(text(await readSealedProtocol(world.reading, world.caller, world.of))).toContain("[2 de")
  })

  it("is paid for by whoever has it made, and by nobody who gets what is kept or is being made", async () => {
    const world = newWorld()
    const ordered: number[] = []
    const paying = { ...world.reading, mayOrderProtocol: () => void ordered.push(1) }
    const first = await readSealedProtocol(paying, world.caller, world.of)
    expect(await readSealedProtocol(paying, world.caller, world.of)).toBe(first)
    expect(ordered).toHaveLength(1)
    world.happens()
    const nobody = { ...world.nobody, mayOrderProtocol: paying.mayOrderProtocol }
    for (const _ of [1, 2]) await expect(readSealedProtocol(nobody, world.caller, world.of)).rejects.toThrow()
    expect(ordered).toHaveLength(2)
    expect(world.jobs).toHaveLength(1)
  })

  it("is neither told nor ordered for somebody who may not read the request", async () => {
    const world = newWorld()
    const stranger = { ...world.caller, userId: "u9", username: "nobody" }
    const refused = { code: "not-found" }
    await expect(readSealedProtocol(world.reading, stranger, world.of)).rejects.toMatchObject(refused)
    await expect(readProtocol(world.reading, stranger, world.request.id)).rejects.toMatchObject(refused)
    expect(world.jobs).toEqual([])
  })

  it("is waited for by a mail for a day; then the mail goes without it", async () => {
    const world = newWorld()
    const { businessId } = world.request
    const after = (ms: number) => ({ ...world.nobody, now: () => new Date(SAMPLE_TIME.getTime() + ms) })
    const mailed = (ms: number) => protocolToMail(after(ms), businessId, world.of, SAMPLE_TIME)
    for (const ms of [0, LIMITS.sealRetryMs])
      await expect(mailed(ms)).rejects.toMatchObject({ code: "part-down" })
    expect(await mailed(LIMITS.sealRetryMs + 1)).toBe("late")
    // Made at last, it is attached however late it is.
    const made = await protocolToMail(world.reading, businessId, world.of, new Date(0))
    expect(text(made as Uint8Array)).toContain("[1 de")
    const gone = { ...world.of, requestId: "nobody's" }
    expect(await protocolToMail(world.nobody, businessId, gone, SAMPLE_TIME)).toBe("gone")
  })

  it("is not sealed where the log has something else, and says what it waits for", async () => {
    const world = newWorld()
    await expect(readSealedProtocol(world.nobody, world.caller, world.of)).rejects.toMatchObject({
      code: "part-down",
      message: "The report was not sealed in time.",
    })
    const job = { task: "seal-protocol", businessId: world.request.businessId, ...world.of } as const
    const broken = {
      ...world.sealing,
      mustHold: async () => {
        throw new Error("not what the log has")
      },
    }
    await expect(sealProtocol(broken, job)).rejects.toThrow("not what the log has")
    expect(world.kept.get("de")).toMatchObject({ pdf: null, waitingFor: null })
    const keyless = {
      ...world.sealing,
      reportSealer: async () => {
        throw new Refusal("part-down", "No keys.", { lacks: "keys" })
      },
    }
    await expect(sealProtocol(keyless, job)).rejects.toThrow("No keys.")
    await expect(readSealedProtocol(world.nobody, world.caller, world.of)).rejects.toThrow(
      "The key that seals reports cannot be reached.",
    )
  })
})
