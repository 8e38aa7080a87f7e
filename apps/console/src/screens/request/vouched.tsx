import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { IdCard } from "lucide-react"
import { useState } from "react"
import { ownSettings } from "../../api/settings.ts"
import type { Signature, SignatureRequest } from "../../api/types.ts"
import { Breakable } from "../../parts/breakable.tsx"
import { Button } from "../../parts/button.tsx"
import { sayTime } from "../../parts/said.ts"
import { useSession } from "../../session/session.tsx"
import { VouchSheet } from "./vouch-sheet.tsx"

type VouchedProps = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly mayChange: boolean
}

/** Who confirmed the identity of a signer in person, and the button to do so where the business may. */
export function Vouched({ request, signature, mayChange }: VouchedProps) {
  const { i18n } = useLingui()
  const [isVouching, setVouching] = useState(false)
  const { kind } = useSession()
  const { data: settings } = useQuery(ownSettings)
  const { vouch } = signature
  const isAdvanced = request.quality === "AES" || request.quality === "AES_MINIMAL"
  const isOpen = ["DRAFT", "OPEN"].includes(request.status_overall) && signature.status_code === "OPEN"
  const isPerson = signature.signer_group_id === null || request.status_overall === "OPEN"
  const mayVouch = mayChange && isOpen && isPerson && settings?.features.includes("vouching") === true
  if (vouch === null && (kind !== "production" || !isAdvanced || !mayVouch)) return null
  return (
    <div className="mt-1 text-sm">
      {vouch !== null && (
        <p className="flex items-start gap-1.5 text-(--muted)">
          <IdCard aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
          <span>
            <Breakable
              text={i18n._("{member} confirmed on {time} that this is {name}.", {
                member: vouch.by,
                time: sayTime(i18n, vouch.at),
                name: `${vouch.first_name} ${vouch.last_name}`,
              })}
            />
          </span>
        </p>
      )}
      {vouch === null && mayVouch && (
        <>
          <p className="text-(--muted)">{i18n._("An advanced signature needs a name that was checked.")}</p>
          <Button className="mt-2" onClick={() => setVouching(true)}>
            {i18n._("Confirm identity")}
          </Button>
        </>
      )}
      {isVouching && (
        <VouchSheet request={request} signature={signature} onClose={() => setVouching(false)} />
      )}
    </div>
  )
}
