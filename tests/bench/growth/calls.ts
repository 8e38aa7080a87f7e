// The calls that are measured on each database, at the same rate: open loop, in turn, in slices of some seconds.
import { createHash, randomInt } from "node:crypto"
import { createApi } from "../../service/api.ts"
import { uploadTo } from "../../service/requests.ts"
import { openCaller } from "../harness/drive.ts"
import { openLoop, percentile } from "../harness/open-loop.ts"
import { pagesOf } from "../many-requests.ts"
import { BLOCK } from "./copies.ts"
import { type Filled, serve } from "./kept-service.ts"

const PAGE_SIZE = 50
const DEEP = 10_000
const RATES = { create: 10, read: 40, "list, first page": 10, "list, 10,000th page": 10 } as const
export type CallName = keyof typeof RATES
export const CALL_NAMES = Object.keys(RATES) as CallName[]

export type Open = {
  readonly calls: Readonly<Record<CallName, () => Promise<unknown>>>
  readonly slice: (name: CallName, seconds: number) => Promise<readonly number[]>
  /** A token is good for twenty minutes. */
  readonly logInAgain: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openCalls(filled: Filled): Promise<Open> {
  const { url, api, caller } = await serve(filled)
  const document = await uploadTo(caller, "v2")
  const body = JSON.stringify({
    title: "Contract",
    document_id: document,
    signatures: [{ account_email: "a@example.org" }, { account_email: "b@example.org" }],
  })
  const there = Number(
    await filled.sql(`select count(*) from request_reader where business_id = '${filled.business}'`),
  )
  const page = Math.min(DEEP, Math.floor(there / PAGE_SIZE) - 1)
  const { first, deep } = await pagesOf(filled, { query: "", where: "true" }, PAGE_SIZE, page)
  let headers = { authorization: `Bearer ${caller.token}` }
  const http = openCaller(url, 64)
  const get = (path: string) => http.ask({ method: "GET", path, headers })
  const calls: Open["calls"] = {
    create: () => http.ask({ method: "POST", path: "/v2/signature-requests", headers, body }),
    read: () => get(`/v2/signature-requests/${anyOpen(filled)}`),
    "list, first page": () => get(first),
    "list, 10,000th page": () => get(deep),
  }
  return {
    calls,
    slice: (name, seconds) => openLoop({ aSecond: RATES[name], seconds }, calls[name]),
    logInAgain: async () => {
      const { token } = await createApi(url, filled.username, filled.demoKey)
      headers = { authorization: `Bearer ${token}` }
    },
    close: async () => {
      http.close()
      await api.stop()
    },
  }
}

/** Any open one of the caller's, of all that there are: seldom one that was read before. */
function anyOpen({ templates, filledTo }: Filled): string {
  const block = 2 * randomInt(filledTo / (2 * BLOCK))
  const n = block * BLOCK + 2 * randomInt(BLOCK / 2) + 1
  const hex = createHash("md5").update(`${templates.open}${n}`).digest("hex")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

export const told = (ms: readonly number[]) => ({
  calls: ms.length,
  p50: round(percentile(ms, 0.5)),
  p95: round(percentile(ms, 0.95)),
})
const round = (ms: number) => Math.round(ms * 100) / 100
