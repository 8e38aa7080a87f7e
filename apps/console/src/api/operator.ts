import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { signIn } from "../session/account.ts"
import { type Problem, ProblemError } from "./problem.ts"
import type { components } from "./v3.d.ts"

/** The operator's area has a wire of its own, with the account's cookie: it belongs to no business (ADR 0036). */
async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`/app/api/operator${path}`, {
    method,
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.status === 401) return signIn()
  if (!response.ok)
    throw new ProblemError((await response.json().catch(() => ({}))) as Problem, response.headers)
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T
}

export const hasKey = (error: unknown, key: string): boolean =>
  error instanceof ProblemError && error.problem.key === key

export type Queue = {
  readonly name: string
  readonly waiting: number
  readonly active: number
  readonly failed: number
  readonly oldest_seconds: number
}

/** One operator asked that the factors of a person are reset; another one confirms it. */
export type FactorReset = {
  readonly email: string
  readonly reason: string
  readonly asked_by: string
  readonly until: string
  readonly own: boolean
}

export const factorResets = queryOptions({
  queryKey: ["operator", "factor-resets"],
  queryFn: () =>
    ask<{ readonly operators: 1 | 2; readonly resets: readonly FactorReset[] }>(
      "GET",
      "/accounts/reset-factors",
    ),
})

export type Certificate = {
  readonly name: string
  readonly subject: string
  readonly not_after: string
  readonly days_left: number
}

export type OverviewAnswer = {
  readonly queue: readonly Queue[]
  readonly deliveries: { readonly open: number; readonly resigned: number }
  readonly mails: { readonly waiting: number; readonly failed: number }
  readonly storage: { readonly documents: number; readonly database_bytes: number }
  readonly certificates: readonly Certificate[]
  readonly versions: { readonly node: string; readonly postgres: string; readonly schema: string }
}

export type BusinessRow = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly features: readonly string[]
  readonly members: number
  readonly keys: number
  readonly requests30d: number
  readonly retention_days: number | null
  /** It stands in no mail before an operator has confirmed it. */
  readonly pending_sender_name: string | null
}

export type BusinessAnswer = Omit<BusinessRow, "members" | "keys"> & {
  readonly members: readonly Pick<Member, "email" | "name" | "role">[]
  readonly keys: readonly ApiKey[]
  /** `included`: in a month; null: as many as it likes. */
  readonly credits: { readonly price: number; readonly included: number | null; readonly valid_from: string }
}

type ApiKey = components["schemas"]["ApiKey"]
type Member = components["schemas"]["Member"]

export const MAIL_STATES = ["WAITING", "SENT", "FAILED", "BOUNCED"] as const

export type LoggedMail = {
  readonly id: string
  readonly at: string
  readonly type: string
  readonly channel: "mail" | "sms"
  readonly to: string
  readonly state: (typeof MAIL_STATES)[number]
  readonly attempts: number
  readonly error?: string
}

export type FailedJob = {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly attempts: number
  readonly created_at: string
  readonly error: string | null
  readonly next_attempt_at?: string
}

export type AuditEntry = {
  readonly id: string
  readonly at: string
  /** Null for what was typed into a shell: then `shell_user` says by whom. */
  readonly actor: string | null
  readonly shell_user: string | null
  readonly act: string
  readonly target: string
  readonly business_id?: string
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

const LOOKS_AGAIN_MS = 10_000

export const overview = queryOptions({
  queryKey: ["operator", "overview"],
  queryFn: () => ask<OverviewAnswer>("GET", "/overview"),
  refetchInterval: LOOKS_AGAIN_MS,
})

export const businesses = (search: string) =>
  queryOptions({
    queryKey: ["operator", "businesses", search],
    queryFn: () => ask<readonly BusinessRow[]>("GET", `/businesses?q=${encodeURIComponent(search)}`),
    placeholderData: (before) => before,
  })

export const oneBusiness = (id: string) =>
  queryOptions({
    queryKey: ["operator", "business", id],
    queryFn: () => ask<BusinessAnswer>("GET", `/businesses/${id}`),
  })

/** Pages of a log, the newest first; the next one begins behind the last line of this one. */
const pagesOf = <Entry extends { readonly id: string }>(
  what: string,
  filters: Readonly<Record<string, string>>,
) =>
  infiniteQueryOptions({
    queryKey: ["operator", what, filters],
    queryFn: ({ pageParam }) => {
      const given = Object.entries({ ...filters, older_than: pageParam }).filter(([, value]) => value !== "")
      return ask<readonly Entry[]>("GET", `/${what}?${new URLSearchParams(given)}`)
    },
    initialPageParam: "",
    getNextPageParam: (page: readonly Entry[]) => (page.length < PAGE ? undefined : page.at(-1)?.id),
  })

/** As many as the server answers at once. */
const PAGE = 100

export const mailLog = (state: string) => pagesOf<LoggedMail>("mails", { state })
export const auditOf = (business: string) => pagesOf<AuditEntry>("audit", { business })

export const failedJobs = queryOptions({
  queryKey: ["operator", "jobs"],
  queryFn: () => ask<readonly FailedJob[]>("GET", "/jobs/failed"),
  refetchInterval: LOOKS_AGAIN_MS,
})

export const operatorActs = {
  setFeatures: (id: string, features: readonly string[]) =>
    ask<unknown>("PUT", `/businesses/${id}/features`, { features }),
  setCredits: (id: string, credits: { readonly price: number; readonly included: number | null }) =>
    ask<unknown>("PUT", `/businesses/${id}/credits`, credits),
  resetKey: (id: string, keyId: string) => ask<void>("POST", `/businesses/${id}/keys/${keyId}/reset`, {}),
  judgeSenderName: (id: string, name: string, verdict: "confirm" | "refuse") =>
    ask<void>("POST", `/businesses/${id}/sender-name/${verdict}`, { sender_name: name }),
  revokeKey: (id: string, keyId: string) => ask<void>("DELETE", `/businesses/${id}/keys/${keyId}`),
  retryJob: (id: string) => ask<unknown>("POST", `/jobs/${id}/retry`, {}),
  askForReset: (email: string, reason: string) =>
    ask<unknown>("POST", "/accounts/reset-factors", { email, reason }),
  judgeReset: (email: string, verdict: "confirm" | "refuse") =>
    ask<unknown>("POST", `/accounts/reset-factors/${verdict}`, { email }),
}
