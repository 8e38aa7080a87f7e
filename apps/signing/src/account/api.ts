import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser"
import { Problem } from "../api.ts"
import type { Language } from "../words.ts"

export type Account = {
  readonly email: string
  readonly name: string
  readonly factors: {
    readonly password: boolean
    readonly passkeys: number
    readonly totp: boolean
    readonly recoveryCodes: number
  }
  /** This login was made by the identity provider of a business. */
  readonly singleSignOn: boolean
}
export type Passkey = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly usedAt: string | null
}
export type Session = {
  readonly id: string
  readonly browser: string
  readonly network: string
  readonly createdAt: string
  readonly seenAt: string
  readonly current: boolean
}
export type AccountEvent = {
  readonly at: string
  readonly act: string
  readonly browser: string
  readonly network: string
}
export type Totp = {
  readonly secret: string
  readonly qr: { readonly size: number; readonly path: string }
}
/** The business whose own sign-in is for addresses of a domain. */
export type SingleSignOn = { readonly business: string; readonly enforced: boolean }
export type Next = { readonly next: "done" } | { readonly next: "second-factor"; readonly step: string }

export const loadAccount = (): Promise<Account> => call("GET", "")
export const loadPasskeys = async (): Promise<readonly Passkey[]> =>
  (await call<{ passkeys: Passkey[] }>("GET", "/passkeys")).passkeys
export const loadSessions = async (): Promise<readonly Session[]> =>
  (await call<{ sessions: Session[] }>("GET", "/sessions")).sessions
export const loadEvents = async (): Promise<readonly AccountEvent[]> =>
  (await call<{ events: AccountEvent[] }>("GET", "/events")).events

export const askForCode = (purpose: "register" | "recover", email: string): Promise<object> =>
  call("POST", `/${purpose}`, { email })
export const register = (given: {
  email: string
  code: string
  name: string
  password?: string
}): Promise<Next> => call("POST", "/register/confirm", given)
export const recover = (given: {
  email: string
  code: string
  password: string
  second?: string
}): Promise<Next> => call("POST", "/recover/confirm", given)
export const logIn = (email: string, password: string): Promise<Next> =>
  call("POST", "/login", { email, password })
/** By the domain alone: who it is is nobody's business until they go on. */
export const findSingleSignOn = async (domain: string): Promise<SingleSignOn | null> => {
  const found = await call<Partial<SingleSignOn>>("POST", "/single-sign-on", { domain })
  return found.business === undefined ? null : { business: found.business, enforced: found.enforced === true }
}
export const startSingleSignOn = async (email: string, next: string): Promise<string> =>
  (await call<{ url: string }>("POST", "/single-sign-on/start", { email, next })).url
export const giveSecond = (step: string, code: string): Promise<Next> =>
  call("POST", "/login/second", { step, code })
export const logOut = (): Promise<void> => call("POST", "/logout", {})

export const changePassword = (given: { password: string; current?: string }): Promise<void> =>
  call("POST", "/password", given)
export const beginTotp = (): Promise<Totp> => call("POST", "/totp", {})
export const confirmTotp = async (code: string): Promise<readonly string[]> =>
  (await call<{ recoveryCodes: string[] }>("POST", "/totp/confirm", { code })).recoveryCodes
export const removeTotp = (): Promise<void> => call("DELETE", "/totp")
export const renewRecoveryCodes = async (): Promise<readonly string[]> =>
  (await call<{ recoveryCodes: string[] }>("POST", "/recovery-codes", {})).recoveryCodes
export const removePasskey = (id: string): Promise<void> =>
  call("DELETE", `/passkeys/${encodeURIComponent(id)}`)
export const endSession = (id: string): Promise<void> => call("DELETE", `/sessions/${id}`)

/** The library is fetched by whoever needs it; signing in with a password does not. */
const webauthn = () => import("@simplewebauthn/browser")

export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === "function"

/** Answers the recovery codes that come with the first factor of an account; none for a later one. */
export async function addPasskey(name: string): Promise<readonly string[]> {
  const { startRegistration } = await webauthn()
  const { step, options } = await call<Asked<Parameters<typeof startRegistration>[0]["optionsJSON"]>>(
    "POST",
    "/passkeys/options",
    {},
  )
  const response: RegistrationResponseJSON = await startRegistration({ optionsJSON: options })
  return (await call<{ recoveryCodes: string[] }>("POST", "/passkeys", { step, response, name }))
    .recoveryCodes
}

/** `offered` beside the field of the address, where the browser can; or asked for by a button. */
export async function logInByPasskey(how: "offered" | "asked"): Promise<Next | null> {
  if (!knowsPasskeys()) return null
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await webauthn()
  if (how === "offered" && !(await browserSupportsWebAuthnAutofill())) return null
  const { step, options } = await call<Asked<Parameters<typeof startAuthentication>[0]["optionsJSON"]>>(
    "POST",
    "/login/passkey/options",
    {},
  )
  const useBrowserAutofill = how === "offered"
  const response: AuthenticationResponseJSON = await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill,
  })
  return call("POST", "/login/passkey/verify", { step, response })
}

type Asked<T> = { readonly step: string; readonly options: T }

export async function chooseLanguage(language: Language): Promise<void> {
  await answer("POST", "/app/api/language", { language })
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await answer(method, `/app/api/account${path}`, body)
  return response.status === 204 ? (undefined as T) : response.json()
}

const TIMEOUT_MS = 20_000

async function answer(method: string, path: string, body?: object): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    })
  } catch (cause) {
    throw new Problem(0, "", { cause })
  }
  if (response.ok) return response
  const { key }: { key?: unknown } = await response.json().catch(() => ({}))
  throw new Problem(response.status, typeof key === "string" ? key : "")
}
