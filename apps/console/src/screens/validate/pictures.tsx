import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useState } from "react"
import type { SignerInfo, View } from "../../api/validation.ts"
import { Button } from "../../parts/button.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"
import { Picture } from "./picture.tsx"

const VIEWS = ["before", "after", "difference"] as const

type PicturesProps = { readonly validationId: string; readonly changes: SignerInfo["changes"] }
type Shown = { readonly page: number; readonly picture: number; readonly view: View }

/** Each page that looks different: as it was signed, as it is, and where the two differ. */
export function Pictures({ validationId, changes }: PicturesProps) {
  const { i18n } = useLingui()
  const [large, setLarge] = useState<Shown | null>(null)
  const pictured = changes.flatMap(({ page, picture }) =>
    page === null || picture === null ? [] : [{ page, picture }],
  )
  const without = changes.length - pictured.length
  return (
    <>
      {pictured.map(({ page, picture }) => (
        <section key={picture} className="mt-4">
          <h5 className="mb-2 text-sm font-semibold">{i18n._("Page {page}", { page })}</h5>
          <div className="grid max-w-3xl grid-cols-3 gap-3 sm:gap-5">
            {VIEWS.map((view) => (
              <figure key={view}>
                <button
                  type="button"
                  aria-label={i18n._("Show large: {what}", { what: sayView(i18n, view, page) })}
                  className="block w-full rounded-sm"
                  onClick={() => setLarge({ page, picture, view })}
                >
                  <Picture validationId={validationId} n={picture} view={view} alt="" />
                </button>
                <figcaption className="mt-1 text-center text-sm">{nameView(i18n, view)}</figcaption>
              </figure>
            ))}
          </div>
        </section>
      ))}
      {pictured.length > 0 && <Legend />}
      {without > 0 && (
        <p className="mt-3 text-sm text-(--muted)">
          {i18n._(
            "{count, plural, one {Of # page there is no picture.} other {Of # pages there is no picture.}}",
            {
              count: without,
            },
          )}
        </p>
      )}
      {large && (
        <Large
          validationId={validationId}
          shown={large}
          onView={(view) => setLarge({ ...large, view })}
          onClose={() => setLarge(null)}
        />
      )}
    </>
  )
}

type LargeProps = {
  readonly validationId: string
  readonly shown: Shown
  readonly onView: (view: View) => void
  readonly onClose: () => void
}

function Large({ validationId, shown: { page, picture, view }, onView, onClose }: LargeProps) {
  const { i18n } = useLingui()
  return (
    <Sheet isWide heading={i18n._("Page {page}", { page })} onClose={onClose}>
      <fieldset className="sticky top-0 z-10 -mx-2 mb-2 flex flex-wrap gap-2 bg-(--sheet) px-2 py-2">
        <legend className="sr-only">{i18n._("Which picture")}</legend>
        {VIEWS.map((each) => (
          <Button
            key={each}
            look={each === view ? "main" : "quiet"}
            aria-pressed={each === view}
            onClick={() => onView(each)}
          >
            {nameView(i18n, each)}
          </Button>
        ))}
      </fieldset>
      <Picture validationId={validationId} n={picture} view={view} alt={sayView(i18n, view, page)} />
      {view === "difference" && <Legend />}
      <SheetActions>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Close")}</Button>
      </SheetActions>
    </Sheet>
  )
}

/** The frames tell it to whoever does not see the colours. */
function Legend() {
  const { i18n } = useLingui()
  return (
    <p className="mt-3 text-sm text-(--muted)">
      {i18n._("Difference: what is new has a solid blue frame, what is gone a dashed orange one.")}
    </p>
  )
}

function nameView(i18n: I18n, view: View): string {
  switch (view) {
    case "before":
      return i18n._("As signed")
    case "after":
      return i18n._("Now")
    case "difference":
      return i18n._("Difference")
  }
}

function sayView(i18n: I18n, view: View, page: number): string {
  switch (view) {
    case "before":
      return i18n._("Page {page} as it was signed", { page })
    case "after":
      return i18n._("Page {page} as it is now", { page })
    case "difference":
      return i18n._("Page {page}: where the two differ is marked", { page })
  }
}
