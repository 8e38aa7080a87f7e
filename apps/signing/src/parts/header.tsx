import type { View } from "../api.ts"
import { words } from "../words.ts"
import { Wordmark } from "./wordmark.tsx"

type HeaderProps = { readonly request?: View["request"] | undefined; readonly narrow?: boolean }

/** The banner is on every screen of a test, so that nobody takes a trial for the real thing. */
export function Header({ request, narrow = false }: HeaderProps) {
  return (
    <header>
      {request?.demo === true && (
        <p role="note" className="bg-(--test) px-4 py-2 text-center font-semibold text-(--on-test)">
          {words.demo}
        </p>
      )}
      <div className={`mx-auto px-4 pt-4 pb-2 sm:pt-6 ${narrow ? "max-w-xl" : "max-w-3xl"}`}>
        <Wordmark />
      </div>
    </header>
  )
}
