import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Json } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, type Signer } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { startLoad } from "./load.ts"

const PEOPLE = 6

describe("a request is read while people sign it", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  const begin = async () => {
    const people = Array.from({ length: PEOPLE }, () => `reader-${randomUUID()}@example.org`)
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Contract for six",
      content: contractPdf().toString("base64"),
      signatures: people.map((account_email) => ({ account_email })),
    })
    const open = async (who: string) => openSession(service.url, await linkMailedTo(who))
    return { id: body.id as string, signers: await Promise.all(people.map(open)) }
  }

  const atOnce = async (signers: readonly Signer[]) => {
    const pressed = await Promise.all(signers.map((signer, index) => signer.press(`Person ${index}`)))
    expect(pressed.map((answer) => answer.status)).toEqual(Array(PEOPLE).fill(202))
  }
  const oneAfterTheOther = async (signers: readonly Signer[]) => {
    for (const [index, signer] of signers.entries()) {
      expect((await signer.press(`Person ${index}`)).status).toBe(202)
      await until("this one signed", async () => (await signer.view()).body.screen === "done")
    }
  }

  // A reader who looks between two commits sees both halves only now and then, so everything is done four times.
  it.each([
    ["one after the other", 1, oneAfterTheOther],
    ["at once", 1, atOnce],
    ["one after the other", 2, oneAfterTheOther],
    ["at once", 2, atOnce],
  ] as const)("%s (%i): each answer is 200, and whole", async (_, __, signAll) => {
    const { id, signers } = await begin()
    const seen: Json[] = []
    const view = signers[0]?.view
    if (view === undefined) throw new Error("Nobody signs.")
    const read = async () => {
      const answer = await service.caller.get(`/v2/signature-requests/${id}`)
      if (answer.status === 200) seen.push(answer.body)
      return answer
    }
    const [readers, page] = [startLoad({ read }, 4), startLoad({ view }, 1)]
    try {
      await signAll(signers)
      await until("the request is SIGNED", () => seen.at(-1)?.status_overall === "SIGNED")
    } finally {
      await Promise.all([readers.stop(), page.stop()])
    }
    const others = [...readers.answers, ...page.answers].filter((a) => a.status !== 200)
    expect(others.map((a) => `${a.what}: ${a.status} ${a.detail}`)).toEqual([])
    expectWhole(seen)
  })
})

/** SIGNED if and only if all signed; and one version of the document never goes with two counts of signatures. */
function expectWhole(seen: readonly Json[]): void {
  const versions = new Map<string, number>()
  for (const { status_overall, signatures, document_id } of seen) {
    const signed = signatures.filter((s: Json) => s.status_code === "SIGNED").length
    expect([status_overall, signed]).toEqual([signed === PEOPLE ? "SIGNED" : "OPEN", signed])
    expect([document_id, signed]).toEqual([document_id, versions.get(document_id) ?? signed])
    versions.set(document_id, signed)
  }
  // The readers were there: at the beginning, in between and at the end.
  expect(versions.size).toBeGreaterThan(PEOPLE / 2)
}
