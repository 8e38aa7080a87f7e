import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import type { SignerSession } from "../login/signer.ts"
import { Refusal } from "../refusal.ts"
import { NO_ARRIVAL } from "../signature-request/exits.ts"
import { transition } from "../signature-request/machine.ts"
import type { SigningTurn } from "../signature-request/model.ts"
import { askForCode, checkSignerCode } from "../signature-request/signer-code.ts"
import { createCodeDesk, identityWith } from "../testing/codes.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import { makeCode } from "./make.ts"
import { askForReleaseCode, checkReleaseCode, releaseNumber } from "./release.ts"

/** What is to be signed is prepared, and the signer is asked for a factor. */
const OFFERED: SigningTurn = {
  releaseId: "l1",
  until: new Date(SAMPLE_TIME.getTime() + 3_600_000),
  provider: null,
  state: "offered",
  name: { name: "Ada Lovelace", givenName: "Ada", surname: "Lovelace", by: "requester", proof: null },
}

const REACH = { reaches: () => true, perBusiness: 100 }

/** One signer, with an e-mail address and a telephone, in two browsers. */
function newDesk(mobile: string | null = "+41 79 123 45 67") {
  const sample = sampleRequest([null])
  const signatures = sample.signatures.map((signature) => ({
    ...signature,
    identity: identityWith(mobile),
  }))
  const start = { type: "start", members: [], at: SAMPLE_TIME } as const
  const read = transition({ ...sample, signatures }, start).request
  const [reader] = read.signatures
  if (reader === undefined) throw new Error("Nobody signs.")
  const signature = { ...reader, consent: sampleConsent(), turn: OFFERED }
  const request = { ...read, signatures: [signature] }
  let now = request
  const desk = createCodeDesk(() => [now])
  let clock = SAMPLE_TIME.getTime()
  const parts = { ...desk, now: () => new Date(clock), smsReach: REACH }
  const session = (browser = 1): SignerSession => ({
    businessId: "b1",
    kind: "demo",
    requestId: "r1",
    signatureId: "s1",
    idHash: Uint8Array.of(browser),
    way: "preview",
    arrival: NO_ARRIVAL,
  })
  const of = (binding: string, browser?: number) => ({
    session: session(browser),
    request,
    signature,
    binding,
  })
  return {
    evidence: desk.evidence,
    number: () => releaseNumber({ request, signature }, REACH),
    pass: (ms: number) => {
      clock += ms
    },
    ask: (binding: string) =>
      desk.transact("b1", (tx) =>
        askForReleaseCode(tx, REACH, { ...of(binding), network: "n1" }, parts.now()),
      ),
    check: (binding: string, code: string, browser?: number) =>
      desk.transact("b1", (tx) => checkReleaseCode(tx, parts, of(binding, browser), code, parts.now())),
    /** What the worker sends for each job, where it still sends something. */
    work: async () => {
      const sent = []
      for (const { requestId, signatureId, number, purpose } of desk.jobs)
        sent.push(await makeCode(parts, { businessId: "b1", requestId, signatureId, number, purpose }))
      return sent.filter((each) => each !== null)
    },
    /** Back at the document, and then at the release again. */
    goBack: () => {
      now = read as typeof request
    },
    goOn: () => {
      now = request
    },
    askForMailbox: () => askForCode(parts, session(), "n1"),
    checkMailbox: (code: string) =>
      checkSignerCode(parts, session(), code).catch((error: unknown) =>
        error instanceof Refusal ? error.code : Promise.reject(error),
      ),
  }
}

describe("a code that releases a signature", () => {
  it("[R29] goes to the telephone, never to the mailbox, and counts once, for what it was asked for", async () => {
    const desk = newDesk()
    expect(desk.number()).toBe("+41 79 ••• •• 67")
    await desk.ask("hash 1")
    expect(await desk.check("hash 1", "500001")).toBe("locked")
    const [sent] = await desk.work()
    expect(sent).toMatchObject({ purpose: "release", to: { channel: "sms", number: "+41791234567" } })
    const code = sent?.code ?? ""
    expect(await desk.check("hash 2", code)).toBe("locked")
    expect(await desk.check("hash 1", code, 2)).toBe("locked")
    expect(await desk.check("hash 1", "000000")).toEqual({ left: 4 })
    expect(await desk.check("hash 1", code)).toBe("right")
    expect(desk.evidence).toMatchObject([
      { type: "factor.passed", data: { kind: "sms-code", to: "+41791234567", purpose: "release" } },
    ])
    expect(JSON.stringify(desk.evidence)).not.toContain(code)
    // A job that runs again after the use does not bring it back to life.
    expect(await desk.check("hash 1", code)).toBe("locked")
    expect(await desk.work()).toEqual([])
    expect(await desk.check("hash 1", code)).toBe("locked")
  })

  it("is none that proves the mailbox, and the other way round", async () => {
    const desk = newDesk()
    await desk.ask("hash 1")
    const [release] = await desk.work()
    desk.goBack()
    await desk.askForMailbox()
    // Nobody who went back is sent a code that releases something.
    const [mailbox, ...more] = await desk.work()
    expect(more).toEqual([])
    expect(mailbox).toMatchObject({ purpose: "mailbox", to: { channel: "mail", email: "s1@example.org" } })
    expect(await desk.checkMailbox(release?.code ?? "")).toBe("code-wrong")
    desk.goOn()
    expect(await desk.check("hash 1", mailbox?.code ?? "")).toEqual({ left: 4 })
    expect(await desk.check("hash 1", release?.code ?? "")).toBe("right")
  })

  it("is replaced by one for something else, is over after 10 minutes, and is the same over all attempts of its job", async () => {
    const desk = newDesk()
    await desk.ask("hash 1")
    const [first] = await desk.work()
    expect(await desk.work()).toEqual([first])
    desk.pass(LIMITS.codeResendMs)
    await desk.ask("hash 2")
    const [second, ...more] = await desk.work()
    expect([second?.code === first?.code, more]).toEqual([false, []])
    expect(await desk.check("hash 1", first?.code ?? "")).toBe("locked")
    desk.pass(LIMITS.codeMs)
    expect(await desk.check("hash 2", second?.code ?? "")).toBe("locked")
  })

  it("is for those whose number we know and reach, and for something", async () => {
    for (const mobile of [null, "079 123 45 67"]) {
      const desk = newDesk(mobile)
      expect(desk.number()).toBeNull()
      await expect(desk.ask("hash 1")).rejects.toThrow("no mobile number")
    }
    await expect(newDesk().ask("")).rejects.toThrow("A release of nothing.")
  })
})
