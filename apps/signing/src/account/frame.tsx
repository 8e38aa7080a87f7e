import type { ReactNode } from "react"
import { LanguageSelect } from "../parts/language-select.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"
import { Wordmark } from "../parts/wordmark.tsx"
import { type Language, speak } from "../words.ts"
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

/** The choice is kept before it is seen: whoever goes on to another page at once finds that one in it, too. */
async function choose(wanted: Language) {
  await chooseLanguage(wanted).catch(() => undefined)
  await speak(wanted, catalogues)
}

export function Top({ width = "max-w-xl" }: { readonly width?: string }) {
  return (
    <header className={`mx-auto flex items-center justify-between px-4 pt-4 pb-2 sm:pt-6 ${width}`}>
      <Wordmark />
      <LanguageSelect onChoose={choose} />
    </header>
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
