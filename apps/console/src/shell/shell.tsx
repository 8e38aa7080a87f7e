import { useLingui } from "@lingui/react"
import { Link, Outlet } from "@tanstack/react-router"
import { Announcer } from "../parts/announce.tsx"
import { Wordmark } from "../parts/wordmark.tsx"
import { AccountMenu } from "./account-menu.tsx"
import { KindBanner } from "./kind-banner.tsx"
import { Navigation } from "./navigation.tsx"

/** Around every screen: whose console it is, whether it is a test, and where one can go. */
export function Shell() {
  const { i18n } = useLingui()
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[16.5rem_1fr] lg:grid-rows-[auto_1fr]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-(--sheet) p-3 font-semibold focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {i18n._("Skip to the content")}
      </a>
      <KindBanner />
      <header className="flex items-center gap-3 border-(--line) px-4 py-3 lg:sticky lg:top-0 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-5 lg:border-r lg:bg-(--sheet) lg:px-4 lg:py-5">
        <Link to="/" className="mr-auto rounded-lg lg:mr-0 lg:px-3">
          <Wordmark />
        </Link>
        <Navigation />
        <AccountMenu />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 px-4 pt-2 pb-28 outline-none sm:px-8 lg:pt-8 lg:pb-12"
      >
        <div className="mx-auto max-w-5xl">
          <Outlet />
        </div>
      </main>
      <Announcer />
    </div>
  )
}
