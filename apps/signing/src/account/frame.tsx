import type { ReactNode } from "react"
import { ScreenTitle } from "../parts/screen-title.tsx"
import { Wordmark } from "../parts/wordmark.tsx"
import { isLanguage, LANGUAGES, say, speak, useLanguage } from "../words.ts"
import { chooseLanguage } from "./api.ts"
import { catalogues } from "./catalogues.ts"

type FrameProps = {
  readonly heading: string
  readonly lead?: ReactNode
  readonly children: ReactNode
  /** What stands below the sheet: the way to the other pages. */
  readonly below?: ReactNode
}

/** One sheet with one thing to do. */
export function Frame({ heading, lead, children, below }: FrameProps) {
  return (
    <>
      <Top />
      <main className="mx-auto max-w-xl px-4 pt-2 pb-12">
        <div className="card">
          <ScreenTitle key={heading} windowTitle={heading}>
            {heading}
          </ScreenTitle>
          {lead !== undefined && <p className="mt-3">{lead}</p>}
          {children}
        </div>
        {below !== undefined && <div className="mt-4 flex flex-wrap gap-x-6 px-2">{below}</div>}
      </main>
    </>
  )
}

export function Top({ width = "max-w-xl" }: { readonly width?: string }) {
  return (
    <header className={`mx-auto flex items-center justify-between px-4 pt-4 pb-2 sm:pt-6 ${width}`}>
      <Wordmark />
      <LanguageSwitch />
    </header>
  )
}

function LanguageSwitch() {
  const language = useLanguage()
  async function choose(wanted: string) {
    if (!isLanguage(wanted)) return
    await speak(wanted, catalogues)
    await chooseLanguage(wanted).catch(() => undefined)
  }
  return (
    <label className="language">
      <span className="sr-only">{say("language.label")}</span>
      <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
        <path d="M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3Z" />
      </svg>
      <select value={language ?? "en"} onChange={(event) => void choose(event.target.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A link that is as easy to hit as a button. */
export function PageLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a className="link inline-flex min-h-11 items-center" href={to}>
      {children}
    </a>
  )
}
