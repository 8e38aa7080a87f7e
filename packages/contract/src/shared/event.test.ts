import type { JournalEvent } from "@paraph/core/journal/model"
import { Refusal } from "@paraph/core/refusal"
import { describe, expect, it } from "vitest"
import { readEventQuery, readReplay, writeEvent, writeEventPage } from "./event.ts"

const event: JournalEvent = {
  id: "e1",
  type: "signature.signed",
  createdAt: new Date("2026-11-02T09:00:00Z"),
  requestId: "r1",
  signatureId: "s1",
  documentId: "d1",
  callbackId: null,
  status: "OPEN",
}

describe("an event on the wire", () => {
  it("has the members of the decisions, and only those that there are", () => {
    expect(writeEvent(event)).toEqual({
      id: "e1",
      type: "signature.signed",
      created_at: "2026-11-02T09:00:00.000Z",
      data: { signature_request_id: "r1", signature_id: "s1", document_id: "d1", status_overall: "OPEN" },
    })
    const bare = { ...event, requestId: null, signatureId: null, status: null }
    expect(writeEvent(bare).data).toEqual({ document_id: "d1" })
  })
})

describe("a place in the journal", () => {
  it("is read as it was written, also where a number of JavaScript would not hold it", () => {
    for (const place of [
      { transaction: 0n, number: 1 },
      { transaction: 2n ** 62n, number: 999_999_999_999 },
    ]) {
      const { next } = writeEventPage({ events: [], next: place, hasMore: false })
      expect(readEventQuery({ after: next ?? "" })).toEqual({ after: place, pageSize: 50 })
    }
    expect(readEventQuery({ page_size: "7" })).toEqual({ after: null, pageSize: 7 })
  })

  it.each(["", "x", "MQ", "MSAtMQ", "ZHJvcCB0YWJsZQ"])("is refused where it is none of ours: %s", (after) => {
    expect(() => readEventQuery({ after })).toThrow(Refusal)
  })
})

describe("a replay", () => {
  it("names events by their ids, or by time and type, and not by both", () => {
    const webhook_id = "w1"
    expect(readReplay({ webhook_id, ids: ["e1"] })).toEqual({
      webhookId: "w1",
      which: { type: "ids", ids: ["e1"] },
    })
    expect(readReplay({ webhook_id, after: "2026-11-02T09:00:00Z" })).toEqual({
      webhookId: "w1",
      which: { type: "between", after: event.createdAt, before: null, types: [] },
    })
    expect(() => readReplay({ webhook_id, ids: ["e1"], after: "2026-11-02T09:00:00Z" })).toThrow(Refusal)
  })
})
