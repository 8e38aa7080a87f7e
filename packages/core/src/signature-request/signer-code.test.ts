import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Evidence } from "../evidence/model.ts"
import { LIMITS } from "../limits.ts"
import type { SignerSession } from "../login/signer.ts"
import { shortenedAddress } from "../one-time-code/destination.ts"
import { makeCode } from "../one-time-code/make.ts"
import { type OneTimeCode, proofOf } from "../one-time-code/model.ts"
import type { Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import { NO_ARRIVAL } from "./exits.ts"
import { transition } from "./machine.ts"
import { askForCode, checkSignerCode, codeOfSession } from "./signer-code.ts"

/** One signature, two browsers at its preview, and a worker; a transaction that throws leaves nothing behind. */
function newDesk() {
  const request = transition(sampleRequest([null]), { type: "start", members: [], at: SAMPLE_TIME }).request
  let code: OneTimeCode | null = null
  let clock = SAMPLE_TIME.getTime()
  let others = 0
  const proved = new Set<number>()
  const evidence: Evidence[] = []
  const jobs: number[] = []
  const mailed: string[] = []
  let counts = new Map<string, number>()
  const session = (browser: number): SignerSession => ({
    businessId: "b1",
    kind: "demo",
    requestId: "r1",
    signatureId: "s1",
    idHash: Uint8Array.of(browser),
    way: proved.has(browser) ? "code" : "preview",
    arrival: NO_ARRIVAL,
  })
  const transact: Transact = async (_, work) => {
    const before = code
    const counted = new Map(counts)
    const tx = {
      lockRequest: async () => request,
      lockCode: async () => code,
      saveCode: async (to: OneTimeCode) => {
        code = to
      },
      addToday: async (what: string, key: string, at: Date, more: number) => {
        const name = `${what} ${key} ${at.toISOString().slice(0, 10)}`
        counts.set(name, (counts.get(name) ?? 0) + more)
        return counts.get(name)
      },
      proveSession: async ([browser = 0]: Uint8Array) => void proved.add(browser),
      sessionLanguage: async () => "de",
      enqueue: async (_: unknown, [effect]: readonly { number: number }[]) =>
        void jobs.push(effect?.number ?? 0),
      appendEvidence: async (_: string, more: readonly Evidence[]) => void evidence.push(...more),
    } as unknown as Tx
    try {
      return await work(tx)
    } catch (error) {
      code = before
      counts = counted
      throw error
    }
  }
  const hashSignerCode = ({ sessionHash, number }: OneTimeCode, text: string) => ({
    pepperId: "one",
    current: Uint8Array.from(`${sessionHash[0]} ${number} ${text}`, (c) => c.charCodeAt(0)),
    earlier: [],
  })
  const signerCodeFor = ({ number }: OneTimeCode) => String(100_000 + 1000 * others + number)
  const smsReach = { reaches: () => false, perBusiness: 0 }
  const parts = { transact, now: () => new Date(clock), hashSignerCode, signerCodeFor, smsReach }
  const answer = (run: Promise<unknown>) =>
    run.then(
      () => "ok",
      (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error)),
    )
  return {
    evidence,
    mailed,
    proved,
    code: () => code,
    proof: (browser: number) => proofOf(code, codeOfSession(session(browser)), new Date(clock)),
    pass: (ms: number) => {
      clock += ms
    },
    ask: (browser: number, network = "n1") => answer(askForCode(parts, session(browser), network)),
    /** Another signature of the same person: nothing is known of a code for it. */
    another: () => {
      code = null
      others += 1
    },
    check: (browser: number, text: string) => answer(checkSignerCode(parts, session(browser), text)),
    work: async () => {
      for (const number of jobs.splice(0)) {
        const of = { businessId: "b1", requestId: "r1", signatureId: "s1", number }
        const done = await makeCode(parts, of)
        if (done !== null) mailed.push(done.code)
      }
    },
  }
}

describe("a code", () => {
  it("makes a preview more than that, once, and is evidence", async () => {
    const desk = newDesk()
    expect(await desk.check(1, "100001")).toBe("code-locked")
    expect(await desk.ask(1)).toBe("ok")
    await desk.work()
    expect(await desk.check(2, "100001")).toBe("code-locked")
    expect(await desk.check(1, "100001")).toBe("ok")
    expect([...desk.proved]).toEqual([1])
    expect(desk.evidence).toMatchObject([{ type: "factor.passed", data: { kind: "e-mail-code" } }])
    expect(await desk.check(2, "100001")).toBe("code-locked")
  })

  it("is asked for again after 30 seconds, five times an hour, and never after 15 wrong ones", async () => {
    const desk = newDesk()
    expect([await desk.ask(1), await desk.ask(1)]).toEqual(["ok", "rate-limited"])
    desk.pass(LIMITS.codeResendMs)
    for (let sent = 1; sent < LIMITS.codesPerHour; sent += 1) {
      expect(await desk.ask(1)).toBe("ok")
      desk.pass(LIMITS.codeResendMs)
    }
    expect(await desk.ask(1)).toBe("rate-limited")
    let asked = 0
    for (; asked < 100; asked += 1) {
      desk.pass(3_600_000)
      if ((await desk.ask(1)) === "code-locked") break
      await desk.work()
      for (let tries = 0; tries < LIMITS.codeAttempts; tries += 1) await desk.check(1, "000000")
    }
    expect(asked).toBe(LIMITS.codesWrongEver / LIMITS.codeAttempts)
    desk.pass(365 * 86_400_000)
    expect(await desk.ask(1)).toBe("code-locked")
  })

  it("is guessed at 20 times a day for one person, over all their signatures", async () => {
    const desk = newDesk()
    const guess = async () => {
      desk.another()
      await desk.ask(1, String(desk.mailed.length))
      await desk.work()
      const answers: string[] = []
      for (let tries = 0; tries < 4; tries += 1) answers.push(await desk.check(1, "000000"))
      return answers
    }
    for (let signatures = 0; signatures < 5; signatures += 1)
      expect(await guess()).toEqual(Array(4).fill("code-wrong"))
    expect(await guess()).toEqual(Array(4).fill("code-locked"))
    // Not even the right one.
    expect(await desk.check(1, desk.mailed.at(-1) ?? "")).toBe("code-locked")
    desk.pass(86_400_000)
    expect((await guess())[0]).toBe("code-wrong")
    expect(await desk.check(1, desk.mailed.at(-1) ?? "")).toBe("ok")
  })

  it("is sent ten times a day because of one network, 40 times in all; what is refused does not count", async () => {
    const desk = newDesk()
    const ask = (network: string) => {
      desk.another()
      return desk.ask(1, network)
    }
    for (const network of ["n1", "n2", "n3"]) {
      for (let sent = 0; sent < LIMITS.codesPerNetwork; sent += 1) expect(await ask(network)).toBe("ok")
      for (let more = 0; more < 20; more += 1) expect(await ask(network)).toBe("rate-limited")
    }
    for (let sent = 0; sent < LIMITS.codesPerNetwork; sent += 1) expect(await ask("n4")).toBe("ok")
    expect(await ask("n5")).toBe("rate-limited")
    desk.pass(86_400_000)
    expect(await ask("n1")).toBe("ok")
  })

  it("shows another session nothing of it", async () => {
    const desk = newDesk()
    await desk.ask(1)
    expect(desk.proof(1)).toMatchObject({ sentAt: SAMPLE_TIME, attemptsLeft: 5 })
    expect(desk.proof(2)).toEqual({ sentAt: null, resendAt: null, attemptsLeft: 5 })
    desk.pass(LIMITS.codeMs)
    expect(desk.proof(1).sentAt).toBeNull()
  })

  it("is the only way on, whatever is tried in whichever order", async () => {
    const browser = fc.constantFrom(1, 2)
    const step = fc.oneof(
      fc.record({ do: fc.constant("ask" as const), browser }),
      fc.record({ do: fc.constant("work" as const), browser }),
      fc.record({
        do: fc.constant("guess" as const),
        browser,
        code: fc.constantFrom("000000", "", "100000"),
      }),
      // What was mailed at any time, by whoever.
      fc.record({ do: fc.constant("type" as const), browser, nth: fc.nat(3) }),
      fc.record({
        do: fc.constant("wait" as const),
        browser,
        ms: fc.constantFrom(1000, 30_000, 599_999, 600_000),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const desk = newDesk()
        for (const each of steps) {
          const before = desk.code()
          const wasProved = desk.proved.has(each.browser)
          const text =
            each.do === "type" ? (desk.mailed.at(each.nth) ?? "") : each.do === "guess" ? each.code : ""
          if (each.do === "ask") await desk.ask(each.browser)
          if (each.do === "work") await desk.work()
          if (each.do === "wait") desk.pass(each.ms)
          if (each.do === "guess" || each.do === "type") await desk.check(each.browser, text)
          if (wasProved || !desk.proved.has(each.browser)) continue
          // Somebody got in just now: by typing the newest code, in the browser that asked for it, in time.
          expect(each.do).toBe("type")
          expect(text).toBe(desk.mailed.at(-1))
          expect(before?.sessionHash).toEqual(Uint8Array.of(each.browser))
          expect(before?.attemptsLeft).toBeGreaterThan(0)
          expect(desk.code()?.codeHash).toBeNull()
        }
        expect(desk.evidence).toHaveLength(desk.proved.size)
      }),
    )
  })
})

it.each([
  ["ada.lovelace@example.org", "a•••@example.org"],
  ["x@y", "x•••@y"],
  ["@y", "•••@y"],
])("%s is shown as %s", (email, shown) => expect(shortenedAddress(email)).toBe(shown))
