import { useEffect, useRef } from "react"
import type { Hint, Position, SigningDocument } from "../api.ts"
import { millimetres, POINTS_PER_MM, pageSize } from "../geometry.ts"
import { say } from "../words.ts"
import { PageBox } from "./page-box.tsx"

type PlacePanelProps = {
  readonly document: SigningDocument
  readonly hints: readonly Hint[]
  readonly place: Position
  readonly onPlace: (place: Position) => void
  readonly onDone: () => void
  readonly onNone: () => void
}

const STEP = 5 * POINTS_PER_MM
const RESIZES = [
  ["place.wider", "M9 12H2m3-3-3 3 3 3M15 12h7m-3-3 3 3-3 3", STEP, 0],
  ["place.narrower", "M2 12h7M6 9l3 3-3 3M22 12h-7m3-3-3 3 3 3", -STEP, 0],
  ["place.taller", "M12 9V2M9 5l3-3 3 3M12 15v7m-3-3 3 3 3-3", 0, STEP],
  ["place.lower", "M12 2v7M9 6l3 3 3-3M12 22v-7m-3 3 3-3 3 3", 0, -STEP],
] as const

/** "Where should it appear?" Everything can be done by tapping and by keyboard; nothing needs to be dragged. */
export function PlacePanel({ document, hints, place, onPlace, onDone, onNone }: PlacePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section aria-labelledby="place-heading" className="bar">
      <div className="mx-auto grid max-w-3xl gap-2 px-4 py-3">
        <h2 id="place-heading" ref={heading} tabIndex={-1} className="display outline-none">
          {say("place.heading")}
        </h2>
        <p className="place-hint text-sm text-(--muted)">{say("place.tap")}</p>
        <Suggestions hints={hints} onPlace={onPlace} />
        <div className="place-tools">
          <PageBox
            page={place.page}
            count={document.pageCount}
            onPage={(page) => onPlace({ ...place, page })}
          />
          {RESIZES.map(([label, arrows, width, height]) => (
            <button
              key={label}
              type="button"
              className="button button-quiet button-square"
              aria-label={say(label)}
              title={say(label)}
              onClick={() => onPlace({ ...place, width: place.width + width, height: place.height + height })}
            >
              <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
                <path d={arrows} />
              </svg>
            </button>
          ))}
        </div>
        <p role="status" className="sr-only">
          {where(document, place)}
        </p>
        <div className="grid grid-cols-2 gap-2">
          <button type="button" className="button button-quiet" onClick={onNone}>
            {say("place.none")}
          </button>
          <button type="button" className="button button-main" onClick={onDone}>
            {say("place.done")}
          </button>
        </div>
      </div>
    </section>
  )
}

type SuggestionsProps = { readonly hints: readonly Hint[]; readonly onPlace: (place: Position) => void }

function Suggestions({ hints, onPlace }: SuggestionsProps) {
  if (hints.length === 0) return null
  const names = hints.map(({ why, page }) => say(`place.why.${why}`, { page: page + 1 }))
  return (
    <ul aria-label={say("place.suggestions")} className="suggestions">
      {hints.map(({ page, x, y, width, height }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hints neither come nor go
        <li key={index}>
          <button type="button" className="chip" onClick={() => onPlace({ page, x, y, width, height })}>
            {numbered(names, index)}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Two lines of one page are told apart by a number. */
function numbered(names: readonly string[], index: number): string {
  const name = names[index] ?? ""
  if (names.filter((each) => each === name).length === 1) return name
  return `${name} (${names.slice(0, index + 1).filter((each) => each === name).length})`
}

function where(document: SigningDocument, { page, x, y, width, height }: Position): string {
  return say("place.at", {
    page: page + 1,
    left: millimetres(x),
    top: millimetres(pageSize(document, page).height - y - height),
    width: millimetres(width),
    height: millimetres(height),
  })
}
