// `npm run bench:floods-sign`: how long a production signature takes while another business's demo signatures of a PDF of 50,000
// pages wait (B5). `--tries N`, `--pages N`: fewer of them.
import { availableParallelism, loadavg } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { lease } from "../../scripts/stack/lease.ts"
import { makeTemplate } from "../../scripts/stack/template.ts"
import { type Api, createApi } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress, openRequest } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { useStack } from "../service/settings.ts"
import { openSession, type Signer } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { manyPages } from "./flood-pdfs.ts"
import { median } from "./harness/figure.ts"

const { values } = parseArgs({
  options: { tries: { type: "string", default: "10" }, pages: { type: "string", default: "50000" } },
})
const TRIES = Number(values.tries)
const FLOOD = 10
const LIMIT_MS = 3_000

type Ready = { readonly id: string; readonly api: Api; readonly signer: Signer }

/** A request whose signer has opened the page and has still to sign. */
async function readyToSign(service: Service, api: Api, content: Buffer): Promise<Ready> {
  const upload = await api.post("/v2/documents", { title: "Contract", content: content.toString("base64") })
  if (upload.status !== 200)
    throw new Error(`The upload answered ${upload.status}: ${JSON.stringify(upload.body)}`)
  return readyFor(service, api, upload.body.id)
}

async function readyFor(service: Service, api: Api, documentId: string): Promise<Ready> {
  const email = newAddress("signer")
  const { id } = await openRequest(api, "v2", documentId, { signatures: [{ account_email: email }] })
  return { id, api, signer: await openSession(service.url, await linkMailedTo(email)) }
}

async function press({ signer }: Ready): Promise<void> {
  const { status, body } = await signer.press("Ada Lovelace")
  if (status !== 202) throw new Error(`Signing answered ${status}: ${JSON.stringify(body)}`)
}

const isSigned = async ({ id, api }: Ready): Promise<boolean> =>
  (await api.get(`/v2/signature-requests/${id}`)).body.status_overall === "SIGNED"

async function timeOf(ready: Ready): Promise<number> {
  const began = performance.now()
  await press(ready)
  await until("it is SIGNED", () => isSigned(ready), 300_000)
  return performance.now() - began
}

const stack = await lease(resolve(import.meta.dirname, "../..", ".stack", "bench-stack"), { fast: true })
useStack(stack.stack.dir)
try {
  await makeTemplate(stack.stack)
  const service = await startService({ stack: stack.stack, env: { SWEEP_SECONDS: "3600" } })
  const production = await createApi(service.url, service.username, service.productionKey)
  const attacker = await addUser(service, "attacker", { business: await addBusiness(service, "Flood AG") })
  const contract = contractPdf("A contract.")

  const idle: number[] = []
  for (let n = 0; n < TRIES; n += 1) idle.push(await timeOf(await readyToSign(service, production, contract)))
  console.log(`idle: ${idle.map(Math.round).join(" ")} ms`)

  const prepared: Ready[] = []
  for (let n = 0; n < TRIES; n += 1) prepared.push(await readyToSign(service, production, contract))
  const large = await readyToSign(service, attacker, manyPages(Number(values.pages)))
  const { body } = await attacker.get(`/v2/signature-requests/${large.id}`)
  const waiting = [large]
  for (let n = 0; n < 3 * FLOOD; n += 1) waiting.push(await readyFor(service, attacker, body.document_id))
  console.log(`${waiting.length} demo signers are ready, load ${loadavg()[0]?.toFixed(1)}`)

  const pressed: Ready[] = []
  const signed = async () => (await Promise.all(pressed.map(isSigned))).filter(Boolean).length
  const beside: number[] = []
  for (const ready of prepared) {
    for (let left = pressed.length - (await signed()); left < FLOOD && waiting.length > 0; left += 1) {
      const next = waiting.pop()
      if (next === undefined) break
      await press(next)
      pressed.push(next)
    }
    beside.push(await timeOf(ready))
    console.log(
      `${Math.round(beside.at(-1) ?? 0)} ms, ${await signed()} of ${pressed.length} demo signatures made`,
    )
  }

  const worst = Math.max(...beside)
  const limit = Math.min(LIMIT_MS, 2 * median(idle))
  console.table([
    { what: "idle, median", ms: Math.round(median(idle)) },
    { what: "idle, worst", ms: Math.round(Math.max(...idle)) },
    { what: `beside ${FLOOD} demo signatures, median`, ms: Math.round(median(beside)) },
    { what: `beside ${FLOOD} demo signatures, worst`, ms: Math.round(worst) },
  ])
  const within = beside.filter((ms) => ms <= limit).length
  console.log(`worst to idle median: ${(worst / median(idle)).toFixed(2)}`)
  console.log(`within ${Math.round(limit)} ms: ${within} of ${TRIES}; ${availableParallelism()} cores`)
  await service.close()
} finally {
  await stack.release()
}
