// Validation data (ISO 32000-2, 12.8.4.3; EN 319 142-1, 5.4): they may be added, replaced and thinned out at any time,
// for they say nothing about the document. So they must be that and nothing else.

import { isArray } from "../syntax/value.ts"
import { rootOf } from "./fields.ts"
import { type DictPlace, differ, find, isDictPlace, itemsOf, type Place, type Step, under } from "./step.ts"

const LISTS = new Set(["Certs", "OCSPs", "CRLs"])
const VRI_LISTS = new Set(["Cert", "OCSP", "CRL"])
const VRI_NAME = /^[0-9A-Fa-f]{40,128}$/

export function judgeSecurityStore(step: Step): void {
  const old = under(step, rootOf(step.before), "DSS")
  const now = under(step, rootOf(step.after), "DSS")
  const touched = new Set<number>()
  if (isDictPlace(old)) faultOf(step, old, touched)
  if (old.value === null && now.value === null) return
  if (!isDictPlace(now)) {
    find(step, "/DSS", "validation-data", "never")
    return
  }
  const fault = faultOf(step, now, touched)
  if (fault !== undefined && (differ(old, now) || touched.size > 0)) {
    find(step, fault, "validation-data", "never")
    return
  }
  if (differ(old, now) || touched.size > 0) find(step, "/DSS", "validation-data", "nothing")
}

/** What in it is something else; `touched` gets the numbers of its objects that this revision writes. */
function faultOf(step: Step, store: DictPlace, touched: Set<number>): string | undefined {
  if (store.isStream) return store.path
  note(step, store, touched)
  for (const key of store.value.entries.keys()) {
    const place = under(step, store, key)
    note(step, place, touched)
    if (key === "Type" || (key === "VRI" && place.value === null)) continue
    const fault = LISTS.has(key)
      ? streamsFault(step, place, touched)
      : key === "VRI" && isDictPlace(place)
        ? vriFault(step, place, touched)
        : place.path
    if (fault !== undefined) return fault
  }
  return undefined
}

function vriFault(step: Step, vri: DictPlace, touched: Set<number>): string | undefined {
  for (const name of vri.value.entries.keys()) {
    const one = under(step, vri, name)
    note(step, one, touched)
    if (name === "Type") continue
    if (!VRI_NAME.test(name) || !isDictPlace(one) || one.isStream) return one.path
    for (const key of one.value.entries.keys()) {
      const place = under(step, one, key)
      note(step, place, touched)
      if (key === "Type" || key === "TU") continue
      if (key === "TS" && place.isStream) continue
      const fault = VRI_LISTS.has(key) ? streamsFault(step, place, touched) : place.path
      if (fault !== undefined) return fault
    }
  }
  return undefined
}

function streamsFault(step: Step, list: Place, touched: Set<number>): string | undefined {
  if (list.value === null) return undefined
  if (!isArray(list.value) || list.isStream) return list.path
  for (const item of itemsOf(step, list, ({ number }) => step.changed.has(number))) {
    note(step, item, touched)
    if (!item.isStream) return item.path
  }
  return undefined
}

function note(step: Step, { home }: Place, touched: Set<number>): void {
  if (step.changed.has(home) && home !== step.after.pdf.catalogRef.number) touched.add(home)
}
