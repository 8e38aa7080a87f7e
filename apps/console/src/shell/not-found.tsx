import { useLingui } from "@lingui/react"
import { Link } from "@tanstack/react-router"
import { Nothing } from "../parts/notice.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"

export function NotFound() {
  const { i18n } = useLingui()
  return (
    <>
      <ScreenTitle title={i18n._("There is no such page")} />
      <Nothing title={i18n._("The address leads nowhere")}>
        <Link to="/requests" className="link">
          {i18n._("To your requests")}
        </Link>
      </Nothing>
    </>
  )
}
