import type { Counts } from "../../api/usage.ts"

export const QUALITIES = ["SES", "AES", "AES_MINIMAL", "QES"] as const

export const signaturesIn = ({ signatures }: Counts): number =>
  QUALITIES.reduce((sum, quality) => sum + signatures[quality], 0)

/** "2026-03" and the like, `before` months before the one of `now`. */
export function monthBefore(now: Date, before: number): string {
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1))
  return date.toISOString().slice(0, 7)
}

export type Row = { readonly when: string; readonly counts: Counts }

const COLUMNS = ["requests", "documents", "declined", "seals", "mails"] as const

/** RFC 4180; for spreadsheets and for invoices. */
export function csvOf(rows: readonly Row[], first: string): string {
  const head = [first, ...COLUMNS, ...QUALITIES.map((quality) => `signatures_${quality}`)]
  const lines = rows.map(({ when, counts }) => [
    when,
    ...COLUMNS.map((column) => counts[column]),
    ...QUALITIES.map((quality) => counts.signatures[quality]),
  ])
  return `${[head, ...lines].map((line) => line.join(",")).join("\r\n")}\r\n`
}
