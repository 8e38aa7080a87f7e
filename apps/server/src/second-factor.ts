import { createHmac, randomBytes } from "node:crypto"
import type { SealedSecret } from "@paraph/core/account/model"
import type { SecondFactor } from "@paraph/core/account/ports"
import { LIMITS } from "@paraph/core/limits"
import { accountContext, type KeyRing } from "@paraph/store/keys/key-ring"
import { Secret, TOTP } from "otpauth"
import { hashesWith, type Peppers } from "./peppers.ts"

export type SecondFactors = SecondFactor & {
  /** A new secret, as the person's app takes it and as we keep it. */
  readonly newSecret: (account: {
    readonly id: string
    readonly email: string
  }) => Promise<{ readonly sealed: SealedSecret; readonly base32: string; readonly uri: string }>
  readonly newRecoveryCodes: () => readonly string[]
}

/** RFC 6238 as every app knows it: SHA-1, six digits, 30 seconds. The secret has the 32 bytes that a key ring wraps. */
const FORM = { algorithm: "SHA1", digits: 6, period: 30, issuer: "Paraph" } as const
const SECRET_BYTES = 32

export function createSecondFactors(ring: Pick<KeyRing, "wrap" | "unwrap">, peppers: Peppers): SecondFactors {
  return {
    newSecret: async ({ id, email }) => {
      const bytes = randomBytes(SECRET_BYTES)
      const { id: kekId, wrapped } = await ring.wrap(bytes, accountContext(id))
      const secret = secretOf(bytes)
      const uri = new TOTP({ ...FORM, label: email, secret }).toString()
      return { sealed: { kekId, wrapped }, base32: secret.base32, uri }
    },
    stepOf: async (accountId, { kekId, wrapped }, token, now) => {
      const bytes = await ring.unwrap({ id: kekId, wrapped }, accountContext(accountId))
      const totp = new TOTP({ ...FORM, secret: secretOf(bytes) })
      const timestamp = now.getTime()
      const delta = totp.validate({ token, timestamp, window: 1 })
      // The step of now, and the one before for the delay of typing and sending (RFC 6238, 5.2). A code of the future is refused.
      return delta === null || delta > 0 ? null : totp.counter({ timestamp }) + delta
    },
    newRecoveryCodes: () => Array.from({ length: LIMITS.recoveryCodes }, newRecoveryCode),
    hashRecoveryCode: (code) =>
      hashesWith(peppers, (pepper) => createHmac("sha256", pepper).update(`recovery code ${code}`).digest()),
  }
}

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer })

/** Without the letters that look like others; 24 of 32 characters are 120 bits, so that a fast hash is enough (ASVS 6.5.2). */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ0123456789"
const newRecoveryCode = (): string =>
  Array.from(randomBytes(24), (byte) => LETTERS[byte % LETTERS.length]).join("")

/** As it is shown: four by four. */
export const inFours = (code: string): string => code.match(/.{4}/g)?.join("-") ?? code
