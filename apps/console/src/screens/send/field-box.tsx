import { useLingui } from "@lingui/react"
import { Trash2 } from "lucide-react"
import { type KeyboardEvent, type PointerEvent, useRef } from "react"
import type { Box } from "./draft.ts"
import { MM, moved, onPage, type PageSize, resized } from "./geometry.ts"
import { colourOf } from "./person-colours.ts"
import type { Placed } from "./place-pages.tsx"

type FieldBoxProps = {
  readonly placed: Placed
  readonly size: PageSize
  readonly onChange: (box: Box) => void
  readonly onRemove: () => void
}

const FAR = 10

/**
 * A field on a page: dragged, or moved by the arrow keys, a millimetre at a time and ten with Shift; with Alt they
 * change its size. Nothing needs dragging (WCAG 2.2, 2.5.7).
 */
export function FieldBox({ placed, size, onChange, onRemove }: FieldBoxProps) {
  const { i18n } = useLingui()
  const { box, person, called } = placed
  const colour = colourOf(person)
  const drag = useDrag(box, size, onChange)
  const key = (event: KeyboardEvent) => {
    if (event.key === "Delete" || event.key === "Backspace") onRemove()
    const by = ARROWS[event.key]
    if (by === undefined) return
    event.preventDefault()
    const step = MM * (event.shiftKey ? FAR : 1)
    const change = event.altKey ? resized : moved
    onChange(onPage(change(box, by[0] * step, by[1] * step), size))
  }
  const where = { x: Math.round(box.x / MM), y: Math.round(box.y / MM), page: box.page + 1 }
  return (
    <div className="absolute" style={frame(box, size)}>
      <button
        type="button"
        className="field-box"
        data-person={person}
        style={{ borderColor: colour, color: colour }}
        aria-label={i18n._(
          "Field for {who}, page {page}, {x} mm from the left, {y} mm from the bottom. Arrow keys move it, Alt and arrow keys change its size, Delete removes it.",
          { who: called, ...where },
        )}
        onKeyDown={key}
        {...drag("move")}
      >
        <span className="truncate">{called}</span>
      </button>
      <span aria-hidden="true" className="field-corner" style={{ color: colour }} {...drag("size")} />
      <button
        type="button"
        className="field-remove"
        style={{ background: colour }}
        aria-label={i18n._("Remove the field for {who} on page {page}", { who: called, page: where.page })}
        onClick={onRemove}
      >
        <Trash2 aria-hidden="true" size={14} />
      </button>
    </div>
  )
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const frame = (box: Box, size: PageSize) => ({
  left: `${(100 * box.x) / size.width}%`,
  bottom: `${(100 * box.y) / size.height}%`,
  width: `${(100 * box.width) / size.width}%`,
  height: `${(100 * box.height) / size.height}%`,
})

/** Mouse, pen and finger alike; the pointer is held until it is let go, wherever it goes. */
function useDrag(box: Box, size: PageSize, onChange: (box: Box) => void) {
  const from = useRef<{ readonly x: number; readonly y: number; readonly box: Box; readonly scale: number }>(
    null,
  )
  return (how: "move" | "size") => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const paper = event.currentTarget.closest(".page")?.getBoundingClientRect()
      if (paper === undefined || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { x: event.clientX, y: event.clientY, box, scale: size.width / paper.width }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const start = from.current
      if (start === null) return
      const change = how === "move" ? moved : resized
      const dx = (event.clientX - start.x) * start.scale
      const dy = (event.clientY - start.y) * start.scale
      onChange(onPage(change(start.box, dx, dy), size))
    },
    onPointerUp: () => {
      from.current = null
    },
    onPointerCancel: () => {
      from.current = null
    },
    onClick: (event: { stopPropagation: () => void }) => event.stopPropagation(),
  })
}
