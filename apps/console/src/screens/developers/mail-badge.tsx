import { useLingui } from "@lingui/react"
import { Check, Clock, MailX, TriangleAlert } from "lucide-react"
import type { Mail } from "../../api/mails.ts"
import { Badge } from "../../parts/badge.tsx"

type MailBadgeProps = Pick<Mail, "state"> & {
  /** A text message of a test: it is here, and was sent to nobody. */
  readonly kept?: boolean
}

export function MailBadge({ state, kept = false }: MailBadgeProps) {
  const { i18n } = useLingui()
  switch (state) {
    case "SENT":
      return kept ? (
        <Badge look="good" Sign={Check}>
          {i18n._("Kept here")}
        </Badge>
      ) : (
        <Badge look="good" Sign={Check}>
          {i18n._("Sent")}
        </Badge>
      )
    case "WAITING":
      return (
        <Badge look="accent" Sign={Clock}>
          {i18n._("On its way")}
        </Badge>
      )
    case "BOUNCED":
      return (
        <Badge look="bad" Sign={MailX}>
          {i18n._("Came back")}
        </Badge>
      )
    case "FAILED":
      return (
        <Badge look="bad" Sign={TriangleAlert}>
          {i18n._("Failed")}
        </Badge>
      )
  }
}
