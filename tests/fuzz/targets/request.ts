// The bodies and queries of the interface, by the schemas as the server checks them: what is read keeps its meaning, in every version
// in which it is answered, and every answer is as its own schema says.

import { isDeepStrictEqual } from "node:util"
import { EventQuery, readEventQuery, writeEventPage } from "@paraph/contract/shared/event"
import * as v1 from "@paraph/contract/v1/signature-request"
import * as v2 from "@paraph/contract/v2/signature-request"
import * as v3 from "@paraph/contract/v3/signature-request"
import { Refusal } from "@paraph/core/refusal"
import type { Mark, Signature, SignatureRequest } from "@paraph/core/signature-request/model"
import type { CreateRequest, NewSigner } from "@paraph/core/signature-request/new-request"
import Ajv from "ajv"
import addFormats from "ajv-formats"
import { readSample as sampleV1 } from "../../../packages/contract/src/v1/samples/read.ts"
import { readSample as sampleV2 } from "../../../packages/contract/src/v2/samples/read.ts"
import { readSample as sampleV3 } from "../../../packages/contract/src/v3/samples/read.ts"
import { sampleRequest } from "../../../packages/core/src/testing/sample.ts"
import { must, type Target } from "../target.ts"
import { coded, inText, json, Nothing, texts } from "../texts.ts"

// As http/server.ts has it.
const ajv = new Ajv.default({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  strict: false,
})
addFormats.default(ajv)
const checks = {
  v1: { create: ajv.compile(v1.CreateBody), answer: ajv.compile(v1.SignatureRequest) },
  v2: { create: ajv.compile(v2.CreateBody), answer: ajv.compile(v2.SignatureRequest) },
  v3: { create: ajv.compile(v3.CreateBody), answer: ajv.compile(v3.SignatureRequest) },
}
type Check = (typeof checks)["v1"]["create"]

const WORDS = [
  ...[
    "signatures",
    "account_email",
    "signer_email_address",
    "sequence",
    "order",
    "visual_signature",
    "form_field",
    "position",
  ],
  ...[
    "positions",
    "page",
    "x",
    "y",
    "width",
    "height",
    "notify",
    "language",
    "signer_identity_data",
    "email_address",
    "provider",
  ],
  ...[
    "document_id",
    "documents",
    "file_url",
    "content",
    "custom",
    "message",
    "quality",
    "legislation",
    "expires_at",
    "creator",
  ],
  ...[
    "cc_email_addresses",
    "read_access",
    "expiration_date",
    "document_signatures",
    "signer_group_id",
    "ann@example.org",
  ],
  ...[
    "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10",
    "AES_MINIMAL",
    "ZERTES",
    "2026-12-24",
    "+41 79 123 45 67",
    "CH",
    "de",
  ],
]

function bodyIn<T>(input: Uint8Array, check: Check): T {
  let body: unknown
  try {
    body = JSON.parse(inText(input))
  } catch {
    throw new Nothing("no JSON")
  }
  if (!check(body)) throw new Nothing(`${check.errors?.[0]?.schemaPath}`.replace(/\/\d+\//g, "/#/"))
  return body as T
}

/** A request of what was asked for, as it is kept. */
function madeOf(created: CreateRequest): SignatureRequest {
  const { document, entries, quality, ...terms } = created
  const ids = document.type === "documents" ? document.ids : [ID]
  const documents = ids.map((id) => ({ id, newestId: id, renewAt: null, name: "d" }))
  const people = entries.filter((entry): entry is NewSigner => entry.type === "person")
  const signatures = people.map((person, i) => signatureOf(person, i, ids))
  const of = { ...terms, quality: quality ?? "SES", expiresAt: null } as const
  return { ...sampleRequest([]), ...of, id: ID, documents, signatures }
}

const ID = "0b9cbd6e-5ee0-4a34-8c8b-2f1f36e8f3c5"

function signatureOf(person: NewSigner, i: number, ids: readonly string[]): Signature {
  const [sample] = sampleRequest([person.place]).signatures
  if (sample === undefined) throw new RangeError("There is no sample.")
  const { email, identity, notify, language, wanted } = person
  const marks: readonly Mark[] =
    wanted.type === "some"
      ? wanted.marks.map((mark) => ({ ...mark, versionId: null }))
      : ids.map((documentId) => ({ documentId, versionId: null, visual: wanted.visual }))
  const id = `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`
  return { ...sample, id, email, identity, notify, language, marks }
}

const ADDRESSES = {
  signingAppUrl: "https://sign.example",
  previewUrl: (id: string) => `https://sign.example/preview/${id}`,
  callbackUrl: (url: string) => url,
}

/** Answered in every version, by its schema, and with the same meaning. */
function mustKeepMeaning(created: CreateRequest): void {
  const request = madeOf(created)
  const told = {
    v1: v1.writeSignatureRequest(request, ADDRESSES),
    v2: v2.writeSignatureRequest(request, ADDRESSES),
    v3: v3.writeSignatureRequest(request, ADDRESSES),
  }
  for (const [version, answer] of Object.entries(told)) {
    const sent: unknown = JSON.parse(JSON.stringify(answer))
    const check = checks[version as keyof typeof checks].answer
    must(check(sent), `an answer of ${version} is as its schema says`)
    const { title, message, custom, quality, legislation, attach_on_success: attached } = answer
    must(
      title === created.title && message === created.message && custom === created.custom,
      "words stay words",
    )
    must(legislation === created.legislation && quality === (created.quality ?? "SES"), "a quality stays one")
    must(isDeepStrictEqual(attached, created.attachOnSuccess), "what is attached stays so")
    const urls = [answer.callback_success_url, answer.callback_update_url, answer.callback_error_url]
    const { success, update, error } = created.callbacks
    must(
      isDeepStrictEqual(urls, [success ?? null, update ?? null, error ?? null]),
      "callbacks stay where they were",
    )
    must(answer.signatures.length === request.signatures.length, "nobody is lost")
  }
  for (const [i, signer] of request.signatures.entries()) {
    const [one, two, three] = [told.v1.signatures[i], told.v2.signatures[i], told.v3.signatures[i]]
    must(
      one?.order === two?.sequence && two?.sequence === three?.sequence,
      "places are the same in every version",
    )
    must((two?.sequence ?? 0) === (signer.place ?? -1), "a place stays one")
    must(one?.signer_email_address === two?.account_email, "addresses are the same in every version")
    must(
      signer.identity !== null || two?.account_email === (signer.email ?? signer.id),
      "an address stays one",
    )
    must(
      two?.notify === signer.notify && two.language === signer.language,
      "how people are written to stays so",
    )
  }
}

const created = (create: CreateRequest): string =>
  `${create.document.type} ${create.entries.map(({ type, wanted }) => `${type} ${wanted.type}`).slice(0, 2)} ${create.quality}`

export const createV2: Target = {
  name: "create-v2",
  kind: "json",
  words: WORDS,
  seeds: () => {
    const sample = sampleV2("create-signature-request")
    const person = {
      first_name: "Ada",
      last_name: "L",
      mobile_number: "+41 79 123 45 67",
      issuing_country: "ch",
      provider: "p",
    }
    const signatures = [
      { signer_identity_data: person },
      { signer_identity_data: { email_address: "ada@example.org" } },
    ]
    return [
      json(sample),
      json({ title: "t", document_id: ID, signatures }),
      json({ title: "t", file_url: "https://a.example/" }),
    ]
  },
  refusals: [Nothing],
  run: (input) => {
    const body = bodyIn<v2.CreateBody>(input, checks.v2.create)
    const create = coded(Refusal, () => v2.readCreate(body, null))
    mustKeepMeaning(create)
    const again = v2.readCreate(JSON.parse(JSON.stringify(body)), null)
    must(isDeepStrictEqual(again, create), "what is read is read so again")
    return created(create)
  },
}

export const createV1: Target = {
  name: "create-v1",
  kind: "json",
  words: WORDS,
  seeds: () => [
    json(sampleV1("create-signature-request")),
    json({ title: "t", document_id: ID, signatures: [{ signer_email_address: "a@b.ch", order: 3 }] }),
  ],
  refusals: [Nothing],
  run: (input) => {
    const body = bodyIn<v1.CreateBody>(input, checks.v1.create)
    const create = coded(Refusal, () => v1.readCreate(body, null))
    mustKeepMeaning(create)
    // v1 is v2 with two names.
    const renamed = {
      ...body,
      signatures: (body.signatures ?? []).map((entry) => ({
        ...(entry.signer_email_address !== undefined && { account_email: entry.signer_email_address }),
        ...(entry.order !== undefined && { sequence: entry.order }),
        ...(entry.notify !== undefined && { notify: entry.notify }),
        ...(entry.language !== undefined && { language: entry.language }),
        ...(entry.visual_signature !== undefined && { visual_signature: entry.visual_signature }),
        ...(entry.signer_identity_data != null && {
          signer_identity_data: fiveOf(entry.signer_identity_data),
        }),
      })),
    }
    must(isDeepStrictEqual(v2.readCreate(renamed, null), create), "it means what v2 means by its own names")
    return created(create)
  },
}

const FIVE = ["provider", "first_name", "last_name", "mobile_number", "issuing_country"] as const

function fiveOf(data: Readonly<Record<(typeof FIVE)[number], string>>) {
  return Object.fromEntries(FIVE.map((name) => [name, data[name]]))
}

export const createV3: Target = {
  name: "create-v3",
  kind: "json",
  words: WORDS,
  seeds: () => [
    json(sampleV3("create-signature-request")),
    json({
      title: "t",
      document_id: ID,
      signatures: [{ signer_group_id: ID, sequence: 2 }, { account_email: "a@b.ch" }],
    }),
  ],
  refusals: [Nothing],
  run: (input) => {
    const body = bodyIn<v3.CreateBody>(input, checks.v3.create)
    const create = coded(Refusal, () => v3.readCreate(body))
    mustKeepMeaning(create)
    must(
      create.startAs === "draft" && create.entries.length === (body.signatures ?? []).length,
      "everybody is there",
    )
    const known = [...Object.keys(v3.CreateBody.properties)]
    must(
      Object.keys(body).every((name) => known.includes(name)),
      "what v3 does not know it refuses",
    )
    return created(create)
  },
}

const listQuery = ajv.compile(v2.ListQuery)

export const listQueries: Target = {
  name: "list-query",
  kind: "words",
  words: [
    ...[
      "page_number=",
      "page_size=",
      "search=",
      "cursor=",
      "status_overall=OPEN",
      "signature_status=SIGNED",
      "account_email=",
      "&",
      "501",
    ],
    ...[
      "signer_email_address=",
      "%26cursor%3D",
      Buffer.from(`after 1767225600000 ${ID}`).toString("base64url"),
    ],
  ],
  seeds: () =>
    texts(
      "page_size=20&search=a%20%26%20b&status_overall=OPEN&account_email=ann%40example.org",
      `cursor=${Buffer.from(`before 1767225600000 ${ID}`).toString("base64url")}&page_size=500&signature_status=open`,
      "page_number=3",
      "page_number=3&cursor=x",
      "page_size=0",
    ),
  refusals: [Nothing],
  run: (input) => {
    const query = Object.fromEntries(new URLSearchParams(inText(input)))
    if (!listQuery(query))
      throw new Nothing(`${listQuery.errors?.[0]?.instancePath} ${listQuery.errors?.[0]?.keyword}`)
    const asked = coded(Refusal, () => v2.readList(query as v2.ListQuery))
    must(asked.pageSize >= 1 && asked.pageSize <= 500, "a page is bounded")
    const { from } = asked
    if (from.type === "page")
      must(Number.isSafeInteger(from.number) && from.number >= 1, "pages are counted from 1")
    else must(!Number.isNaN(from.cursor.createdAt.getTime()), "a cursor has a time")
    // The address of the next page asks for the same, from where this one ended.
    const last = { ...sampleRequest([]), id: ID, createdAt: new Date(1_767_225_600_000) }
    const links = v2.writeLinks("https://a.example/v2/x", asked, {
      requests: [last],
      hasNext: true,
      hasPrevious: false,
    })
    const next = new URL(/^<([^>]*)>; rel="next"$/.exec(links ?? "")?.[1] ?? "")
    const followed = Object.fromEntries(next.searchParams)
    must(listQuery(followed), "a link of ours is a query of ours")
    const again = v2.readList(followed as v2.ListQuery)
    const wanted = { ...asked, from: { type: "after", cursor: { createdAt: last.createdAt, id: ID } } }
    must(isDeepStrictEqual(again, wanted), "it asks for the same, from there on")
    return `${from.type} ${asked.status} ${asked.signatureState} ${asked.search === null}`
  },
}

const eventQuery = ajv.compile(EventQuery)
const placeOf = (transaction: bigint, number: number) =>
  writeEventPage({ events: [], next: { transaction, number }, hasMore: false }).next ?? ""

export const eventPlaces: Target = {
  name: "event-place",
  kind: "words",
  words: [
    "after=",
    "page_size=500",
    "&",
    placeOf(1n, 1),
    Buffer.from("99999999999999999999 1").toString("base64url"),
    "=",
    "-",
    "_",
  ],
  seeds: () =>
    texts(
      `after=${placeOf(123n, 45)}`,
      `after=${placeOf(9_999_999_999_999_999_999n, 999_999_999_999_999)}&page_size=1`,
      "page_size=50",
      "after=x",
    ),
  refusals: [Nothing],
  run: (input) => {
    const query = Object.fromEntries(new URLSearchParams(inText(input)))
    if (!eventQuery(query)) throw new Nothing(`${eventQuery.errors?.[0]?.keyword}`)
    const { after, pageSize } = coded(Refusal, () => readEventQuery(query))
    must(pageSize >= 1 && pageSize <= 500, "a page is bounded")
    if (after === null) return "from the beginning"
    must(Number.isSafeInteger(after.number), "a place can be counted")
    must(after.transaction >= 0n && after.transaction < 2n ** 64n, "a transaction is one of the database")
    const again = readEventQuery({ after: placeOf(after.transaction, after.number) })
    must(isDeepStrictEqual(again.after, after), "what is told as a place is read as it")
    return `${after.number === 0}`
  },
}
