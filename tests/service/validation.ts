import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import type { Answer, Api } from "./api.ts"
import { FORM, filePart, form } from "./forms.ts"

/** Below the address of the service; VALIDATION_BASE_URL may give it a host of its own. */
export const AT = "/validation/v1"

export const inBase64 = (pdf: Uint8Array): string => Buffer.from(pdf).toString("base64")

/** By Base64 in JSON; `query` such as "quality=QES". */
export const validate = (api: Api, pdf: Uint8Array, query = "", headers = {}): Promise<Answer> =>
  api.post(`${AT}/validate/document${query === "" ? "" : `?${query}`}`, { content: inBase64(pdf) }, headers)

/** By a form with the part `content`. */
export const validateForm = (api: Api, pdf: Uint8Array, query = ""): Promise<Answer> =>
  api.post(`${AT}/validate/document${query === "" ? "" : `?${query}`}`, form([filePart(pdf)]), {
    "content-type": FORM,
  })

/** A document with the company's seal, and so with one signature. */
export async function sealed(api: Api, pdf: Uint8Array): Promise<Buffer> {
  const made = await api.post("/v2/seal", { content: inBase64(pdf) })
  if (made.status !== 200) throw new Error(`The seal answered ${made.status}: ${made.body?.message}`)
  return (await api.get(`/v2/documents/${made.body.document_id}/content`)).bytes
}

/** As a proxy asks that serves several hosts. */
export async function asHost(
  url: string,
  host: string,
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = request(`${url}${path}`, {
    method,
    headers: { host, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, text: Buffer.concat(await answer.toArray()).toString() }
}

/** One more revision, with another content of the first page of `contractPdf`. */
export const changedAfterwards = (signed: Buffer, text: string): Buffer =>
  withStream(signed, 5, `BT /F1 18 Tf 72 720 Td (${text}) Tj ET`)

/** One more revision, in which an object is this stream; those before it have classic tables. */
export function withStream(signed: Buffer, number: number, stream: string): Buffer {
  const plain = signed.toString("latin1")
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(plain)?.[1]
  const trailer = plain.slice(plain.lastIndexOf("trailer"))
  const [size, root] = [/\/Size (\d+)/.exec(trailer)?.[1], /\/Root (\d+ \d+ R)/.exec(trailer)?.[1]]
  if (previous === undefined || size === undefined || root === undefined)
    throw new Error("The document does not end in a table.")
  const object = `${number} 0 obj\n<</Length ${stream.length}>>stream\n${stream}\nendstream\nendobj\n`
  const at = String(plain.length).padStart(10, "0")
  const table = `xref\n${number} 1\n${at} 00000 n \ntrailer\n<</Size ${size}/Root ${root}/Prev ${previous}>>\n`
  const end = `startxref\n${plain.length + object.length}\n%%EOF\n`
  return Buffer.from(plain + object + table + end, "latin1")
}
