import { useLingui } from "@lingui/react"
import { Link, Outlet } from "@tanstack/react-router"
import { ScreenTitle } from "../../parts/screen-title.tsx"

/** For those who build on the interface. */
export function Developers() {
  const { i18n } = useLingui()
  const look =
    "flex min-h-11 items-center border-b-3 border-transparent px-1 font-semibold whitespace-nowrap text-(--muted) hover:text-(--accent) data-[status=active]:border-(--accent) data-[status=active]:text-(--accent)"
  return (
    <>
      <ScreenTitle title={i18n._("Developers")}>
        <a href="/reference" className="link flex min-h-11 items-center">
          {i18n._("Reference of the interface")}
        </a>
      </ScreenTitle>
      <nav
        aria-label={i18n._("Developers")}
        className="-mx-4 mb-5 overflow-x-auto border-b border-(--line) px-4 sm:mx-0 sm:px-0"
      >
        <ul className="flex gap-6">
          <li>
            <Link to="/developers/webhooks" className={look}>
              {i18n._("Webhooks")}
            </Link>
          </li>
          <li>
            <Link to="/developers/events" className={look}>
              {i18n._("Events")}
            </Link>
          </li>
          <li>
            <Link to="/developers/position" className={look}>
              {i18n._("Position helper")}
            </Link>
          </li>
        </ul>
      </nav>
      <Outlet />
    </>
  )
}
