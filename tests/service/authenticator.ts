import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

/** What an answer says in place of the truth. */
export type Lies = {
  readonly origin?: string
  readonly rpId?: string
  readonly counter?: number
  readonly type?: string
  /** The id of another credential. */
  readonly id?: string
}

/** A passkey in software, as WebAuthn (level 2, 6) has an authenticator answer; it says that it asked who the person is. */
export function newPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const id = randomBytes(32)
  let counter = 0
  const clientData = (type: string, challenge: string, at = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  /** Flags: somebody is there, and was asked who they are (0x05); a new credential is with it (0x40). */
  const authData = (flags: number, more: Buffer, lies: Lies = {}) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(lies.counter ?? counter, 1)
    const rpIdHash = createHash("sha256")
      .update(lies.rpId ?? new URL(origin).hostname)
      .digest()
    return Buffer.concat([rpIdHash, head, more])
  }
  const common = { id: url64(id), rawId: url64(id), type: "public-key", clientExtensionResults: {} }
  return {
    id: url64(id),
    register: (options: { challenge: string }, attestation: Buffer = NONE, lies: Lies = {}) => {
      const length = Buffer.from([0, id.length])
      const own = Buffer.concat([Buffer.alloc(16), length, id, coseKey(x, y)])
      const data = authData(0x45, own, lies)
      const object = Buffer.concat([Buffer.from([0xa3]), attestation, text("authData"), bytes(data)])
      const response = {
        clientDataJSON: url64(clientData(lies.type ?? "webauthn.create", options.challenge, lies.origin)),
        attestationObject: url64(object),
      }
      return { ...common, response }
    },
    logIn: (options: { challenge: string }, flags = 0x05, lies: Lies = {}) => {
      counter += 1
      const data = authData(flags, Buffer.alloc(0), lies)
      const client = clientData(lies.type ?? "webauthn.get", options.challenge, lies.origin)
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()])
      const response = {
        clientDataJSON: url64(client),
        authenticatorData: url64(data),
        signature: url64(sign("sha256", signed, privateKey)),
      }
      return { ...common, ...(lies.id !== undefined && { id: lies.id, rawId: lies.id }), response }
    },
  }
}

/** CBOR (RFC 8949), as far as it is needed here. */
const text = (words: string) => Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)])
const bytes = (value: Buffer) =>
  Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value])
const NONE = Buffer.concat([text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0])])
/** A "packed" attestation with a certificate in it; what the certificate says does not matter. */
export const WITH_CERTIFICATE = Buffer.concat([
  text("fmt"),
  text("packed"),
  text("attStmt"),
  Buffer.from([0xa1]),
  text("x5c"),
  Buffer.from([0x81]),
  bytes(Buffer.alloc(10)),
])
const url64 = (value: Uint8Array) => Buffer.from(value).toString("base64url")

const coseKey = (x: string, y: string) =>
  Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, "base64url"),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, "base64url"),
  ])
