import { useLingui } from "@lingui/react"
import { Check, Clock, MailX, TriangleAlert } from "lucide-react"
import type { Mail } from "../../api/mails.ts"
import { Badge } from "../../parts/badge.tsx"

export function MailBadge({ state }: Pick<Mail, "state">) {
  const { i18n } = useLingui()
  switch (state) {
    case "SENT":
      return (
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
