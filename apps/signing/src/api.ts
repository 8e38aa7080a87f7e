import type { Language } from "./words.ts"

/** The server's answer decides the screen; the app keeps no state of its own that matters. */
export type View = {
  /** Whose: all tabs share one session, and an act is meant for the one that its tab shows. */
  readonly signature: string
  /** "preview": may look, must prove the mailbox or the telephone by a code before acting. */
  readonly screen:
    | "read"
    | "preview"
    | "identify"
    | "working"
    | "release"
    | "done"
    | "declined"
    | "not-your-turn"
    | "ended"
  readonly language: Language
  readonly request: {
    readonly title: string
    readonly message: string | null
    readonly sender: string
    readonly demo: boolean
    readonly status: string
    readonly quality: "SES" | "AES" | "QES" | "AES_MINIMAL"
    readonly expiresAt: string | null
  }
  /** How the business shows itself: addresses of our own, null where it does not. */
  readonly branding: Branding
  readonly signer: { readonly email: string; readonly name: string | null }
  readonly people: readonly Person[]
  readonly documents: readonly SigningDocument[]
  readonly attachments: readonly Attachment[]
  readonly consent: { readonly version: string; readonly text: string; readonly language: string }
  readonly proof: Proof | null
  /** Null where nobody has to be identified before signing. */
  readonly identification: Identification | null
  /** Where the signer's own key signs: as whom, and what they can confirm with. */
  readonly factor: {
    readonly name: string | null
    readonly kinds: readonly FactorKind[]
    /** When a factor that was added or recovered recently can first be used, ISO 8601; null where none is held. */
    readonly heldUntil: string | null
    /** A member of the business has to establish who the signer is before they can sign. */
    readonly identityNeeded: boolean
    /** Where to get something to confirm with; null where the sender must help. */
    readonly setUp: string | null
  } | null
  /** Where the signer can sign with a qualified certificate; null where that is not asked for, or nobody is configured. */
  readonly atProvider: AtProvider | null
  readonly release: Release | null
  readonly working: {
    readonly done: number
    readonly of: number
    readonly othersSigning: boolean
    readonly delayed: boolean
  } | null
  readonly exits: {
    readonly success: Exit | null
    readonly error: Exit | null
    readonly decline: Exit | null
  }
  readonly hideDownload: boolean
  readonly waitingFor: number
}

export type FactorKind = "passkey" | "totp" | "sms"

export type AtProvider = {
  readonly providers: readonly { readonly name: string; readonly title: string }[]
  /** Nothing less will do. */
  readonly required: boolean
  readonly consent: View["consent"]
  /** Why the last attempt came to nothing. */
  readonly problem: ProviderProblem | null
}

export type ProviderProblem =
  | "unreachable"
  | "refused"
  | "expired"
  | "no-certificate"
  | "not-qualified"
  | "not-usable"
  | "other-person"
  | "lost"
  | "failed"

/** What is to be confirmed: `binding` stands for this signature and these very documents. */
export type Release = {
  readonly id: string
  /** Null where the provider has its own. */
  readonly binding: string | null
  readonly until: string
  readonly kinds: readonly FactorKind[]
  /** The code by SMS, where one can be sent. */
  readonly sms: Proof | null
  /** Where the key lies, and what is to be done there. */
  readonly provider: {
    readonly title: string
    readonly visit: "log-in" | "release"
    /** As the certificate has it. */
    readonly name: string | null
    readonly problem: ProviderProblem | null
  } | null
}

export type Branding = { readonly style: string | null; readonly logo: string | null }

export type Person = {
  readonly name: string
  readonly state: "open" | "signed" | "declined" | "error"
  readonly place: number | null
  readonly own: boolean
}

export type SigningDocument = {
  readonly id: string
  readonly title: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly pageCount: number
  readonly pageWidth: number
  readonly pageHeight: number
  /** Runs of pages of one size; null while nobody has measured them, then all are like the first. */
  readonly pageSizes:
    | readonly { readonly count: number; readonly width: number; readonly height: number }[]
    | null
  readonly pdfa: string | null
  readonly place:
    | { readonly type: "fixed"; readonly positions: readonly Position[] }
    | { readonly type: "free"; readonly hints: readonly Hint[] }
}

/** Points; the origin is the lower left corner of the page as a person sees it, and pages count from 0. */
export type Position = {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Hint = Position & { readonly why: "field" | "words" | "last-page" }

export type Attachment = {
  readonly id: string
  readonly filename: string
  readonly contentType: string
  readonly sizeBytes: number
}

export type Proof = {
  readonly channel: "mail" | "sms"
  /** As far as its owner knows it again: others can hold the link too. */
  readonly sentTo: string
  /** No SMS will ever reach this number. */
  readonly unreachable: boolean
  readonly sentAt: string | null
  readonly resendAt: string | null
  readonly attemptsLeft: number
}

export type Identification = {
  readonly status: "CREATED" | "STARTED" | "PENDING_REVIEW" | "ACCEPTED" | "REJECTED" | "EXPIRED"
  readonly reason: string | null
  readonly provider: string
  /** Whom the sender means, and who it is by the evidence. */
  readonly stated: string
  readonly name: string | null
  /** The person is back from the provider, which is asked now. */
  readonly returned: boolean
  readonly triesLeft: number
}

/** `ask`: the business has listed where it leads people to, and this is none of those places. */
export type Exit = {
  readonly url: string
  readonly host: string
  readonly seconds: number
  readonly ask: boolean
}

export type Look =
  | { readonly type: "plain" }
  | { readonly type: "typed"; readonly font: Font }
  | {
      readonly type: "drawn"
      readonly width: number
      readonly height: number
      readonly strokes: readonly (readonly number[])[]
    }
  | { readonly type: "picture"; readonly id: string; readonly width: number; readonly height: number }

export type Font = "caveat" | "dancing-script" | "allura"

export type PageText = {
  readonly language: string | null
  readonly lines: readonly {
    readonly text: string
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }[]
}

/** Status 0: no answer came, so nobody knows whether the server has heard us. */
export class Problem extends Error {
  readonly status: number
  /** What machines match on, such as "error.code.wrong"; empty where the problem has none. */
  readonly key: string
  constructor(status: number, key: string, options?: ErrorOptions) {
    super(`${status} ${key}`, options)
    this.name = "Problem"
    this.status = status
    this.key = key
  }
}

const API = "/app/api"
const TIMEOUT_MS = 20_000
const PICTURE_TIMEOUT_MS = 60_000

export const EVENTS_ADDRESS = `${API}/signature/events`
export const ALL_DOCUMENTS_ADDRESS = `${API}/documents.zip`

let onScreen = ""

/** From now on what is sent is meant for this signature, and refused where the session has come to be another's. */
export function nowShown({ signature }: View): void {
  onScreen = signature
}

export const loadView = (): Promise<View> => call("GET", "/signature")

export type Wish = {
  readonly name: string
  /** At which the signer has a certificate. */
  readonly provider: string | null
  readonly look: Look | null
  /** One for each document whose place is free; null where nothing shall be seen. */
  readonly places: readonly { readonly documentId: string; readonly position: Position | null }[]
}

/** Says what was shown, too: the evidence names the very versions that lay before the person. */
export function sign({ name, look, places, provider }: Wish, view: View): Promise<View> {
  const shown = view.documents.map((document) => document.id)
  const body = {
    name,
    consentVersion: consentFor(view, provider).version,
    shown,
    ...(provider === null ? {} : { provider }),
    ...(look === null ? {} : { look: look.type === "picture" ? { type: "picture", id: look.id } : look }),
    ...(places.length === 0 ? {} : { places }),
  }
  return settled(call("POST", "/signature/sign", body))
}

/** What is agreed to depends on whose key signs. */
export const consentFor = ({ consent, atProvider }: View, provider: string | null): View["consent"] =>
  provider === null || atProvider === null ? consent : atProvider.consent

export const decline = (reason: string): Promise<View> =>
  settled(call("POST", "/signature/decline", reason === "" ? {} : { reason }))

export const sendCode = (): Promise<View> => call("POST", "/signature/code", {})

export const checkCode = (code: string): Promise<View> => call("POST", "/signature/code/check", { code })

/** Where to go in order to be identified. */
export async function beginIdentification(): Promise<string> {
  const response = await answer("POST", "/signature/identify", "{}", "application/json")
  return (await response.json()).url
}

/** Where to go in order to log in at the provider of the certificate, or to release its key. */
export async function goToProvider(): Promise<string> {
  const response = await answer("POST", "/signature/release/provider", "{}", "application/json")
  return (await response.json()).url
}

/** Whether the person has to be identified before anything can be signed. */
export const mustIdentify = ({ identification }: View): boolean =>
  identification !== null && identification.status !== "ACCEPTED"
/** The library comes with the press. Who turns away from the device's question has not answered it. */
export async function releaseByPasskey(): Promise<View> {
  const { startAuthentication } = await import("@simplewebauthn/browser")
  type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"]
  const asked = await answer("POST", "/signature/release/passkey/options", "{}", "application/json")
  const optionsJSON: Options = await asked.json()
  const response = await startAuthentication({ optionsJSON }).catch((cause) => {
    throw new Problem(400, "passkey", { cause })
  })
  return call("POST", "/signature/release/passkey", { response })
}

export const releaseByCode = (code: string, { binding }: Release): Promise<View> =>
  call("POST", "/signature/release/code", { code, binding })

export const sendReleaseCode = (): Promise<View> => call("POST", "/signature/release/sms", {})

export const releaseBySms = (code: string, { binding }: Release): Promise<View> =>
  call("POST", "/signature/release/sms/check", { code, binding })

export const leaveRelease = (): Promise<View> => call("POST", "/signature/release/leave", {})

export async function chooseLanguage(language: Language): Promise<void> {
  await answer("POST", "/language", JSON.stringify({ language }), "application/json")
}

export async function sendPicture(file: File): Promise<Look> {
  const response = await answer("POST", "/signature/picture", file, file.type, PICTURE_TIMEOUT_MS)
  const { id, width, height } = await response.json()
  return { type: "picture", id, width, height }
}

export async function loadText(documentId: string, index: number): Promise<PageText> {
  return (await answer("GET", `/documents/${encodeURIComponent(documentId)}/pages/${index}/text`)).json()
}

/** What the PDF hints at, best first; reading its words takes a moment, so it is asked for by itself. */
export async function loadHints(documentId: string): Promise<readonly Hint[]> {
  const response = await answer("GET", `/documents/${encodeURIComponent(documentId)}/hints`)
  return (await response.json()).hints
}

export const pageAddress = (documentId: string, index: number, widthPx: number): string =>
  `${API}/documents/${encodeURIComponent(documentId)}/pages/${index}?width=${widthPx}`

export const contentAddress = (documentId: string): string =>
  `${API}/documents/${encodeURIComponent(documentId)}/content`

export const attachmentAddress = (id: string): string => `${API}/attachments/${encodeURIComponent(id)}`

export const pictureAddress = (id: string): string => `${API}/signature/picture/${encodeURIComponent(id)}`

/**
 * A press whose answer got lost may have been heard all the same, and a refused one may have come too late. The
 * server's state tells: only if the document is still to be read does the person hear of the failure.
 */
async function settled(press: Promise<View>): Promise<View> {
  const meant = onScreen
  try {
    return await press
  } catch (error) {
    const view = await loadView()
    if (view.screen === "read" || view.screen === "preview" || view.signature !== meant) throw error
    return view
  }
}

async function call(method: "GET" | "POST", path: string, body?: object): Promise<View> {
  const json = body === undefined ? undefined : JSON.stringify(body)
  return (await answer(method, path, json, "application/json")).json()
}

async function answer(
  method: string,
  path: string,
  body?: string | File,
  contentType = "",
  timeoutMs = TIMEOUT_MS,
): Promise<Response> {
  const headers = { "content-type": contentType, "paraph-signature": onScreen }
  const response = await fetch(API + path, {
    method,
    cache: "no-store",
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { headers, body }),
  }).catch((cause) => {
    throw new Problem(0, "", { cause })
  })
  if (response.ok) return response
  const { key }: { key?: unknown } = await response.json().catch(() => ({}))
  throw new Problem(response.status, typeof key === "string" ? key : "")
}
