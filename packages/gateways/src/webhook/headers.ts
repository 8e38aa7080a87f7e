// Standard Webhooks 1.0.0, "Webhook headers" and "Signature scheme".
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto"

export type SignedMessage = {
  /** The same over all attempts: by it a receiver knows what it has had already. */
  readonly id: string
  readonly at: Date
  readonly body: string
  /** `whsec_…`; several while one takes over from another. Each makes a signature of its own. */
  readonly secrets: readonly string[]
  /** The service's own Ed25519 key, if it has one. */
  readonly key?: KeyObject
}

/** What is signed is id, time and body, with dots between; a receiver is content when any one signature is right. */
export function webhookHeaders({ id, at, body, secrets, key }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  const signatures = [
    ...secrets.map((secret) => `v1,${createHmac("sha256", keyOf(secret)).update(signed).digest("base64")}`),
    ...(key === undefined ? [] : [`v1a,${sign(null, signed, key).toString("base64")}`]),
  ]
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
  }
}

const SECRET = "whsec_"
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(SECRET.length), "base64")

export const secretOf = (bytes: Uint8Array): string => `${SECRET}${Buffer.from(bytes).toString("base64")}`

/** The public half as receivers know it: `whpk_` and Base64 of the 32 bytes of the key. */
export function publicKeyOf(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" })
  return `whpk_${Buffer.from(x ?? "", "base64url").toString("base64")}`
}

export const readSigningKey = (pem: string): KeyObject => createPrivateKey(pem)
