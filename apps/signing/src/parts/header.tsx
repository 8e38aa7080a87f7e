import type { View } from "../api.ts"
import { say } from "../words.ts"
import { useBranding } from "./branding.tsx"
import { LanguageSwitch } from "./language.tsx"
import { Wordmark } from "./wordmark.tsx"

type HeaderProps = { readonly request?: View["request"] | undefined; readonly width?: string }

/** The banner is on every screen of a test, so that nobody takes a trial for the real thing. */
export function Header({ request, width = "max-w-3xl" }: HeaderProps) {
  return (
    <header>
      {request?.demo === true && (
        <p role="note" className="bg-(--test) px-4 py-2 text-center font-semibold text-(--on-test)">
          {say("demo")}
        </p>
      )}
      <div className={`mx-auto flex items-center justify-between px-4 pt-4 pb-2 sm:pt-6 ${width}`}>
        <Mark sender={request?.sender ?? ""} />
        <LanguageSwitch />
      </div>
    </header>
  )
}

/** The logo of whoever asks, where there is one; then ours is small, in the foot. */
function Mark({ sender }: { readonly sender: string }) {
  const { logo } = useBranding()
  return logo === null ? <Wordmark /> : <img className="logo" src={logo} alt={sender} />
}
