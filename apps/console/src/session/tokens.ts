import { fetchToken, type Kind, type Token } from "./account.ts"

/** A token is held in memory alone, and asked for anew a minute before it ends. */
let asked: { readonly of: string; readonly token: Promise<Token> } | null = null
let current: { readonly businessId: string; readonly kind: Kind } | null = null

export function actFor(businessId: string, kind: Kind): void {
  current = { businessId, kind }
}

export function dropToken(): void {
  asked = null
}

const EARLY_MS = 60_000

export async function bearer(): Promise<string> {
  if (current === null) throw new Error("No business has been chosen.")
  const { businessId, kind } = current
  const of = `${businessId} ${kind}`
  const known = asked?.of === of ? await asked.token.catch(() => null) : null
  if (known !== null && Date.parse(known.expiresAt) - Date.now() > EARLY_MS) return known.token
  const token = fetchToken(businessId, kind)
  asked = { of, token }
  return (await token).token
}
