import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { decodeJwt, exportJWK, type JWTPayload, SignJWT } from "jose"

/** What is said of each forgery, and the forgery. Each is the token that was given but for the one thing that is named. */
export type Forgery = readonly [about: string, token: string]

/** Security, R03 and T18: by whoever has no key of the service, but everything that it publishes, and tokens of their own. */
export async function forgedWithoutKey(token: string, key: KeyObject): Promise<readonly Forgery[]> {
  const [header = "", payload = "", signature = ""] = token.split(".")
  const claims = decodeJwt(token)
  const open = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")
  const publicKey = createPublicKey(key)
  const pem = publicKey.export({ format: "pem", type: "spki" }).toString()
  const der = publicKey.export({ format: "der", type: "spki" })
  const { x = "" } = publicKey.export({ format: "jwk" })
  const hmac = (alg: string, secret: Uint8Array) => signed(claims, { alg }, secret)
  const own = generateKeyPairSync("ed25519")
  const jwk = await exportJWK(own.publicKey)
  const certificate = { x5c: [own.publicKey.export({ format: "der", type: "spki" }).toString("base64")] }
  const away = { jku: "https://evil.example/jwks.json", x5u: "https://evil.example/cert.pem" }
  const other = (more: object, alg = "EdDSA") => signed(claims, { alg, ...more }, own.privateKey)
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
  const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
  const kid = decodeHeader(header).kid
  return [
    ...["none", "None", "NONE", "nOnE", ""].flatMap((alg): Forgery[] => [
      [`alg "${alg}" without a signature`, `${open({ alg, typ: "at+jwt" })}.${payload}.`],
      [`alg "${alg}" with the signature`, `${open({ alg, typ: "at+jwt" })}.${payload}.${signature}`],
    ]),
    ["no alg", `${open({ typ: "at+jwt" })}.${payload}.${signature}`],
    ["HS256 by the public key, PEM", await hmac("HS256", Buffer.from(pem))],
    [
      "HS256 by the public key, PEM without its last line end",
      await hmac("HS256", Buffer.from(pem.trimEnd())),
    ],
    ["HS256 by the public key, DER", await hmac("HS256", der)],
    ["HS256 by the 32 bytes of the public key", await hmac("HS256", Buffer.from(x, "base64url"))],
    ["HS512 by the public key, PEM", await hmac("HS512", Buffer.from(pem))],
    ["HS256 by one zero", await hmac("HS256", Buffer.alloc(1))],
    ["another key of the same kind", await other({})],
    ["another key under our kid", await other({ kid })],
    ["another key that stands in the header", await other({ jwk })],
    ["another key that stands in the header under our kid", await other({ jwk, kid })],
    ["another key at an address in the header", await other(away)],
    ["another key in a certificate in the header", await other(certificate)],
    ["a kid that is a path", await other({ kid: "../../../../dev/null" })],
    ["a kid that is SQL", await other({ kid: "' union select 'x' --" })],
    ["RS256", await signed(claims, { alg: "RS256" }, rsa)],
    ["PS256", await signed(claims, { alg: "PS256" }, rsa)],
    ["ES256", await signed(claims, { alg: "ES256" }, curve)],
    ["the signature of another token of ours", `${header}.${open({ ...claims, jti: "x" })}.${signature}`],
    ["another user", `${header}.${open({ ...claims, sub: crypto.randomUUID() })}.${signature}`],
    ["a longer life", `${header}.${open({ ...claims, exp: 9_999_999_999 })}.${signature}`],
    ["a signature that was cut by one byte", `${header}.${payload}.${signature.slice(0, -2)}`],
    ["half a signature", `${header}.${payload}.${signature.slice(0, 43)}`],
    ["a signature of zeros", `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`],
    ["a signature with a byte behind it", `${header}.${payload}.${signature}AA`],
    ["no signature", `${header}.${payload}`],
    ["no payload", `${header}..${signature}`],
    ["a header alone", `${header}..`],
    ["four parts", `${token}.${signature}`],
    ["five parts, as of an encrypted one", `${header}.${payload}.${signature}.${payload}.${signature}`],
    ["a header that is no JSON", `${Buffer.from("{").toString("base64url")}.${payload}.${signature}`],
    ["a header that says that it is critical", await other({ crit: ["exp"], exp: 1 })],
    ["padding", `${header}.${payload}.${signature}==`],
  ]
}

/** With the service's own key, as a fault of its own might: right in everything but what it says. */
export async function forgedWithKey(token: string, key: KeyObject): Promise<readonly Forgery[]> {
  const claims = decodeJwt(token)
  const now = claims.iat ?? 0
  const said = (more: Record<string, unknown>) => signed({ ...claims, ...more }, { alg: "EdDSA" }, key)
  const typed = (typ: string | undefined) => signed(claims, { alg: "EdDSA", typ }, key)
  const elsewhere = "https://elsewhere.example"
  const nobodys = {
    key: undefined,
    session: crypto.randomUUID(),
    business: crypto.randomUUID(),
    kind: "demo",
  }
  return [
    ["another audience", await said({ aud: elsewhere })],
    ["no audience", await said({ aud: undefined })],
    ["no audience in a list", await said({ aud: [] })],
    ["another issuer", await said({ iss: elsewhere })],
    ["no issuer", await said({ iss: undefined })],
    ["an issuer that only begins as ours", await said({ iss: `${claims.iss}.evil.example` })],
    ["the type of an ID token", await typed("JWT")],
    ["the type of a logout token", await typed("logout+jwt")],
    ["no type", await typed(undefined)],
    ["a life that is over", await said({ iat: now - 2000, exp: now - 1 })],
    ["no end", await said({ exp: undefined })],
    ["an end that is a word", await said({ exp: "tomorrow" })],
    ["a time that has not come", await said({ nbf: now + 3600 })],
    ["an unknown key", await said({ key: crypto.randomUUID() })],
    ["no key", await said({ key: undefined })],
    ["a key that is a list", await said({ key: [claims.key] })],
    ["a login that nobody had", await said(nobodys)],
  ]
}

/** The same token made anew: if it were not taken, no forgery would have been refused for what it is. */
export const madeAnew = (token: string, key: KeyObject): Promise<string> =>
  signed(decodeJwt(token), { alg: "EdDSA" }, key)

function signed(
  claims: JWTPayload,
  header: Record<string, unknown>,
  key: KeyObject | Uint8Array,
): Promise<string> {
  const whole = { typ: "at+jwt", ...header }
  return new SignJWT(claims)
    .setProtectedHeader(whole as { alg: string; typ: string })
    .sign(key, { crit: { exp: true } })
}

const decodeHeader = (header: string): { readonly kid?: string } =>
  JSON.parse(Buffer.from(header, "base64url").toString()) as { readonly kid?: string }
