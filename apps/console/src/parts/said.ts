import type { I18n } from "@lingui/core"
import type { Quality, Status } from "../api/types.ts"

/** Times and sizes as the reader's language writes them. */
export const sayTime = (i18n: I18n, iso: string): string =>
  new Intl.DateTimeFormat(i18n.locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso))

/** A day of the interface has no time and no zone, and is shown as what it is. */
export const sayDay = (i18n: I18n, day: string): string =>
  new Intl.DateTimeFormat(i18n.locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day))

/** A month of the interface, such as 2026-11. */
export const sayMonth = (i18n: I18n, month: string): string =>
  new Intl.DateTimeFormat(i18n.locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01`),
  )

export const sayClock = (i18n: I18n, date: Date): string =>
  new Intl.DateTimeFormat(i18n.locale, { timeStyle: "short" }).format(date)

export function saySize(i18n: I18n, bytes: number): string {
  const [value, unit] =
    bytes < 1e6 ? ([Math.max(1, bytes / 1e3), "kilobyte"] as const) : ([bytes / 1e6, "megabyte"] as const)
  return new Intl.NumberFormat(i18n.locale, {
    style: "unit",
    unit,
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}

const STEPS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
] as const

/** "5 minutes ago"; the date itself when it is more than a week. */
export function sayAgo(i18n: I18n, iso: string): string {
  let value = (Date.parse(iso) - Date.now()) / 1000
  for (const [next, unit] of STEPS) {
    if (Math.abs(value) < next)
      return new Intl.RelativeTimeFormat(i18n.locale, { numeric: "auto" }).format(Math.round(value), unit)
    value /= next
  }
  return new Intl.DateTimeFormat(i18n.locale, { dateStyle: "medium" }).format(new Date(iso))
}

export function sayStatus(i18n: I18n, status: Status): string {
  switch (status) {
    case "DRAFT":
      return i18n._("Draft")
    case "OPEN":
      return i18n._("Open")
    case "SIGNED":
      return i18n._("Signed")
    case "DECLINED":
      return i18n._("Declined")
    case "EXPIRED":
      return i18n._("Expired")
    case "WITHDRAWN":
      return i18n._("Withdrawn")
    case "ERROR":
      return i18n._("Failed")
  }
}

export function sayQuality(i18n: I18n, quality: Quality): readonly [name: string, meaning: string] {
  switch (quality) {
    case "SES":
      return [i18n._("Simple (SES)"), i18n._("For everyday agreements. Signers confirm by e-mail.")]
    case "AES":
      return [i18n._("Advanced (AES)"), i18n._("For contracts that matter. Signers are identified once.")]
    case "QES":
      return [i18n._("Qualified (QES)"), i18n._("Equal to a signature by hand where the law asks for one.")]
    case "AES_MINIMAL":
      return [
        i18n._("Advanced, light (AES minimal)"),
        i18n._("Advanced, with the lightest identification that the law allows."),
      ]
  }
}
