const HOME = "/account/security"

/**
 * Where to go after the login: a document, a page of the account, or the console. Only a path of our own, whatever the address says:
 * browsers read `//host`, `/\host` and control characters as the way to another place.
 */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? HOME
  return /^\/(view|account|console)\/[\w~!$&'()*+,;=:@%./?-]*$/.test(next) && !next.includes("//")
    ? next
    : HOME
}

/** Who came for something to confirm signatures with: a password alone is not that. */
export const isForFactor = (search: string): boolean => new URLSearchParams(search).get("for") === "factor"

/** The same, behind the address of another of these pages. */
export function withNext(page: string, search: string): string {
  const next = nextPath(search)
  if (next === HOME) return `/account/${page}`
  return `/account/${page}?${isForFactor(search) ? "for=factor&" : ""}next=${encodeURIComponent(next)}`
}
