// What each call of the interface takes of the processors, and how much that is beside a bare read in the same run.
import { pdfOfSize } from "../../service/pdf.ts"
import { newAddress, sentTo, uploadTo } from "../../service/requests.ts"
import type { Service } from "../../service/service.ts"
import { AT, inBase64, sealed } from "../../service/validation.ts"
import { type Bench, learnTables, spentBy } from "../harness/bench.ts"
import { type Call, closedLoop, openCaller } from "../harness/drive.ts"
import { median } from "../harness/figure.ts"
import { startBare } from "./read.ts"

const AT_ONCE = 8
const BYTES = 100_000
/** Of the reads that are made; those that start processes are fewer. */
const SHARES = { login: 0.2, upload: 0.05, create: 0.2, read: 1, list: 0.1, validate: 0.03 } as const
type Name = keyof typeof SHARES
const TITLES: Readonly<Record<Name, string>> = {
  login: "log in with an API key",
  upload: "upload 100 kB: sealed, scanned, read in a process of its own",
  create: "create a request with two signers",
  read: "read a request",
  list: "list 50 requests",
  validate: "validate 100 kB with one seal: judged, and its pages compared, in processes of their own",
}

const MANY = { LOGINS_PER_USER: "1000000", LOGINS_PER_ADDRESS: "1000000" }

export const calls = (bench: Bench, { rounds, calls: count }: { rounds: number; calls: number }) =>
  bench.withService({ validation: true, env: MANY }, async (service) => {
    const { id } = await sentTo(service.caller, "v2", [newAddress("a"), newAddress("b")])
    const asked = await callsOf(service, id)
    await service.worker.stop()
    const bare = await startBare(service, id, (await service.caller.get(`/v2/signature-requests/${id}`)).body)
    const [ours, theirs] = [openCaller(service.url, AT_ONCE), openCaller(bare.url, AT_ONCE)]
    const askBare = () =>
      closedLoop(count, AT_ONCE, () => theirs.ask({ method: "GET", path: `/requests/${id}` }))
    await askBare()
    const lines: string[] = []
    for (const name of Object.keys(SHARES) as Name[]) {
      const many = Math.ceil(count * SHARES[name])
      const act = () => closedLoop(many, AT_ONCE, () => ours.ask(asked[name]))
      await act()
      await learnTables(service)
      await act()
      const spent = { api: [] as number[], postgres: [] as number[], bare: [] as number[] }
      for (let n = 0; n < rounds; n += 1) {
        const ofOurs = await spentBy(bench.stack, [service.api.pid], act)
        const ofBare = await spentBy(bench.stack, [bare.pid], askBare)
        spent.api.push(ofOurs.program / many)
        spent.postgres.push(ofOurs.postgres / many)
        spent.bare.push((ofBare.program + ofBare.postgres) / count)
      }
      const [api, postgres] = [median(spent.api), median(spent.postgres)]
      const ratio = (api + postgres) / median(spent.bare)
      const times = ratio < 10 ? ratio.toFixed(1) : String(Math.round(ratio))
      lines.push(`| ${[TITLES[name], api.toFixed(2), postgres.toFixed(2), times].join(" | ")} |`)
    }
    for (const one of [ours, theirs, bare]) one.close()
    return [
      "| call | api and its processes, ms | PostgreSQL, ms | together, × the bare read |",
      "| --- | --- | --- | --- |",
      ...lines,
    ]
  })

/** Each made ready while there is a worker: what is validated has a seal. */
async function callsOf(service: Service, id: string): Promise<Readonly<Record<Name, Call>>> {
  const { caller, username, demoKey, business } = service
  const document = await uploadTo(caller, "v2")
  await service.paraph("admin", "set-feature", "--business", business, "--feature", "sealing", "--on")
  const stamped = await sealed(caller, pdfOfSize(BYTES))
  const headers = { authorization: `Bearer ${caller.token}` }
  const post = (path: string, body: object): Call => ({
    method: "POST",
    path,
    headers,
    body: JSON.stringify(body),
  })
  const get = (path: string): Call => ({ method: "GET", path, headers })
  const signatures = [{ account_email: "a@example.org" }, { account_email: "b@example.org" }]
  return {
    login: post("/v2/access/login", { username, "api-key": demoKey }),
    upload: post("/v2/documents", { title: "Contract", content: inBase64(pdfOfSize(BYTES)) }),
    create: post("/v2/signature-requests", { title: "Contract", document_id: document, signatures }),
    read: get(`/v2/signature-requests/${id}`),
    list: get("/v2/signature-requests?page_size=50"),
    validate: post(`${AT}/validate/document`, { content: inBase64(stamped) }),
  }
}
