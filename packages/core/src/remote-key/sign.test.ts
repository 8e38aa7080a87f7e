import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import type { Event } from "../signature-request/event.ts"
import { transition } from "../signature-request/machine.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { minutes, NAME, sampleIntent, sampleRelease } from "../testing/released.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import { newWorld } from "../testing/world.ts"
import { cameBack } from "./come-back.ts"
import type { AskedRemotely, RemoteAnswer } from "./ports.ts"
import { performRemoteSigning } from "./sign.ts"

const TOKEN = { accessToken: "t", expiresAt: minutes(30).toISOString(), credentialId: null }
const TASK = { businessId: "b1", requestId: "r1", signatureId: "s1", releaseId: "k1" }
const of = { signatureId: "s1", releaseId: "k1" }
const VALUE = Uint8Array.of(7)

/** A request whose signer has logged in at the provider and is asked to release two minutes later. */
function offered(): SignatureRequest {
  const taken = { ...of, consent: sampleConsent(), until: minutes(30), name: NAME, provider: "qtsp" }
  const name = { ...NAME, name: "Ann M. Example", by: "certificate" } as const
  const events: readonly Event[] = [
    { type: "start", members: [], at: SAMPLE_TIME },
    { type: "take-turn", ...taken, at: minutes(0) },
    { type: "log-in", ...of, at: minutes(1) },
    { type: "offer-release", ...of, certificateSha256: "c1", name, at: minutes(2) },
  ]
  const empty = sampleRequest([null], { quality: "QES", legislation: "EIDAS" })
  return events.reduce((request, event) => transition(request, event).request, empty)
}

/** Released, with what is on record then; the provider answers what `answers` says, and then that it is done. */
async function released(answers: readonly RemoteAnswer[] = []) {
  const world = newWorld([])
  let now = minutes(3)
  const asked: AskedRemotely[] = []
  const parts = {
    ...world.parts,
    now: () => now,
    sha256: (text: string) => text,
    sha256Of: () => "h1",
    signRemotely: async (what: AskedRemotely): Promise<RemoteAnswer> => {
      asked.push(what)
      return answers[asked.length - 1] ?? { state: "signed", values: [VALUE] }
    },
  }
  world.change(offered)
  await world.parts.transact("b1", async (tx) => {
    await tx.keepIntent(sampleIntent())
    const key = { provider: "qtsp", credentialId: "cred", algorithm: { name: "a", signAlgo: "1" } }
    await tx.insertRelease({ ...sampleRelease(), key: { at: "provider", ...key }, until: minutes(30) })
    await tx.insertRemoteSigning({ ...of, provider: "qtsp" }, minutes(0))
  })
  await cameBack(parts, { ...TASK, visit: "release" }, TOKEN)
  const run = async (attempt?: number) => {
    try {
      await performRemoteSigning(parts, TASK, attempt)
      return "done"
    } catch (error) {
      return error instanceof Refusal ? (error.lacks ?? error.code) : String(error)
    }
  }
  const pass = (to: Date) => {
    now = to
  }
  return { world, parts, asked, run, pass }
}

const turnOf = (world: ReturnType<typeof newWorld>) => world.request().signatures[0]?.turn ?? null
const signs = (world: ReturnType<typeof newWorld>) =>
  world.effects().filter(({ type }) => type === "sign").length

describe("what a person released at a provider", () => {
  it("is signed once, its values are on record before any document is finished, and the token goes", async () => {
    const { world, asked, run } = await released()
    expect(world.effects().at(-1)).toEqual({ type: "sign-remotely", ...of })
    expect(signs(world)).toBe(0)
    expect(await run()).toBe("done")
    expect([asked.length, signs(world), world.intents()[0]?.value]).toEqual([1, 1, VALUE])
    expect(world.remotes()[0]).toMatchObject({ token: null, leasedUntil: null })
    expect(world.request().signatures[0]?.consent?.name).toBe("Ann M. Example")
  })

  it("is asked for again in the very same words while no answer comes, by number where there is one", async () => {
    const { asked, run, world } = await released([
      { state: "later", mayHaveSigned: true },
      { state: "pending", responseId: "42" },
      { state: "pending", responseId: "42" },
    ])
    expect([await run(), await run(), await run(), await run()]).toEqual([
      "provider",
      "provider",
      "provider",
      "done",
    ])
    expect(asked.map(({ responseId }) => responseId)).toEqual([null, null, "42", "42"])
    expect(new Set(asked.map(({ responseId: _, ...rest }) => JSON.stringify(rest))).size).toBe(1)
    expect(signs(world)).toBe(1)
  })

  it("that the provider refuses ends the turn: nothing is agreed to, and the person may sign again", async () => {
    const { world, run } = await released([{ state: "no", problem: "expired" }])
    expect(await run()).toBe("done")
    expect([turnOf(world), world.request().signatures[0]?.consent, signs(world)]).toEqual([null, null, 0])
    expect(world.remotes()[0]).toMatchObject({ problem: "expired", token: null })
    expect(world.evidence().at(-1)).toMatchObject({
      type: "signature.turn-ended",
      data: { problem: "expired" },
    })
  })

  it("that may have been signed when the provider says no is told to be lost", async () => {
    const { world, run } = await released([
      { state: "later", mayHaveSigned: true },
      { state: "no", problem: "expired" },
    ])
    await run()
    await run()
    expect(world.remotes()[0]?.problem).toBe("lost")
  })

  it("is asked for by one process at a time, and by the next when that one died", async () => {
    const { world, run, pass, asked } = await released()
    const lease = { now: minutes(3), until: minutes(6) }
    await world.parts.transact("b1", (tx) => tx.leaseRemote("k1", lease))
    expect([await run(), asked.length]).toEqual(["provider", 0])
    pass(minutes(6))
    expect([await run(), asked.length]).toEqual(["done", 1])
  })

  it("that one process was too slow to hear refused is not undone, when another has the signatures", async () => {
    const { world, parts, pass, run } = await released()
    const slow = performRemoteSigning(
      {
        ...parts,
        signRemotely: async () => {
          pass(minutes(7))
          expect(await run()).toBe("done")
          return { state: "no", problem: "expired" }
        },
      },
      TASK,
    )
    await slow
    expect([turnOf(world)?.state, world.intents()[0]?.value]).toEqual(["released", VALUE])
  })

  it("is given up after three days without an answer", async () => {
    const never = Array.from({ length: 3 }, () => ({ state: "later", mayHaveSigned: false }) as const)
    const { world, run, pass } = await released(never)
    expect(await run()).toBe("provider")
    pass(minutes(72 * 60 + 4))
    // One clock that is days ahead is not three days.
    expect(await run(2)).toBe("provider")
    const tried = [await run(LIMITS.leastAttempts), turnOf(world), world.remotes()[0]?.problem]
    expect(tried).toEqual(["done", null, "unreachable"])
  })

  it("is brought once: a second return, a late one, and one of another turn change nothing", async () => {
    const { world, parts, asked } = await released()
    const before = world.request()
    const way = { ...TASK, visit: "release" } as const
    await cameBack(parts, way, TOKEN)
    await cameBack(parts, { ...way, visit: "log-in" }, TOKEN)
    await cameBack(parts, { ...way, releaseId: "k2" }, TOKEN)
    await cameBack(parts, way, "refused")
    expect([world.request(), asked.length]).toEqual([before, 0])
  })

  it("whatever the provider answers, and in whatever order: one turn is signed at most once, or ended once", async () => {
    const answer = fc.oneof(
      fc.record({ state: fc.constant("later" as const), mayHaveSigned: fc.boolean() }),
      fc.record({ state: fc.constant("pending" as const), responseId: fc.constantFrom("1", "2") }),
      fc.record({ state: fc.constant("no" as const), problem: fc.constantFrom("expired", "failed") }),
      fc.constant({ state: "signed" as const, values: [VALUE] }),
    ) as fc.Arbitrary<RemoteAnswer>
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 12 }), async (answers) => {
        const { world, asked, run } = await released(answers)
        for (let attempt = 0; attempt < answers.length + 2; attempt += 1) await run()
        const final = answers.findIndex(({ state }) => state === "no" || state === "signed")
        const isRefused = answers[final]?.state === "no"
        const ended = world.evidence().filter(({ type }) => type === "signature.turn-ended").length
        const kept = world.intents().filter(({ value }) => value !== null).length
        expect([kept, ended]).toEqual(isRefused ? [0, 1] : [1, 0])
        // Who has all signatures, or none for good, asks no more for this release.
        if (isRefused) expect(asked.length).toBe(final + 1)
        expect(signs(world) > 0).toBe(!isRefused)
      }),
      { numRuns: 300 },
    )
  })
})
