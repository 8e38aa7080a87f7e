import { useLingui } from "@lingui/react"
import { useSession } from "../session/session.tsx"

/** On every screen of a test, so that nobody takes a trial for the real thing. */
export function KindBanner() {
  const { i18n } = useLingui()
  const { kind } = useSession()
  if (kind === "production") return null
  return (
    <aside
      aria-label={i18n._("Test")}
      className="bg-(--test) px-4 py-2 text-center text-sm font-semibold text-(--on-test) lg:col-start-2"
    >
      {i18n._("TEST – no legal effect")}
    </aside>
  )
}
