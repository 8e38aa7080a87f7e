import { hkdfSync } from "node:crypto"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { MailSealer, SealedMail } from "../postgres/captured-mails.ts"
import type { BusinessKeys } from "./business-keys.ts"

/** Copies of mails, sealed with a key made of the business's; each part is bound to the mail and to being that part. */
export const createMailSealer = (keys: BusinessKeys): MailSealer => ({
  sealMail: async ({ businessId, id }, plain, within) => {
    const { version, key } = await keys.newest(businessId, within)
    return { ...sealMail(key, id, plain), keyVersion: version }
  },
  openMail: async ({ businessId, id }, part, { sealed, keyVersion }, within) =>
    openMailPart(await keys.of(businessId, keyVersion, within), id, part, sealed),
})

export type MailParts = Omit<SealedMail, "keyVersion">

export const sealMail = (businessKey: Uint8Array, id: string, plain: MailParts): MailParts => ({
  envelope: wrapKey(mailKey(businessKey), plain.envelope, context(id, "envelope")),
  content: wrapKey(mailKey(businessKey), plain.content, context(id, "content")),
})

export const openMailPart = (
  businessKey: Uint8Array,
  id: string,
  part: keyof MailParts,
  sealed: Uint8Array,
): Buffer => unwrapKey(mailKey(businessKey), sealed, context(id, part))

const context = (id: string, part: keyof MailParts): string => `${part} of mail ${id}`

const mailKey = (businessKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", businessKey, "", "paraph captured mail", 32))
