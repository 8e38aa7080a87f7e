import { expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { createCodeDesk, identityWith } from "../testing/codes.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import { type Checking, checkCode } from "./check.ts"
import type { Destination } from "./destination.ts"
import { telephoneOf } from "./destination.ts"
import type { OneTimeCode } from "./model.ts"

const REACH = { reaches: () => true, perBusiness: 100 }
const MAIL = { channel: "mail", email: "Ada@example.org", kind: "production" } as const
const smsOf = (kind: "demo" | "production"): Destination => {
  const { signatures } = sampleRequest([null])
  const [signature] = signatures.map((each) => ({ ...each, identity: identityWith("+41 79 123 45 67") }))
  const to = signature && telephoneOf(kind, signature, REACH)
  if (!to) throw new Error("expected a number that is reached, got none")
  return to
}

/** Each code is for a signature of its own, so that only the counts of a day bound the guesses. */
function newDesk() {
  const requests: SignatureRequest[] = []
  const desk = createCodeDesk(() => requests)
  let signatures = 0
  const newChecking = async (to: Destination, businessId: string): Promise<Checking> => {
    signatures += 1
    const of = {
      purpose: "mailbox",
      signatureId: `s${signatures}`,
      sessionHash: Uint8Array.of(1),
      binding: "",
    } as const
    const asked = {
      ...of,
      number: 1,
      askedAt: SAMPLE_TIME,
      attemptsLeft: LIMITS.codeAttempts,
      asked: [],
      wrong: 0,
    }
    const code: OneTimeCode = { ...asked, codeHash: null }
    const codeHash = desk.hashSignerCode(code, "123456").current
    await desk.transact(businessId, (tx) => tx.saveCode({ ...code, codeHash }))
    return { of, to, businessId }
  }
  const check = async (to: Destination, businessId: string, typed: string) => {
    const checking = await newChecking(to, businessId)
    return desk.transact(businessId, (tx) => checkCode(tx, desk.hashSignerCode, checking, typed, SAMPLE_TIME))
  }
  return {
    right: (to: Destination, businessId: string) => check(to, businessId, "123456"),
    async wrong(to: Destination, businessId: string, count: number) {
      const answers = []
      for (let n = 0; n < count; n += 1) answers.push(await check(to, businessId, "000000"))
      return answers.filter((each) => each !== "locked").length
    },
  }
}

it.each([
  ["mail", MAIL, { ...MAIL, kind: "demo" } as const],
  ["SMS", smsOf("production"), smsOf("demo")],
])("[B8] wrong codes by %s count for one business and mode", async (_, production, demo) => {
  const desk = newDesk()
  expect(await desk.wrong(demo, "b1", 30)).toBe(LIMITS.codesWrongPerAddress)
  expect(await desk.right(demo, "b1")).toBe("locked")
  for (const [to, business] of [
    [demo, "b2"],
    [production, "b1"],
    [production, "b2"],
  ] as const)
    expect(await desk.right(to, business)).toBe("right")
  // Nor do right codes use up the share.
  for (let n = 0; n < LIMITS.codesWrongPerAddress; n += 1)
    expect(await desk.right(production, "b1")).toBe("right")
  expect(await desk.wrong(production, "b1", 30)).toBe(LIMITS.codesWrongPerAddress)
})

it("[B8] wrong codes of all businesses together end for one destination after a high number", async () => {
  const desk = newDesk()
  let wrong = 0
  for (let business = 0; business < 12; business += 1) wrong += await desk.wrong(MAIL, `b${business}`, 30)
  expect(wrong).toBe(LIMITS.codesWrongInAll)
  expect(await desk.right(MAIL, "another")).toBe("locked")
  expect(await desk.right({ ...MAIL, kind: "demo" }, "another")).toBe("right")
})
