import { type KeyboardEvent, type PointerEvent, useRef } from "react"
import type { Position, SigningDocument } from "../api.ts"
import type { Draft } from "../draft.ts"
import { onPicture, POINTS_PER_MM, pageSize } from "../geometry.ts"
import { LookPicture } from "../parts/look-picture.tsx"
import { say } from "../words.ts"

type PlaceBoxProps = {
  readonly place: Position
  readonly document: SigningDocument
  readonly draft: Draft
  readonly onPlace: (place: Position) => void
}

const STEP = POINTS_PER_MM
const LONG_STEP = 10 * POINTS_PER_MM
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/** The signature while its place is chosen: by keys and, for whom that is easier, by dragging (WCAG 2.2, 2.5.7). */
export function PlaceBox({ place, document, draft, onPlace }: PlaceBoxProps) {
  const held = useRef<{ readonly x: number; readonly y: number; readonly from: Position } | null>(null)
  const size = pageSize(document, place.page)

  function move(event: KeyboardEvent) {
    const [across, up] = MOVES[event.key] ?? [0, 0]
    if (across === 0 && up === 0) return
    event.preventDefault()
    const step = event.shiftKey ? LONG_STEP : STEP
    onPlace({ ...place, x: place.x + across * step, y: place.y + up * step })
  }
  function hold(event: PointerEvent<HTMLElement>) {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = { x: event.clientX, y: event.clientY, from: place }
  }
  function drag(event: PointerEvent<HTMLElement>) {
    const page = event.currentTarget.closest("[data-page]")?.getBoundingClientRect()
    if (held.current === null || page === undefined) return
    const { x, y, from } = held.current
    const points = size.width / page.width
    onPlace({ ...from, x: from.x + (event.clientX - x) * points, y: from.y - (event.clientY - y) * points })
  }
  function release() {
    held.current = null
  }

  return (
    <button
      type="button"
      id="place-box"
      className="signature-field signature-field-moving absolute"
      style={onPicture(place, size)}
      onKeyDown={move}
      onPointerDown={hold}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
    >
      {draft.look === null ? (
        <span className="signature-field-words">{say("look.yours")}</span>
      ) : (
        <LookPicture look={draft.look} name={draft.name} />
      )}
      <span className="sr-only">{say("place.box", { page: place.page + 1 })}</span>
    </button>
  )
}
