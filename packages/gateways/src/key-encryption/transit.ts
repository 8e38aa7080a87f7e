// The transit engine of OpenBao and HashiCorp Vault: POST /:mount/encrypt/:name and /:mount/decrypt/:name.

import type { Outbound } from "../outbound/outbound.ts"
import { KeyEncryptionFailed } from "./failed.ts"
import type { KeyEncryption } from "./key-encryption.ts"
import { prove } from "./prove.ts"
import { askTransit, type TransitServer } from "./transit-call.ts"

export type TransitSettings = {
  /** Of the server, e.g. `https://bao.example:8200`; without `/v1`. */
  readonly address: string
  /** Where the engine is mounted; a namespace stands before it, as in `team/transit`. */
  readonly mount: string
  /** A key of type aes256-gcm96, neither derived nor convergent. */
  readonly key: string
  /** Holds the token, and may be written anew at any time, as an agent does. */
  readonly tokenFile: string
  readonly outbound: Outbound
}

// The ciphertext names the version of the key, so a rotation inside the server leaves older ones readable.
const CIPHERTEXT = /^vault:v[1-9][0-9]{0,8}:[A-Za-z0-9+/]{1,8192}={0,2}$/

/** A key in somebody else's server, which wraps and unwraps and logs that it did. */
export function transitKeyEncryption({ mount, key, ...rest }: TransitSettings): KeyEncryption {
  const server: TransitServer = { ...rest, mount: checkedPath(mount), key: checkedName(key) }

  const wrap = async (secret: Uint8Array, context: string) => {
    const { ciphertext } = await askTransit(server, "encrypt", {
      plaintext: base64(secret),
      associated_data: base64(context),
    })
    if (typeof ciphertext !== "string" || !CIPHERTEXT.test(ciphertext)) throw unreadable()
    return Buffer.from(ciphertext, "ascii")
  }
  const unwrap = async (wrapped: Uint8Array, context: string) => {
    const ciphertext = Buffer.from(wrapped).toString("latin1")
    if (!CIPHERTEXT.test(ciphertext))
      throw new KeyEncryptionFailed("corrupt", "The wrapped key does not look like one of transit.")
    const { plaintext } = await askTransit(server, "decrypt", {
      ciphertext,
      associated_data: base64(context),
    })
    if (typeof plaintext !== "string") throw unreadable()
    const secret = Buffer.from(plaintext, "base64")
    // Node passes over what is no Base64: something would be opened with a key that nobody has wrapped.
    if (base64(secret) !== plaintext) throw unreadable()
    return secret
  }
  return {
    id: `transit:${server.mount}/${server.key}`,
    wrap,
    unwrap,
    health: () => prove({ wrap, unwrap }),
    close: async () => {},
  }
}

function checkedPath(mount: string): string {
  const parts = mount.replace(/^\/|\/$/g, "").split("/")
  return parts.map(checkedName).join("/")
}

function checkedName(name: string): string {
  // What the server itself takes for a name; never a path that leads elsewhere.
  if (!/^\w[\w.-]*$/.test(name) || name.endsWith("."))
    throw new Error(`${name} is not a name that transit knows.`)
  return name
}

function base64(value: Uint8Array | string): string {
  return Buffer.from(value as Uint8Array).toString("base64")
}

function unreadable(): KeyEncryptionFailed {
  return new KeyEncryptionFailed("down", "The key server's answer cannot be read.")
}
