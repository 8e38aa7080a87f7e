import type { RemoteProblem, Visit } from "@paraph/core/remote-key/model"
import type { Kind } from "@paraph/core/signature-request/model"
import type { ColumnType, JSONColumnType } from "kysely"

/** What signers release their keys for, in our tokens and at providers. */
export type ReleaseTables = {
  signing_release: {
    id: string
    signature_id: string
    business_id: string
    kind: Kind
    key_label: string | null
    /** Provider, credential and algorithm. */
    remote: JSONColumnType<object> | null
    certificate: Buffer
    chain: Buffer[]
    certificate_sha256: string
    marks: JSONColumnType<object>
    until: Date
    passed: JSONColumnType<object> | null
    created_at: ColumnType<Date, undefined, never>
  }
  signer_key: { key_label: string; kind: Kind; due_at: Date }
  remote_signing: {
    release_id: string
    signature_id: string
    business_id: string
    provider: string
    token: ColumnType<Buffer | null, undefined, Buffer | null>
    key_version: ColumnType<number | null, undefined, number | null>
    may_have_signed: ColumnType<boolean, undefined, boolean>
    response_id: ColumnType<string | null, undefined, string | null>
    problem: ColumnType<RemoteProblem | null, undefined, RemoteProblem | null>
    leased_until: ColumnType<Date | null, undefined, Date | null>
    created_at: Date
  }
  remote_way: {
    state_hash: Buffer
    browser_hash: Buffer
    release_id: string
    visit: Visit
    created_at: Date
  }
}
