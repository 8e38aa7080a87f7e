// The addresses of the sandbox: what certificates name in AIA and CDP, and the time-stamping authority.

import { createCrlSource } from "./crl-source.ts"
import type { Hierarchy } from "./hierarchy.ts"
import type { Answer, Asked } from "./http.ts"
import type { IssuerName, World } from "./issuer.ts"
import { type Misbehaviour, withoutTrying } from "./misbehaviour.ts"
import { createOcspResponder } from "./ocsp-responder.ts"
import { createTimestampAuthority } from "./timestamp-authority.ts"

export type Routes = {
  readonly answer: (asked: Asked) => Promise<Answer>
  readonly misbehave: (how: Misbehaviour) => void
}

export function createRoutes(
  hierarchy: Hierarchy,
  world: World,
  makeStrangers: () => Promise<Hierarchy>,
): Routes {
  let misbehaviour: Misbehaviour = {}
  let strangers: Promise<Hierarchy> | null = null
  // Who answers: our own services, or those of somebody else with the same names.
  const staff = async (how: string | undefined) => {
    if (how !== "stranger") return hierarchy
    strangers ??= makeStrangers()
    return strangers
  }
  const crl = {
    root: createCrlSource(hierarchy.root, world),
    issuing: createCrlSource(hierarchy.issuing, world),
  }
  const ocsp = createOcspResponder(hierarchy, world)
  const stamp = createTimestampAuthority(world)

  const certificate: Handler = async (asked, name) =>
    get(asked, { contentType: "application/pkix-cert", body: hierarchy[name].certificate.der })
  const list: Handler = async (asked, name) =>
    withoutTrying(misbehaviour.crl, CRL) ??
    get(asked, { contentType: CRL, body: await crl[name](misbehaviour.crl === "stale") })
  const status: Handler = async (asked, name) => {
    const how = misbehaviour.ocsp
    const request = ocspRequestOf(asked)
    if (!(request instanceof Uint8Array)) return request
    const body = async () => ocsp(name, request, (await staff(how)).responders[name], how)
    return withoutTrying(how, OCSP) ?? { status: 200, contentType: OCSP, body: await body() }
  }
  const time: Handler = async (asked) => {
    const how = misbehaviour.tsa
    const body = async () => stamp(asked.body, await staff(how), how)
    return (
      notPosted(asked, "application/timestamp-query") ??
      withoutTrying(how, STAMP) ?? { status: 200, contentType: STAMP, body: await body() }
    )
  }
  const handlers: readonly (readonly [RegExp, Handler])[] = [
    [/^\/(root|issuing)\.crt$/, certificate],
    [/^\/crl\/(root|issuing)\.crl$/, list],
    [/^\/ocsp\/(root|issuing)(?:\/|$)/, status],
    [/^\/tsa$/, time],
  ]
  return {
    answer: async (asked) => {
      for (const [path, handler] of handlers) {
        const found = path.exec(asked.path)
        if (found !== null) return handler(asked, found[1] === "root" ? "root" : "issuing")
      }
      return { status: 404 }
    },
    misbehave: (how) => {
      misbehaviour = how
    },
  }
}

type Handler = (asked: Asked, name: IssuerName) => Promise<Answer>

const CRL = "application/pkix-crl"
const OCSP = "application/ocsp-response"
const STAMP = "application/timestamp-reply"

function get({ method }: Asked, found: { contentType: string; body: Uint8Array }): Answer {
  return method === "GET" || method === "HEAD" ? { status: 200, ...found } : { status: 405 }
}

function notPosted({ method, contentType }: Asked, wanted: string): Answer | undefined {
  if (method !== "POST") return { status: 405 }
  return contentType === wanted ? undefined : { status: 415 }
}

/** RFC 6960, A.1: the body of a POST, or, in a GET, base64 with percent signs behind the address of the responder. */
function ocspRequestOf(asked: Asked): Uint8Array | Answer {
  if (asked.method !== "GET") return notPosted(asked, "application/ocsp-request") ?? asked.body
  const encoded = asked.path.replace(/^\/ocsp\/(root|issuing)\/?/, "")
  try {
    return new Uint8Array(Buffer.from(decodeURIComponent(encoded), "base64"))
  } catch {
    return { status: 400 }
  }
}
