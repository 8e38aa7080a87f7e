// What a witness adds to a checkpoint (C2SP tlog-cosignature): that it has seen it at that time, and that it goes on from all that
// it saw before.

import type { NoteSignature } from "./note.ts"
import { keyIdOf, messageOf, type NoteKey } from "./note-key.ts"

/** `sign` makes an Ed25519 signature over the bytes, wherever the key lies. */
export async function cosign(
  { name, publicKey }: Pick<NoteKey, "name" | "publicKey">,
  text: string,
  at: Date,
  sign: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<NoteSignature> {
  const seconds = Math.floor(at.getTime() / 1000)
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(seconds))
  const value = Buffer.concat([time, await sign(messageOf("cosignature", text, seconds))])
  return { name, keyId: keyIdOf({ name, type: "cosignature", publicKey }), value }
}
