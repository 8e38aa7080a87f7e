// The time at which the signer says to have signed: /M of the dictionary (ISO 32000-2, 7.9.4), or the attribute of the CMS
// that older signatures have.

import { readDer, readTime } from "@paraph/pki/der"
import { ifReadable } from "@paraph/pki/optional"
import type { Mark } from "./material.ts"

const SIGNING_TIME = "1.2.840.113549.1.9.5"

export function claimedTime({ pdf, cms }: Mark): Date | undefined {
  const stated = pdf.claims.time === undefined ? undefined : pdfDate(pdf.claims.time)
  if (stated !== undefined) return stated
  const [value] =
    cms?.signer?.signedAttributeList
      .filter(({ type }) => type === SIGNING_TIME)
      .flatMap(({ values }) => values) ?? []
  return value && ifReadable(() => readTime(readDer(value), "signing time"))
}

const DATE =
  /^D:(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d))?)?)?)?)?(?:Z(?:00'?(?:00'?)?)?|([+-])(\d\d)'?(?:(\d\d)'?)?)?$/

function pdfDate(text: string): Date | undefined {
  const found = DATE.exec(text.trim())
  if (found === null) return undefined
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, hours, minutes] =
    found
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  const at = new Date(local - (sign === "-" ? -offset : offset))
  return Number.isNaN(at.getTime()) ? undefined : at
}
