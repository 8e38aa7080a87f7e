import type { VictimThings } from "./victim.ts"

/**
 * Who may be answered 2xx by a route of the web pages:
 * - `public`: each caller. What it answers is the same for all, or a start of a login.
 * - `account`: a person who is logged in, about their own account.
 * - `member`: a member of the business that the call names.
 * - `invited`: a person with an invitation to it, which no caller of the sweep has.
 * - `signer`: a signer's session, about its own signature.
 * - `reader`: a signer's session of the request that the object belongs to.
 * - `operator`: a person who operates the service.
 * - `entry`: the holder of a secret address alone; an object's id is no such secret.
 */
export type WebRule = "public" | "account" | "member" | "invited" | "signer" | "reader" | "operator" | "entry"

const pages = (rule: WebRule, ...routes: readonly string[]): Record<string, WebRule> =>
  Object.fromEntries(routes.map((route) => [route, rule]))

/** Public by design. Each row says why; the sweep calls them too, and looks for the victim's canaries. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  "static files of the pages": [
    ...["GET /sandbox.css", "GET /app/*", "GET /app/door.css", "GET /console/*", "GET /verify"],
    // The landing page of mailed links is the same for all: the secret stays in the fragment.
    ...["GET /sign", "GET /sign/", "GET /app/landing.js"],
    ...["GET /reference", "GET /reference/*"],
    ...["login", "register", "recover", "security", "wrong"].map((page) => `GET /account/${page}`),
    "GET /account",
  ],
  "a logo and a colour, which emails show": [
    "GET /app/accent/:accent([0-9a-f]{6}).css",
    "GET /app/logo/:id([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}).png",
  ],
  "what a monitor and a verifier read": [
    ...["", "/liveness", "/readiness"].map((part) => `GET /management/health${part}`),
    ...["GET /.well-known/jwks.json", "GET /.well-known/security.txt"],
    ...["POST /pki/:kind/ocsp", "GET /pki/:kind/ocsp/*", "GET /pki/:kind/:file"],
    ...["GET /log/:kind/key", "GET /log/:kind/checkpoint", "GET /log/:kind/tile/*"],
  ],
  "texts on problems": [
    ...["problem-with-message", "entity-not-found", "feature-not-enabled", "constraint-violation"],
    ...["parameterized", "limit-exceeded"],
  ].map((problem) => `GET /problem/${problem}`),
  "descriptions of the interface": ["v1", "v2", "v3", "validation/v1"].map(
    (scope) => `GET /${scope}/api-docs`,
  ),
  "the start of a login": [
    ...["register", "recover", "register/confirm", "recover/confirm", "login", "login/second"],
    ...["login/passkey/options", "login/passkey/verify", "single-sign-on", "single-sign-on/start"],
    "logout",
  ].map((step) => `POST /app/api/account/${step}`),
  "a choice that a cookie keeps": ["POST /app/api/language"],
}

const OWN_ACCOUNT = [
  ...["", "/passkeys", "/events", "/sessions"].map((part) => `GET /app/api/account${part}`),
  ...["passkeys/options", "passkeys", "password", "totp", "totp/confirm", "recovery-codes"].map(
    (part) => `POST /app/api/account/${part}`,
  ),
  ...["passkeys/:id", "totp", "sessions/:id"].map((part) => `DELETE /app/api/account/${part}`),
]

const INVITATIONS = ["accept", "decline"].map((part) => `POST /app/api/account/invitations/:id/${part}`)

const OWN_SIGNATURE = [
  ...["GET /app/api/signature", "GET /app/api/signature/events", "GET /app/api/documents.zip"],
  ...["sign", "decline", "code", "code/check", "identify", "picture"].map(
    (part) => `POST /app/api/signature/${part}`,
  ),
  ...["passkey/options", "passkey", "code", "sms", "sms/check", "leave", "provider"].map(
    (part) => `POST /app/api/signature/release/${part}`,
  ),
]

const OF_A_REQUEST = [
  ...["pages/:page", "pages/:page/text", "hints", "content"].map(
    (part) => `GET /app/api/documents/:id/${part}`,
  ),
  ...["GET /app/api/attachments/:id", "GET /app/api/signature/picture/:id"],
]

const OPERATOR = [
  ...[
    "overview",
    "businesses",
    "businesses/:id",
    "mails",
    "audit",
    "jobs/failed",
    "accounts/reset-factors",
  ].map((part) => `GET ${part}`),
  ...["PUT businesses/:id/features", "PUT businesses/:id/credits", "DELETE businesses/:id/keys/:key_id"],
  ...["businesses/:id/keys/:key_id/reset", "jobs/:id/retry", "accounts/reset-factors"].map(
    (part) => `POST ${part}`,
  ),
  ...["confirm", "refuse"].flatMap((part) => [
    `POST businesses/:id/sender-name/${part}`,
    `POST accounts/reset-factors/${part}`,
  ]),
].map((route) => route.replace(" ", " /app/api/operator/"))

const ENTRIES = [
  ...["sign", "preview"].flatMap((page) => [`GET /${page}/:token`, `POST /${page}/:token`]),
  ...["POST /sign/", "POST /sign/show"],
  ...["GET /view/:id", "POST /view/:id", "GET /account/sso/callback/:business"],
  ...["GET /identify/callback/:kind/:provider", "GET /qes/:provider/callback"],
]

/** Every route that no description lists. A new route fails the sweep until it has a rule here. */
export const WEB_RULES: Readonly<Record<string, WebRule>> = {
  ...pages("public", ...Object.values(PUBLIC).flat()),
  ...pages("account", ...OWN_ACCOUNT),
  ...pages("member", "POST /app/api/account/token"),
  ...pages("invited", ...INVITATIONS),
  ...pages("signer", ...OWN_SIGNATURE),
  ...pages("reader", ...OF_A_REQUEST),
  ...pages("operator", ...OPERATOR),
  ...pages("entry", ...ENTRIES),
}

/** These end the caller's own session, so they come last. */
export const ENDS_SESSION = [
  "POST /app/api/account/logout",
  "POST /app/api/account/password",
  "POST /app/api/signature/sign",
  "POST /app/api/signature/decline",
]

/** The address of a route, about the victim's objects. */
export function webPath(route: string, things: VictimThings, business: string): string {
  const [, url = ""] = route.split(" ")
  const id =
    url.includes("/businesses/") || url.includes("invitations") || url.includes("/logo/")
      ? business
      : url.includes("/documents/")
        ? things.documentId
        : url.includes("/attachments/")
          ? things.attachmentId
          : url.includes("/sessions/")
            ? things.sessionId
            : things.requestId
  return url
    .replace(/:accent\(.*\)\.css$/, "0a7d4b.css")
    .replace(/:id\(.*\)\.png$/, `${id}.png`)
    .replace(":kind/:provider", "production/demo_ident")
    .replace(":kind/:file", "production/issuing.crl")
    .replace(":kind", "production")
    .replace(":provider", "provider")
    .replace(":business", business)
    .replace(":key_id", things.keyId)
    .replace(":token", things.signatureId)
    .replace(":page", "0")
    .replace(":id", id)
    .replace("*", "")
}
