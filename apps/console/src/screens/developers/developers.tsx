import { useLingui } from "@lingui/react"
import { Outlet } from "@tanstack/react-router"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { Tabs } from "../../parts/tabs.tsx"

/** For those who build on the interface. */
export function Developers() {
  const { i18n } = useLingui()
  const tabs = [
    ["/developers/keys", i18n._("API keys")],
    ["/developers/mails", i18n._("Mails")],
    ["/developers/webhooks", i18n._("Webhooks")],
    ["/developers/events", i18n._("Events")],
    ["/developers/position", i18n._("Position helper")],
  ] as const
  return (
    <>
      <ScreenTitle title={i18n._("Developers")}>
        <a href="/reference" className="link flex min-h-11 items-center">
          {i18n._("API reference")}
        </a>
      </ScreenTitle>
      <Tabs label={i18n._("Developers")} tabs={tabs} />
      <Outlet />
    </>
  )
}
