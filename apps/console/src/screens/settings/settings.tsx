import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { Lock } from "lucide-react"
import type { ReactNode } from "react"
import { ownSettings, type Settings as Shown, useMayManage } from "../../api/settings.ts"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { Tabs } from "../../parts/tabs.tsx"

/** What holds for the whole business. Everybody in it may read it, owners and admins change it. */
export function Settings() {
  const { i18n } = useLingui()
  const mayManage = useMayManage()
  return (
    <>
      <ScreenTitle title={i18n._("Settings")} />
      <Tabs
        label={i18n._("Settings")}
        tabs={[
          ["/settings/business", i18n._("Business")],
          ["/settings/branding", i18n._("Branding")],
          ["/settings/retention", i18n._("Retention")],
          ["/settings/origins", i18n._("Web addresses")],
          ["/settings/single-sign-on", i18n._("Single sign-on")],
        ]}
      />
      {!mayManage && (
        <p className="mb-5 flex items-center gap-2 text-(--muted)">
          <Lock aria-hidden="true" size={18} className="shrink-0" />
          {i18n._("You can see these settings. Owners and administrators can change them.")}
        </p>
      )}
      <Outlet />
    </>
  )
}

/** The settings as they are now; each form begins with them, and anew when they change. */
export function WithSettings({ children }: { readonly children: (settings: Shown) => ReactNode }) {
  const settings = useQuery(ownSettings)
  if (settings.data) return children(settings.data)
  return settings.isPending ? <Loading /> : <Wrong error={settings.error} />
}
