/**
 * VAL-07: the interface has a base address of its own. Below ours it has a path, `/validation/v1`; where it has a host of its own,
 * whatever comes to that host is its own, and nothing else of the service is reached there (choice 410).
 */
export function toValidation(baseUrl: string): (request: Asked) => string {
  const { host, pathname } = new URL(baseUrl)
  const isOwnHost = pathname === "/"
  return ({ url = "/", headers }) =>
    isOwnHost && headers.host?.toLowerCase() === host && !url.startsWith(HEALTH) ? `/validation${url}` : url
}

/** A proxy asks for it at whichever host it serves. */
const HEALTH = "/management/health"

type Asked = {
  readonly url?: string | undefined
  readonly headers: { readonly host?: string | undefined }
}
