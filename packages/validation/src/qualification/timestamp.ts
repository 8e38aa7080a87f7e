// Whether a time-stamp is a qualified one (ETSI TS 119 615, 4.7; Regulation 910/2014, article 42): its unit belongs to a service
// for qualified time-stamps that was granted when it was made, and still when it is relied upon.

import type { Certificate } from "@paraph/pki/certificate"
import type { Legislation } from "../report.ts"
import type { Law, TrustService } from "../trusted-list/trusted-list.ts"
import { EIDAS_BEGINS, statesAt } from "./service-state.ts"

export type TimestampOrder = {
  /** From the unit to the anchor. */
  readonly path: readonly Certificate[]
  readonly services: readonly TrustService[]
  /** The time that it states. */
  readonly madeAt: Date
  /** When it is proved to have existed, or now. */
  readonly at: Date
  readonly now: Date
  readonly expiredLists?: "refuse" | "accept"
}

/** By which law it is qualified; WORLD: by none. */
export function qualifyTimestamp(order: TimestampOrder): {
  readonly isQualified: boolean
  readonly legislation: Legislation
} {
  const laws = (["EU", "CH"] as const).filter((law) => isQualifiedUnder(law, order))
  const [law, other] = laws
  if (law === undefined) return { isQualified: false, legislation: "WORLD" }
  return { isQualified: true, legislation: other === undefined ? law : "CH_EU" }
}

function isQualifiedUnder(
  law: Law,
  { path, services, madeAt, at, now, expiredLists }: TimestampOrder,
): boolean {
  // PRO-4.6.4-01: nothing was qualified before the Regulation applied.
  if (law === "EU" && madeAt.getTime() < EIDAS_BEGINS) return false
  const counts = ({ listExpires }: TrustService) =>
    expiredLists === "accept" || listExpires === null || Date.parse(listExpires) >= now.getTime()
  const counting = services.filter(counts)
  return [madeAt, at].every((time) => {
    const states = statesAt({
      services: counting,
      certificates: path,
      law,
      type: "TSA/QTST",
      at: time.getTime(),
    })
    return (
      states.length > 0 && states.every(({ period }) => period.isUnderstood && period.status === "granted")
    )
  })
}
