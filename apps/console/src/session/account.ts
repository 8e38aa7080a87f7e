import { type Problem, ProblemError } from "../api/problem.ts"
import { clearPage } from "./leave.ts"
import type { Role, Standing } from "./roles.ts"

/** Who is signed in; what apps/server/src/http/app/account answers. Not a contract. */
export type Account = {
  readonly email: string
  readonly name: string | null
  readonly businesses: readonly Membership[]
  readonly invitations: readonly Invitation[]
  readonly factors: { readonly passkeys: number; readonly totp: boolean }
  /** Looks after the whole service. */
  readonly operator: boolean
}

export type Membership = {
  readonly businessId: string
  readonly name: string
  readonly role: Standing
  /** The business asks for a second factor, which this login has not proved: it gets no token. */
  readonly needsFactor?: boolean
}

export type Invitation = Membership & {
  readonly role: Role
  /** The e-mail address of whoever invites. */
  readonly by: string | null
  readonly at: string
}

export type Kind = "demo" | "production"

/** Whoever is not signed in is sent to do so, and comes back to where they were. */
export async function readAccount(): Promise<Account> {
  const response = await fetch("/app/api/account", { headers: { accept: "application/json" } })
  if (response.status === 401) return signIn()
  const account = await answerOf<Account>(response)
  // Who has not said what they are called yet goes by the address.
  return { ...account, name: account.name === account.email ? null : account.name }
}

export function signIn(): Promise<never> {
  const here = `${location.pathname}${location.search}`
  location.assign(`/account/login?next=${encodeURIComponent(here)}`)
  // The page is being left: nothing that waits for this goes on.
  return new Promise<never>(() => undefined)
}

/** To where a second factor is set up, and from there to a login with it. */
export function setUpFactor(): void {
  const here = `${location.pathname}${location.search}`
  location.replace(`/account/security?for=factor&next=${encodeURIComponent(here)}`)
}

/** And back to where it was asked for. */
export async function signInAgain(): Promise<void> {
  await fetch("/app/api/account/logout", post({}))
  await signIn()
}

const SIGN_OUT_MS = 5_000

/** Leaves in any case: a page with another person's data must not stay because the server is away. */
export async function signOut(): Promise<void> {
  const signal = AbortSignal.timeout(SIGN_OUT_MS)
  const isOut = await fetch("/app/api/account/logout", { ...post({}), signal }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isOut) location.assign("/account/login?next=%2Fconsole%2F")
  else clearPage(() => void signOut())
}

export async function answerInvitation(
  { businessId, role }: Invitation,
  answer: "accept" | "decline",
): Promise<void> {
  const path = `/app/api/account/invitations/${businessId}/${answer}`
  const response = await fetch(path, post(answer === "accept" ? { role } : {}))
  if (response.status === 401) return signIn()
  if (!response.ok) throw new ProblemError((await response.json()) as Problem, response.headers)
}

export type Token = { readonly token: string; readonly expiresAt: string }

export async function fetchToken(businessId: string, kind: Kind): Promise<Token> {
  const response = await fetch("/app/api/account/token", post({ businessId, kind }))
  if (response.status === 401) return signIn()
  return answerOf<Token>(response)
}

const post = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

async function answerOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw new ProblemError((await response.json()) as Problem, response.headers)
  return (await response.json()) as T
}
