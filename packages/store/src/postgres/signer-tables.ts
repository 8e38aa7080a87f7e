import type { Language } from "@paraph/core/language"
import type { Way } from "@paraph/core/login/signer"
import type { Exits } from "@paraph/core/signature-request/exits"
import type { JSONColumnType } from "kysely"

/** The rows by which signers come in. */
export type SignerTables = {
  signing_link: { token_hash: Buffer; signature_id: string; created_at: Date; look_at: Date }
  signer_session: {
    id_hash: Buffer
    signature_id: string
    created_at: Date
    seen_at: Date
    preview: boolean
    way: Way
    exits: JSONColumnType<Exits> | null
    hide_download: boolean
    account_session_id: string | null
    language: Language | null
  }
  signer_code: CodeRow
  release_code: CodeRow & { binding: string }
  day_count: { day: string; key: Buffer; count: number }
}

type CodeRow = {
  signature_id: string
  session_hash: Buffer
  number: number
  code_hash: Buffer | null
  asked_at: Date
  attempts_left: number
  asked: Date[]
  wrong: number
}
