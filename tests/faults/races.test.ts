import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Json } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, type Signer } from "../service/signer.ts"
import { until } from "../service/until.ts"

const PAIRS = 15

type Contest = { readonly id: string; readonly signer: Signer; readonly second: Signer }
/** The answers of the two, and how the request looks when all jobs are done; null when it is gone. */
type Ended = { readonly pressed: Answer; readonly opposed: Answer; readonly request: Json | null }

let service: Service
let documentId: string
beforeAll(async () => {
  service = await startService()
  documentId = await uploadTo(service.caller, "v2")
})
afterAll(() => service?.close())

const at = (id: string, rest = "") => `/v2/signature-requests/${id}${rest}`
const statuses = ({ pressed, opposed, request }: Ended) =>
  `${pressed.status} ${opposed.status} ${request?.status_overall ?? "gone"}`

/** What the opponent does, and every pair of answers that is legal, with what is owed to the callback addresses after it. */
const RACES: Readonly<
  Record<
    string,
    {
      readonly opponent: (contest: Contest) => Promise<Answer>
      readonly legal: Readonly<Record<string, readonly string[]>>
    }
  >
> = {
  "the request is withdrawn": {
    opponent: ({ id }) => service.caller.post(at(id, "/withdraw"), undefined),
    legal: {
      "202 200 WITHDRAWN": ["error"],
      "400 200 WITHDRAWN": ["error"],
      "202 400 SIGNED": ["success"],
    },
  },
  "the request is deleted": {
    opponent: ({ id }) => service.caller.delete(at(id)),
    // Signed before it was deleted: then its success is still told.
    legal: { "202 204 gone": ["", "success"], "401 204 gone": [""], "404 204 gone": [""] },
  },
  "the signer declines in another window": {
    opponent: ({ second }) => second.decline("No."),
    legal: { "202 400 SIGNED": ["success"], "400 200 DECLINED": ["error"] },
  },
  "a signer is added": {
    opponent: ({ id }) => service.caller.post(at(id, "/signatures"), entry("v2", newAddress("late"))),
    legal: { "202 200 OPEN": ["update"], "202 400 SIGNED": ["success"] },
  },
}

describe("who presses “sign” at the moment at which", () => {
  it.each(Object.keys(RACES))(`%s: ${PAIRS} times, and only one of them wins`, async (name) => {
    const race = RACES[name]
    if (race === undefined) throw new Error("There is no such race.")
    const contests = await Promise.all(Array.from({ length: PAIRS }, newContest))
    const answers = await Promise.all(
      contests.map(async (contest, n) => {
        const press = () => contest.signer.press("Ann Example")
        const oppose = () => race.opponent(contest)
        // Each of them is sent first now and then.
        if (n % 2 === 0) return Promise.all([press(), oppose()])
        const opposing = oppose()
        return [await press(), await opposing] as const
      }),
    )
    await signingIsDone()
    for (const [n, [pressed, opposed]] of answers.entries()) {
      const id = contests[n]?.id ?? ""
      const read = await service.caller.get(at(id))
      const ended = { pressed, opposed, request: read.status === 404 ? null : read.body }
      expect(Object.keys(race.legal)).toContain(statuses(ended))
      expect(race.legal[statuses(ended)]).toContain(await owedOf(id))
      expect(await rowsOf(id)).toBe(ended.request === null ? "0" : String(ended.request.signatures.length))
    }
  })

  it("no job of a loser has failed", async () => {
    const failed = "state = 'failed' or retry_count > 0"
    expect(
      await service.sql(`select count(*) from jobs.job where name = 'sign-document' and (${failed})`),
    ).toBe("0")
  })
})

async function newContest(): Promise<Contest> {
  const email = newAddress("racer")
  const url = (type: string) => `https://integrator.example/${type}`
  const { id } = await openRequest(service.caller, "v2", documentId, {
    signatures: [entry("v2", email)],
    callback_success_url: url("success"),
    callback_update_url: url("update"),
    callback_error_url: url("error"),
  })
  const link = await linkMailedTo(email)
  const [signer, second] = [await openSession(service.url, link), await openSession(service.url, link)]
  return { id, signer, second }
}

const signingIsDone = () =>
  until("every signing job is done", async () => {
    const open = "select count(*) from jobs.job where name = 'sign-document' and state < 'completed'"
    return (await service.sql(open)) === "0"
  })

const owedOf = (id: string) =>
  service.sql(`select string_agg(type, ' ' order by place) from delivery where subject_id = '${id}'`)
const rowsOf = (id: string) => service.sql(`select count(*) from signature where request_id = '${id}'`)
