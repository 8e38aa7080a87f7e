import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { IdCard } from "lucide-react"
import { useState } from "react"
import { type IdentificationStatus, identificationStatus } from "../../api/identifications.ts"
import type { Signature, SignatureRequest } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { calledOf } from "../../parts/people.ts"
import { ReviewSheet } from "./review-sheet.tsx"

type IdentifiedProps = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly evidenceId: string
  readonly mayChange: boolean
}

/** How far the identification of a signer is, and the way to a decision where one is needed. */
export function Identified({ request, signature, evidenceId, mayChange }: IdentifiedProps) {
  const { i18n } = useLingui()
  const [isReviewing, setReviewing] = useState(false)
  const isOpen = request.status_overall === "OPEN"
  const { data } = useQuery(identificationStatus(request.id, evidenceId, isOpen))
  if (data === undefined) return null
  const needsWord = isOpen && waitsForUs(data)
  const who = calledOf(signature)
  return (
    <div className="mt-1 text-sm">
      <p className={`flex items-start gap-1.5 ${needsWord ? "font-semibold" : "text-(--muted)"}`}>
        <IdCard aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
        <span>{sayIdentification(i18n, data)}</span>
      </p>
      {needsWord && mayChange && (
        <Button className="mt-2" onClick={() => setReviewing(true)}>
          {i18n._("Decide about {who}", { who })}
        </Button>
      )}
      {isReviewing && (
        <ReviewSheet
          request={request}
          signature={signature}
          evidenceId={evidenceId}
          onClose={() => setReviewing(false)}
        />
      )}
    </div>
  )
}

/** Not where the provider itself is still looking. */
const waitsForUs = ({ status, reason }: IdentificationStatus): boolean =>
  status === "PENDING_REVIEW" && reason !== "PROVIDER_REVIEWS"

function sayIdentification(i18n: I18n, { status, reason }: IdentificationStatus): string {
  switch (status) {
    case "CREATED":
      return i18n._("Has to be identified before signing.")
    case "STARTED":
      return i18n._("Is being identified.")
    case "PENDING_REVIEW":
      if (reason === "NAME_DIFFERS")
        return i18n._("Was identified under another name. Is it the right person?")
      if (reason === "COUNTRY_DIFFERS")
        return i18n._("Was identified with papers of another country. Is it the right person?")
      return i18n._("The provider is looking at the identification.")
    case "ACCEPTED":
      return i18n._("Was identified.")
    case "REJECTED":
      return reason === "SENDER_REFUSED"
        ? i18n._("The identified person is not the one who was asked.")
        : i18n._("The identification did not succeed.")
    case "EXPIRED":
      return i18n._("The identification has run out of time.")
  }
}
