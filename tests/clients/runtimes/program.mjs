// The same program for every runtime: nothing in it is of one of them but how it reads its input.
import process from "node:process"

const { sdk, url, username, apiKey, signer, pdf, hook } = JSON.parse(process.argv[2])
const { createParaph, verifyWebhook } = await import(sdk)

const say = (told) => process.stdout.write(`${JSON.stringify(told)}\n`)

const paraph = createParaph({ url, username, apiKey })
const content = new Blob([Uint8Array.from(atob(pdf), (each) => each.charCodeAt(0))])
const document = await paraph.v2.uploadDocument({ title: "Lease", content: content.stream() })
const body = { title: "Lease", document_id: document.id, signatures: [{ account_email: signer }] }
const request = await paraph.v2.post("/signature-requests", { body })
say({ id: request.id })

const signed = await paraph.v2.waitUntilSigned(request.id, { timeout: 120_000 })
const answer = await paraph.v2.download("/documents/{id}/content", { path: { id: signed.document_id } })
const bytes = new Uint8Array(await answer.arrayBuffer())
const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
const sha256 = Array.from(digest, (each) => each.toString(16).padStart(2, "0")).join("")

const listed = []
for await (const each of paraph.v2.list("/signature-requests", { query: { page_size: "1" } }))
  listed.push(each.id)
const event = await verifyWebhook(hook)
say({ status: signed.status_overall, sha256, listed, event: event.type })
