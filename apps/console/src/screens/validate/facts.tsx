import { useLingui } from "@lingui/react"
import { Award, CalendarClock, Hourglass, type LucideIcon } from "lucide-react"
import type { ReactNode } from "react"
import type { SignerInfo } from "../../api/validation.ts"
import { sayKind, sayMoment, sayProof, sayRank } from "./words.ts"

/** When, of which kind, and for how long it can be proved. */
export function Facts({ signer }: { readonly signer: SignerInfo }) {
  const { i18n } = useLingui()
  const { time, timeProof, longTermValidation, indication } = signer
  return (
    <dl className="mt-5 grid gap-x-8 gap-y-5 border-t border-(--line) pt-5 sm:grid-cols-3">
      <Fact Sign={CalendarClock} name={i18n._("When")} more={sayProof(i18n, timeProof)}>
        {time === null ? i18n._("Unknown") : <time dateTime={time}>{sayMoment(i18n, time)}</time>}
      </Fact>
      <Fact Sign={Award} name={i18n._("Kind of signature")} more={sayRank(i18n, signer)}>
        {sayKind(i18n, signer)}
      </Fact>
      {/* What cannot be proved today needs no proof for later. */}
      {(longTermValidation || indication === "TOTAL-PASSED") && (
        <Fact
          Sign={Hourglass}
          name={i18n._("Lasting proof")}
          more={
            longTermValidation
              ? i18n._("All that is needed to check it in years is in the document (LTV).")
              : i18n._("In some years it may no longer be possible to check it.")
          }
        >
          {longTermValidation ? i18n._("Yes") : i18n._("No")}
        </Fact>
      )}
    </dl>
  )
}

type FactProps = {
  readonly Sign: LucideIcon
  readonly name: string
  readonly more: string | null
  readonly children: ReactNode
}

function Fact({ Sign, name, more, children }: FactProps) {
  return (
    <div>
      <dt className="flex items-center gap-2 text-sm text-(--muted)">
        <Sign aria-hidden="true" size={16} className="shrink-0" />
        {name}
      </dt>
      <dd className="mt-1 font-semibold">{children}</dd>
      {more !== null && <dd className="mt-0.5 text-sm text-(--muted)">{more}</dd>}
    </div>
  )
}
