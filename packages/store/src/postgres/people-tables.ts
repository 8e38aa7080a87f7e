import type { AccountAct, CodePurpose } from "@paraph/core/account/model"
import type { StepPurpose } from "@paraph/core/account/ports"
import type { Role } from "@paraph/core/business/model"
import type { Kind } from "@paraph/core/signature-request/model"
import type { ColumnType } from "kysely"

/** The rows of people, of what they are in a business, of its API users and keys, and of what was done to it. */
export type PeopleTables = {
  account: { id: string; email: string; name: string; created_at: Date }
  account_credentials: {
    account_id: string
    password_hash: string | null
    password_at: Date | null
    totp_kek_id: string | null
    totp_wrapped: Buffer | null
    totp_since: Date | null
    totp_step: number | null
    totp_held_until: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  account_identified_name: { account_id: string; name: string; provider: string; proved_at: Date }
  account_vouched_name: {
    account_id: string
    business_id: string
    name: string
    given_name: string | null
    surname: string | null
    member: string
    proved_at: Date
  }
  account_passkey: {
    id: string
    account_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    name: string
    created_at: Date
    used_at: Date | null
    held_until: ColumnType<Date | null, Date | null | undefined, never>
  }
  account_recovery_code: { account_id: string; code_hash: Buffer; pepper_id: string | null }
  account_session: {
    id: string
    id_hash: Buffer
    account_id: string
    created_at: Date
    seen_at: Date
    browser: string
    network: string
    /** By a passkey, or by an authenticator app beside the password. */
    strong: ColumnType<boolean, boolean | undefined, never>
    factor_held_until: ColumnType<Date | null, Date | null | undefined, never>
    provider_factor: ColumnType<boolean, boolean | undefined, never>
    sso_business_id: ColumnType<string | null, string | null | undefined, never>
  }
  factor_reset: {
    account_id: string
    asked_by: string
    reason: string
    asked_at: Date
  }
  account_code: {
    purpose: CodePurpose
    email: string
    asked_by: string
    code_hash: Buffer
    tries: ColumnType<number, number | undefined, number>
    created_at: Date
  }
  account_step: {
    id_hash: Buffer
    purpose: StepPurpose
    account_id: string | null
    challenge: string | null
    tries: ColumnType<number, number | undefined, number>
    created_at: Date
    sso_business_id: ColumnType<string | null, string | null | undefined, never>
  }
  granted_domain: { domain: string; business_id: string; granted_at: Date }
  single_sign_on: {
    business_id: string
    issuer: string
    client_id: string
    secret: Buffer
    key_version: number
    enforced: boolean
    joins: boolean
    updated_at: Date
  }
  single_sign_on_subject: { business_id: string; subject: string; account_id: string; created_at: Date }
  single_sign_on_attempt: {
    state_hash: Buffer
    browser_hash: Buffer
    business_id: string
    next: string
    created_at: Date
  }
  account_event: {
    id: ColumnType<number, never, never>
    account_id: ColumnType<string, string, never>
    at: ColumnType<Date, Date, never>
    act: ColumnType<AccountAct, AccountAct, never>
    detail: ColumnType<string | null, string | null, never>
    browser: ColumnType<string, string, never>
    network: ColumnType<string, string, never>
  }
  membership: {
    business_id: string
    account_id: string
    role: Role
    given_name: ColumnType<string | null, string | null | undefined, string | null>
    created_at: Date
    seen_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    accepted_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    invited_by: ColumnType<string | null, string | null | undefined, never>
  }
  operator: { account_id: string; created_at: Date }
  audit_log: {
    id: ColumnType<number, never, never>
    at: ColumnType<Date, Date, never>
    actor: ColumnType<string | null, string | null, never>
    shell_user: ColumnType<string | null, string | null, never>
    act: ColumnType<string, string, never>
    business_id: ColumnType<string | null, string | null, never>
    target: ColumnType<string, string, never>
    before: ColumnType<object | null, string | null, never>
    after: ColumnType<object | null, string | null, never>
  }
  api_user: {
    id: string
    business_id: string
    username: string
    created_at: Date
    removed_at: Date | null
    /** Of a member, who acts by the interface without any key. */
    account_id: ColumnType<string | null, string | null | undefined, never>
  }
  api_key: {
    id: string
    business_id: string
    api_user_id: string
    kind: Kind
    key_hash: Buffer
    pepper_id: string | null
    hint: string
    created_at: Date
    expires_at: Date
    name: string
    created_by: ColumnType<string | null, string | null | undefined, never>
    last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    revoked_at: Date | null
    reset_by_operator_at: ColumnType<Date | null, never, Date>
    claimed_at: ColumnType<Date | null, never, Date>
  }
}
