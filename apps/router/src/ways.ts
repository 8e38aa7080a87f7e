import { createHash } from "node:crypto"

/** What of a call says whose it is. Nothing here is believed: the cell checks all of it again. */
export type Call = {
  readonly method: string
  /** Without what is behind the question mark. */
  readonly path: string
  readonly query: string
  readonly authorization: string | undefined
  readonly cookies: string | undefined
  /** The secret of a mailed link, which its page sends in a header. */
  readonly link?: string | undefined
}

/** Where a call goes (ADR 0066). */
export type Way =
  /** By the first of these names that is known; else to any cell, which says in its words that there is nothing. */
  | { readonly by: "names"; readonly names: readonly string[]; readonly unknown: "any" | "no-token" }
  /** By what is in its body, which is small. */
  | { readonly by: "body"; readonly names: (body: Body) => readonly string[] }
  /** Every cell answers it alike. */
  | { readonly by: "any" }
  /** To the first cell: what an installation had before it had cells. */
  | { readonly by: "first" }
  | { readonly by: "cell"; readonly cell: string; readonly path: string }
  | { readonly by: "choice"; readonly cell: string }
  | { readonly by: "all-keys" }
  | { readonly by: "nobody" }

/** The members of JSON or of a form that are text. */
export type Body = Readonly<Record<string, string>>

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

/** Every kind of path that a cell serves; whatever is not here is not served. */
export function wayOf(call: Call): Way {
  const { path } = call
  if (/^\/(v[123]|validation\/v1)\//.test(path)) return ofInterface(call)
  if (path.startsWith("/cells/")) return ofCell(path)
  if (path.startsWith("/app/api/")) return ofApplication(call)
  if (/^\/(pki|log)\//.test(path)) return { by: "first" }
  if (path === "/.well-known/jwks.json") return { by: "all-keys" }
  return ofPage(call)
}

const ANY: Way = { by: "any" }
const byNames = (...names: readonly string[]): Way => ({ by: "names", names, unknown: "any" })

/** `/v1` to `/v3` and validation: by the token, which names its key, or its business. */
function ofInterface({ method, path, authorization }: Call): Way {
  if (method === "POST" && /^\/v[123]\/access\/login$/.test(path))
    return { by: "body", names: ({ username = "" }) => [`user:${username}`] }
  if (method === "GET" && path.endsWith("/api-docs")) return ANY
  return { by: "names", names: namesIn(authorization), unknown: "no-token" }
}

/** RFC 7519; read and not verified, only to choose the way. */
function namesIn(authorization: string | undefined): readonly string[] {
  const [, payload] = /^Bearer [\w-]+\.([\w-]+)\.[\w-]+$/i.exec(authorization ?? "") ?? []
  if (payload === undefined || payload.length > 4096) return []
  try {
    const { key, business } = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<
      string,
      unknown
    >
    if (typeof key === "string") return [`key:${key}`]
    return typeof business === "string" ? [`business:${business}`] : []
  } catch {
    return []
  }
}

/** The log of each cell has an address of its own; and people who are known in several choose one. */
function ofCell(path: string): Way {
  const [, cell = "", rest] = /^\/cells\/([a-z0-9-]{1,31})(\/log\/.+)?$/.exec(path) ?? []
  if (cell === "") return { by: "nobody" }
  return rest === undefined ? { by: "choice", cell } : { by: "cell", cell, path: rest }
}

const OF_PEOPLE = /^\/app\/api\/(account|operator)(\/|$)/

/** By the cookie of a signer's session, or of a person's login. */
function ofApplication({ method, path, cookies }: Call): Way {
  if (!OF_PEOPLE.test(path)) return byNames(...sessionsIn(cookies))
  if (method === "POST" && /\/(login|register|recover|single-sign-on)(\/|$)/.test(path))
    return { by: "body", names: namesOfPerson }
  return byNames(...loginsIn(cookies))
}

/** Of somebody who is about to log in. */
function namesOfPerson({ email, domain, step }: Body): readonly string[] {
  if (step !== undefined) return [`step:${hashOf(step)}`]
  if (domain !== undefined) return [`domain:${domain}`]
  return email === undefined ? [] : [`account:${email}`, `domain:${email.slice(email.lastIndexOf("@") + 1)}`]
}

function ofPage(call: Call): Way {
  const { path, query, cookies } = call
  const [, first = "", second = ""] = path.split("/")
  switch (first) {
    case "sign":
      return ["", "show"].includes(second) ? ofLink(call.link) : byNames(`link:${hashOf(second)}`)
    case "preview":
      return byNames(...signaturesIn(second))
    case "view":
      return byNames(`request:${second}`)
    case "identify":
    case "qes":
      return byNames(...statesIn(query), ...sessionsIn(cookies))
    case "account":
      return byNames(
        ...(path.startsWith("/account/sso/callback/") ? [`business:${path.split("/")[4]}`] : []),
        ...loginsIn(cookies),
      )
    case "app": {
      const [, logo] = /^\/app\/logo\/([0-9a-f-]{36})\.png$/.exec(path) ?? []
      return logo === undefined ? ANY : byNames(`logo:${logo}`)
    }
    default:
      return SHARED.has(first) || path === "/.well-known/security.txt" ? ANY : { by: "nobody" }
  }
}

/** The page without its secret is the same in every cell. */
const ofLink = (secret: string | undefined): Way =>
  secret === undefined ? ANY : byNames(`link:${hashOf(secret)}`)

/** Files and pages that are the same in every cell. */
const SHARED: ReadonlySet<string> = new Set([
  "",
  "console",
  "favicon.ico",
  "problem",
  "reference",
  "robots.txt",
  "verify",
])

/** The id at its beginning; whether it is ours, the cell says (apps/server/src/preview-links.ts). */
function signaturesIn(token: string): readonly string[] {
  const id = Buffer.from(token, "base64url").subarray(0, 16).toString("hex")
  return id.length === 32
    ? [`signature:${id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}`]
    : []
}

const statesIn = (query: string): readonly string[] => {
  const state = new URLSearchParams(query).get("state")
  return state === null ? [] : [`state:${hashOf(state)}`]
}

const cookieIn = (cookies: string | undefined, name: string): string | undefined =>
  cookies
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** As apps/server has them, with https and without. */
const sessionsIn = (cookies: string | undefined): readonly string[] =>
  ["__Host-paraph-signer-framed", "__Host-paraph-signer", "paraph-signer"].flatMap((name) => {
    const value = cookieIn(cookies, name)
    return value ? [`session:${hashOf(value)}`] : []
  })

const loginsIn = (cookies: string | undefined): readonly string[] =>
  ["__Host-paraph-account", "paraph-account"].flatMap((name) => {
    const value = cookieIn(cookies, name)
    return value ? [`login:${hashOf(value)}`] : []
  })

/** What the browser was told by us: only a hint, for what names nobody. */
export const CHOSEN = "paraph-cell"
export const chosenIn = (cookies: string | undefined): string | undefined => cookieIn(cookies, CHOSEN)
