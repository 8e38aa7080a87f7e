import type { DeliverCallback } from "@paraph/core/jobs"
import { LIMITS } from "@paraph/core/limits"
import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import { describe, expect, it } from "vitest"
import type { WorkerParts } from "../parts.ts"
import { deliverCallback } from "./deliver-callback.ts"

const OWED_SINCE = new Date("2026-11-02T09:00:00Z")
const job: DeliverCallback = {
  task: "deliver-callback",
  businessId: "b1",
  requestId: "r1",
  type: "success",
  template: "https://example.org/",
  url: "https://a.example/signed",
}

describe("a callback", () => {
  it.each([200, 201, 204, 299])("that is answered %i is completed", async (status) => {
    const world = newWorld({ status })
    await deliverCallback(world.parts, "c1", job)
    expect(world.called).toEqual([job.url])
    expect(world.noted).toEqual([`COMPLETED answered ${status}`])
  })

  it.each([100, 199, 300, 302, 404, 500, 503])(
    "that is answered %i stays owed and is tried again",
    async (status) => {
      const world = newWorld({ status })
      await expect(deliverCallback(world.parts, "c1", job)).rejects.toThrow(`answered ${status}`)
      expect(world.noted).toEqual([`OPEN answered ${status}`])
    },
  )

  it("that reaches nobody stays owed and is tried again", async () => {
    const world = newWorld({ error: new OutboundFailed("connection", "a.example cannot be reached") })
    await expect(deliverCallback(world.parts, "c1", job)).rejects.toThrow("cannot be reached")
    expect(world.noted).toEqual(["OPEN a.example cannot be reached"])
  })

  it("is given up after 72 hours: noted and not thrown, so that those behind it can go on", async () => {
    const past = (ms: number) => new Date(OWED_SINCE.getTime() + LIMITS.callbackRetryMs + ms)
    const early = newWorld({ status: 500, now: past(0) })
    await expect(deliverCallback(early.parts, "c1", job)).rejects.toThrow("answered 500")
    const late = newWorld({ status: 500, now: past(1) })
    await deliverCallback(late.parts, "c1", job)
    expect(late.noted).toEqual(["RESIGNED answered 500"])
  })

  it("that was delivered, given up or is unknown is not called again", async () => {
    for (const state of ["COMPLETED", "RESIGNED", null] as const) {
      const world = newWorld({ status: 204, state })
      await deliverCallback(world.parts, "c1", job)
      expect([world.called, world.noted]).toEqual([[], []])
    }
  })

  it("that meets a fault of ours is not noted as an answer", async () => {
    const world = newWorld({ error: new TypeError("a mistake in our code") })
    await expect(deliverCallback(world.parts, "c1", job)).rejects.toThrow(TypeError)
    expect(world.noted).toEqual([])
  })
})

type World = {
  readonly status?: number
  readonly error?: Error
  readonly now?: Date
  readonly state?: "OPEN" | "COMPLETED" | "RESIGNED" | null
}

function newWorld({ status = 204, error, now = OWED_SINCE, state = "OPEN" }: World) {
  const called: string[] = []
  const noted: string[] = []
  const parts = {
    now: () => now,
    findCallback: async () => (state === null ? undefined : { state, created_at: OWED_SINCE }),
    recordAttempt: async (_: string, outcome: { state: string; message: string }) =>
      void noted.push(`${outcome.state} ${outcome.message}`),
    postCallback: async (url: string) => {
      called.push(url)
      if (error !== undefined) throw error
      return { status }
    },
  }
  return { parts: parts as unknown as WorkerParts, called, noted }
}
