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

/** The same, behind the address of another of these pages. */
export function withNext(page: string, search: string): string {
  const next = nextPath(search)
  return next === HOME ? `/account/${page}` : `/account/${page}?next=${encodeURIComponent(next)}`
}
