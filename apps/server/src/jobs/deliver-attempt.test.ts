import type { Attempted, Claimed } from "@paraph/core/delivery/model"
import { LIMITS } from "@paraph/core/limits"
import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import { describe, expect, it } from "vitest"
import type { DeliveringParts } from "./deliver.ts"
import { attempt } from "./deliver-attempt.ts"

const NOW = new Date("2026-11-02T09:00:00Z")
const whose = { kind: "demo", businessId: "b1", subjectId: "r1" } as const
const of = { id: "c1", claim: "w1", ...whose, retry: false, attempts: 0 }
const giveUpAt = new Date(NOW.getTime() + LIMITS.callbackRetryMs)
const callback: Claimed = { ...of, giveUpAt, to: "callback", url: "https://a.example/signed" }

describe("an attempt at a callback", () => {
  it.each([200, 201, 204, 299])("that is answered %i completes it", async (status) => {
    expect(await attempted({ status })).toEqual([`COMPLETED answered ${status}`])
  })

  it.each([100, 199, 300, 302, 404, 410, 500, 503])("that is answered %i leaves it owed", async (status) => {
    expect(await attempted({ status })).toEqual([`OPEN answered ${status}`])
  })

  it("that reaches nobody leaves it owed", async () => {
    const error = new OutboundFailed("connection", "The connection failed.")
    expect(await attempted({ error })).toEqual(["OPEN The connection failed."])
  })

  it("that meets a fault of ours leaves it owed, and tells the caller nothing of the fault", async () => {
    const error = new TypeError("a mistake in our code")
    expect(await attempted({ error })).toEqual(["OPEN Something went wrong on our side."])
  })

  it("gives it up when 72 hours are over", async () => {
    expect(await attempted({ status: 500 }, { ...callback, attempts: 9, giveUpAt: NOW })).toEqual([
      "RESIGNED answered 500",
    ])
  })

  it("to a webhook that is gone ends what was owed to it", async () => {
    const webhook: Claimed = { ...of, giveUpAt, to: "webhook", webhookId: "w1", eventId: "e1" }
    expect(await attempted({ status: 200 }, webhook)).toEqual([
      "COMPLETED the webhook was removed or stopped",
    ])
  })
})

async function attempted(
  answer: { readonly status: number } | { readonly error: Error },
  claimed: Claimed = callback,
): Promise<readonly string[]> {
  const noted: string[] = []
  const parts = {
    now: () => NOW,
    pass: () => undefined,
    deliverySettings: { slots: 1, firstPauseMs: 5000 },
    random: () => 0,
    metrics: { job: () => undefined },
    log: { info: () => undefined, error: () => undefined },
    postCallback: async () => {
      if ("error" in answer) throw answer.error
      return answer
    },
    postWebhook: async () => null,
    recordAttempt: async (_: Claimed, { message, next }: Attempted) =>
      noted.push(`${next.state} ${message}`) > 0,
  }
  await attempt(parts as unknown as DeliveringParts, claimed)
  return noted
}
