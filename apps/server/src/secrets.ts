import { createHash, randomBytes } from "node:crypto"

/** Of links and sessions alike: opaque, 256 bits, and kept as a hash only (security, R26, R28). */
export const newSecret = (): string => randomBytes(32).toString("base64url")
export const hashOf = (secret: string): Uint8Array => createHash("sha256").update(secret).digest()
