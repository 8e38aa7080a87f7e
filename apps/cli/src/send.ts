import { existsSync, statSync } from "node:fs"
import { basename } from "node:path"
import type { AnyRequest, Paraph } from "@paraph/sdk"
import { COMMANDS } from "./commands.ts"
import { NotUnderstood } from "./not-understood.ts"
import { print } from "./printed.ts"
import { exitCodeOf, requestTold } from "./request-told.ts"
import { asking, serviceOf } from "./service.ts"
import { watched } from "./status.ts"
import { textOf, textsOf, typed } from "./synopsis.ts"
import { download, upload } from "./transfer.ts"

type Wanted = {
  readonly files: readonly string[]
  readonly title: string
  readonly message: string | undefined
  readonly quality: "SES" | "AES" | "QES" | undefined
  readonly to: readonly string[]
  readonly inOrder: boolean
  readonly expires: string | undefined
}

/** `paraph send`: PDFs to people. With --wait it ends as `paraph status` would. */
export async function send(words: readonly string[]): Promise<number> {
  const { values, positionals } = typed(COMMANDS.send.usage, words)
  const output = textOf(values, "output")
  const files = positionals.map(pdfAt)
  const [first] = files
  if (first === undefined) throw new NotUnderstood("paraph send: which files?")
  const to = textsOf(values, "to")
  if (to.length === 0) throw new NotUnderstood("--to is needed: who signs?")
  // Before anything is sent; the service looks at it more closely.
  const wrong = to.find((address) => !/^[^@\s]+@[^@\s]+$/.test(address))
  if (wrong !== undefined) throw new NotUnderstood(`--to: ${wrong} is not a mail address.`)
  const wanted: Wanted = {
    ...{ files, to, title: textOf(values, "title") ?? basename(first), message: textOf(values, "message") },
    ...{ quality: qualityOf(textOf(values, "quality")), inOrder: values["in-order"] === true },
    expires: dayOf(textOf(values, "expires")),
  }
  if (output !== undefined) mustBeWritable(output, values.wait === true, files.length)
  const service = serviceOf()
  const sent = await asking(() => sendWith(service, wanted))
  if (values.wait !== true) {
    print({ value: sent, words: requestTold(sent) }, values.json === true)
    return 0
  }
  console.error(`Sent as ${sent.id}.`)
  const end = await asking(() => watched(service, sent.id))
  if (output !== undefined && end.status_overall === "SIGNED")
    await asking(() => download(service, end.document_id, output))
  print({ value: end, words: requestTold(end) }, values.json === true)
  return exitCodeOf(end)
}

/** Version 2 is the stable one; only version 3 knows several documents and the day on which a request ends. */
async function sendWith(service: Paraph, wanted: Wanted): Promise<AnyRequest> {
  const ids: string[] = []
  for (const file of wanted.files) ids.push(await upload(service, file))
  const { title, message, quality, expires } = wanted
  const terms = { title, ...(message && { message }), ...(quality && { quality }) }
  const signatures = wanted.to.map((account_email, i) => ({
    account_email,
    ...(wanted.inOrder && { sequence: i + 1 }),
  }))
  const [document_id = ""] = ids
  if (ids.length === 1 && expires === undefined)
    return service.v2.post("/signature-requests", { body: { ...terms, document_id, signatures } })
  const body = {
    ...{ ...terms, signatures, documents: ids.map((id) => ({ id })) },
    ...(expires && { expires_at: expires }),
  }
  const draft = await service.v3.post("/signature-requests", { body })
  await service.v3.post("/signature-requests/{id}/initiate", { path: { id: draft.id } })
  return service.v3.get("/signature-requests/{id}", { path: { id: draft.id } })
}

function pdfAt(path: string): string {
  if (!existsSync(path) || !statSync(path).isFile()) throw new NotUnderstood(`${path} cannot be read.`)
  return path
}

/** Found out before anybody is written to. */
function mustBeWritable(output: string, waits: boolean, count: number): void {
  if (!waits)
    throw new NotUnderstood("--output needs --wait: there is nothing to write before all have signed.")
  if (count > 1) throw new NotUnderstood("--output is for one file.")
  if (existsSync(output)) throw new NotUnderstood(`${output} is there already, and is not overwritten.`)
}

function qualityOf(told: string | undefined): Wanted["quality"] {
  if (told === undefined || told === "SES" || told === "AES" || told === "QES") return told
  throw new NotUnderstood("--quality is SES, AES or QES.")
}

function dayOf(told: string | undefined): string | undefined {
  if (told === undefined || (/^\d{4}-\d\d-\d\d$/.test(told) && !Number.isNaN(Date.parse(told)))) return told
  throw new NotUnderstood("--expires is a day, such as 2030-01-31.")
}
