import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import { NO_ARRIVAL } from "../signature-request/exits.ts"
import { transition } from "../signature-request/machine.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { askForCode } from "../signature-request/signer-code.ts"
import { createCodeDesk, identityWith } from "../testing/codes.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"

const PER_BUSINESS = 12
const NUMBERS = ["+41 79 123 45 67", "+49 151 2345678"] as const

/** Somebody without an e-mail address, whom one business asks for one signature. */
function asked(nth: number, kind: "demo" | "production", businessId: string, mobile: string) {
  const request = sampleRequest([null], { id: `r${nth}`, businessId, kind })
  const signatures = request.signatures.map((signature) => ({
    ...signature,
    id: `s${nth}`,
    email: null,
    identity: identityWith(mobile),
  }))
  const start = { type: "start", members: [], at: SAMPLE_TIME } as const
  return transition({ ...request, signatures }, start).request
}

const REQUESTS: readonly SignatureRequest[] = (["production", "demo"] as const).flatMap((kind, of) =>
  ["b1", "b2"].flatMap((business, which) =>
    NUMBERS.map((mobile, nth) => asked(4 * of + 2 * which + nth, kind, business, mobile)),
  ),
)

function newDesk() {
  const desk = createCodeDesk(() => REQUESTS)
  let clock = SAMPLE_TIME.getTime()
  const smsReach = { reaches: () => true, perBusiness: PER_BUSINESS }
  return {
    now: () => clock,
    pass: (ms: number) => {
      clock += ms
    },
    ask: (request: SignatureRequest, network: string) =>
      askForCode(
        { ...desk, now: () => new Date(clock), smsReach },
        {
          businessId: request.businessId,
          kind: request.kind,
          requestId: request.id,
          signatureId: request.signatures[0]?.id ?? "",
          idHash: Uint8Array.of(1),
          way: "preview",
          arrival: NO_ARRIVAL,
        },
        network,
      ).then(
        () => true,
        (error: unknown) => (error instanceof Refusal ? false : Promise.reject(error)),
      ),
  }
}

type Sent = { readonly at: number; readonly request: SignatureRequest; readonly network: string }
const numberOf = ({ signatures }: SignatureRequest) => signatures[0]?.identity?.mobileNumber
const dayOf = (ms: number) => Math.floor(ms / 86_400_000)

/** The limits, said once more over the list of all that was sent. */
function mayBeSent(sent: readonly Sent[], { at, request, network }: Sent): boolean {
  const count = (fits: (one: Sent) => boolean) => sent.filter(fits).length
  const isSame = (one: Sent) => one.request.id === request.id
  const isThere = (one: Sent) =>
    dayOf(one.at) === dayOf(at) &&
    one.request.kind === request.kind &&
    numberOf(one.request) === numberOf(request)
  const isTheirs = (one: Sent) =>
    dayOf(one.at) === dayOf(at) &&
    one.request.kind === "production" &&
    one.request.businessId === request.businessId
  return (
    count((one) => isSame(one) && at - one.at < LIMITS.codeResendMs) === 0 &&
    count((one) => isSame(one) && at - one.at < 3_600_000) < LIMITS.codesPerHour &&
    count(isSame) < LIMITS.smsPerSignature &&
    count(isThere) < LIMITS.smsPerNumber &&
    count((one) => isThere(one) && one.network === network) < LIMITS.smsPerNetwork &&
    (request.kind === "demo" || count(isTheirs) < PER_BUSINESS)
  )
}

describe("codes by SMS", () => {
  it("are sent exactly as often as the limits say: of a signature, a number, a network and a business", async () => {
    const step = fc.record({
      which: fc.nat(REQUESTS.length - 1),
      network: fc.constantFrom("n1", "n2", "n3"),
      // Half a minute, an hour less a bit, an hour, half a day.
      wait: fc.constantFrom(0, 1000, 30_000, 60_000, 3_599_000, 3_600_000, 43_200_000),
    })
    let reached = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 160 }), async (steps) => {
        const desk = newDesk()
        const sent: Sent[] = []
        for (const { which, network, wait } of steps) {
          desk.pass(wait)
          const request = REQUESTS[which] as SignatureRequest
          const one = { at: desk.now(), request, network }
          const may = mayBeSent(sent, one)
          expect(await desk.ask(request, network)).toBe(may)
          if (may) sent.push(one)
          else reached += 1
        }
      }),
    )
    expect(reached).toBeGreaterThan(100)
  })

  it("what a demo key does to a number takes nothing from those who sign there in earnest", async () => {
    const desk = newDesk()
    const of = (kind: "demo" | "production") =>
      REQUESTS.find((each) => each.kind === kind) as SignatureRequest
    for (const network of ["n1", "n2", "n3"])
      for (let sent = 0; sent < 5; sent += 1) {
        desk.pass(3_600_000 / 5)
        expect(await desk.ask(of("demo"), network)).toBe(network !== "n3")
      }
    expect(await desk.ask(of("production"), "n1")).toBe(true)
  })

  it("end for one signature after 20, however long somebody waits", async () => {
    const desk = newDesk()
    const [request] = REQUESTS as [SignatureRequest]
    for (let sent = 0; sent < LIMITS.smsPerSignature; sent += 1) {
      desk.pass(86_400_000)
      expect(await desk.ask(request, "n1")).toBe(true)
    }
    desk.pass(365 * 86_400_000)
    expect(await desk.ask(request, "n1")).toBe(false)
  })
})
