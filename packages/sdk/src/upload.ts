import type { Call } from "./sending.ts"

type Bytes = Blob | Uint8Array | ReadableStream<Uint8Array>

/**
 * A document as it lies somewhere. It is sent as it is read and never held as a whole. A stream can be read once, so an
 * upload from one is not repeated; give a function that opens it, or a Blob, and it is.
 */
export type Source = Bytes | (() => Bytes | Promise<Bytes>)

export function bodyOf(source: Source): NonNullable<Call["body"]> {
  if (typeof source === "function") return { make: async () => whole(await source()) }
  return { make: () => whole(source), once: source instanceof ReadableStream }
}

/** A Blob would bring a type of its own along; the one of the header counts. */
const whole = (bytes: Bytes): BodyInit =>
  bytes instanceof Blob && bytes.type !== "" ? bytes.slice(0, bytes.size) : (bytes as BodyInit)

export type NewDocument = {
  readonly title: string
  /** A PDF. */
  readonly content: Source
  /** Removes what would be refused because it shows differently on screen, in print or after a click. */
  readonly flatten?: boolean
  readonly signal?: AbortSignal
  /** Where you want to be able to send it again another day; else one is made for you. */
  readonly idempotencyKey?: string
}

export function documentUpload(base: string, document: NewDocument): Call {
  const { title, content, flatten = false, signal, idempotencyKey } = document
  const query = new URLSearchParams({ title, ...(flatten && { flatten: "true" }) })
  const headers = new Headers({ "content-type": "application/pdf" })
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey)
  return {
    method: "POST",
    url: `${base}/documents?${query}`,
    headers,
    body: bodyOf(content),
    ...(signal && { signal }),
  }
}

/** A form with one file in it, which is sent as it is read. */
export function formWith(content: Blob): FormData {
  const form = new FormData()
  form.append("content", new Blob([content], { type: "application/pdf" }), "document.pdf")
  return form
}
