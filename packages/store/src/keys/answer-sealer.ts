import { hkdfSync } from "node:crypto"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { BusinessKeys } from "./business-keys.ts"

export type SealedAnswer = { readonly sealed: Buffer; readonly keyVersion: number }

export type AnswerSealer = {
  readonly seal: (businessId: string, context: string, plain: Buffer) => Promise<SealedAnswer>
  readonly open: (businessId: string, context: string, answer: SealedAnswer) => Promise<Buffer>
}

/** Answers name documents and people: in the rows they are sealed with a key made of the business's own. */
export const createAnswerSealer = (keys: BusinessKeys): AnswerSealer => ({
  seal: async (businessId, context, plain) => {
    const { key, version } = await keys.newest(businessId)
    return { sealed: wrapKey(answerKey(key), plain, context), keyVersion: version }
  },
  open: async (businessId, context, { sealed, keyVersion }) =>
    unwrapKey(answerKey(await keys.of(businessId, keyVersion)), sealed, context),
})

const answerKey = (key: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, "", "paraph idempotent answer", 32))
