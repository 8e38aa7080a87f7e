/** The server's answer decides the screen; the app keeps no state of its own that matters. */
export type View = {
  readonly screen: "read" | "preview" | "working" | "done" | "declined" | "not-your-turn" | "ended"
  readonly request: {
    readonly title: string
    readonly message: string | null
    readonly sender: string
    readonly demo: boolean
    readonly status: string
  }
  readonly signer: { readonly email: string; readonly name: string | null }
  readonly documents: readonly SigningDocument[]
  readonly consent: { readonly version: string; readonly text: string }
  readonly waitingFor: number
}

export type SigningDocument = {
  readonly id: string
  readonly title: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly pageCount: number
  readonly pageWidth: number
  readonly pageHeight: number
}

/** Status 0: no answer came, so nobody knows whether the server has heard us. */
export class Problem extends Error {
  readonly status: number
  constructor(status: number, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "Problem"
    this.status = status
  }
}

const API = "/app/api"
const PAGE_WIDTH = 780
const TIMEOUT_MS = 20_000

export function loadView(): Promise<View> {
  return call("GET", "/signature")
}

/** Says what was shown, too: the evidence names the very versions that lay before the person. */
export function sign(name: string, { consent, documents }: View): Promise<View> {
  const shown = documents.map((document) => document.id)
  return settled(call("POST", "/signature/sign", { name, consentVersion: consent.version, shown }))
}

export function decline(reason: string): Promise<View> {
  return settled(call("POST", "/signature/decline", reason === "" ? {} : { reason }))
}

export function pageAddress(documentId: string, index: number): string {
  return `${API}/documents/${encodeURIComponent(documentId)}/pages/${index}?width=${PAGE_WIDTH}`
}

export function contentAddress(documentId: string): string {
  return `${API}/documents/${encodeURIComponent(documentId)}/content`
}

/**
 * A press whose answer got lost may have been heard all the same, and a refused one may have come too late. The
 * server's state tells: only if the document is still to be read does the person hear of the failure.
 */
async function settled(press: Promise<View>): Promise<View> {
  try {
    return await press
  } catch (error) {
    const view = await loadView()
    if (view.screen === "read") throw error
    return view
  }
}

async function call(method: "GET" | "POST", path: string, body?: object): Promise<View> {
  const response = await answer(method, path, body)
  if (response.ok) return response.json()
  const problem: { detail?: unknown; title?: unknown } = await response.json().catch(() => ({}))
  const detail = [problem.detail, problem.title].find((text) => typeof text === "string" && text !== "")
  throw new Problem(response.status, typeof detail === "string" ? detail : response.statusText)
}

async function answer(method: string, path: string, body?: object): Promise<Response> {
  try {
    return await fetch(API + path, {
      method,
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    })
  } catch (cause) {
    throw new Problem(0, "No answer", { cause })
  }
}
