import { useEffect, useRef } from "react"
import SignaturePad, { type PointGroup } from "signature_pad"
import { say } from "../words.ts"
import { type Ink, scaled } from "./ink.ts"

type DrawTabProps = {
  readonly ink: Ink | null
  readonly missing: boolean
  readonly onInk: (ink: Ink | null) => void
}

const INK = "#1b2a4a"

export function DrawTab({ ink, missing, onInk }: DrawTabProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(null)
  const kept = useRef({ ink, onInk })
  kept.current = { ink, onInk }

  useEffect(() => {
    const target = canvas.current
    if (target === null) return
    const keep = (drawn: Ink) => {
      // The pad's new width may be drawn before React knows of the stroke.
      kept.current = { ...kept.current, ink: drawn }
      kept.current.onInk(drawn)
    }
    return layOut(target, keep, (laid) => {
      pad.current = laid
      return kept.current.ink
    })
  }, [])

  function change(strokes: Ink["strokes"]) {
    if (ink === null || canvas.current === null || pad.current === null) return
    const left = strokes.length === 0 ? null : scaled({ ...ink, strokes }, canvas.current.clientWidth)
    draw(pad.current, left)
    onInk(left)
  }

  return (
    <>
      <p id="draw-hint">{say("look.draw-here")}</p>
      <canvas
        ref={canvas}
        className="ink-canvas mt-2"
        role="img"
        aria-label={say("look.canvas")}
        aria-describedby="draw-hint"
      />
      <p role="alert" className="mt-1 font-semibold text-(--danger)">
        {missing && ink === null && say("look.empty")}
      </p>
      <div className="mt-2 flex gap-3">
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={ink === null}
          onClick={() => change(ink?.strokes.slice(0, -1) ?? [])}
        >
          {say("look.undo")}
        </button>
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={ink === null}
          onClick={() => change([])}
        >
          {say("look.clear")}
        </button>
      </div>
    </>
  )
}

/**
 * A canvas forgets everything when its size changes, so the strokes are kept and drawn anew. A phone may be turned with
 * the finger still on the glass: what it has drawn so far is kept as a stroke, and a new pad takes over, because one that
 * is cleared in the middle of a stroke waits for that stroke's end for ever.
 */
function layOut(
  canvas: HTMLCanvasElement,
  onInk: (ink: Ink) => void,
  onPad: (pad: SignaturePad) => Ink | null,
): () => void {
  let width = canvas.clientWidth
  let drawing = false
  const keep = () => {
    drawing = false
    onInk(inkOf(pad.toData(), width))
  }
  const newPad = () => {
    const made = new SignaturePad(canvas, { penColor: INK, minWidth: 1.2, maxWidth: 2.6 })
    made.addEventListener("beginStroke", () => {
      drawing = true
    })
    made.addEventListener("endStroke", keep)
    return made
  }
  let pad = newPad()
  const observer = new ResizeObserver(() => {
    if (drawing) {
      keep()
      pad.off()
      pad = newPad()
    }
    const ink = onPad(pad)
    width = canvas.clientWidth || width
    refit(canvas, pad, ink)
  })
  observer.observe(canvas)
  return () => {
    observer.disconnect()
    pad.off()
  }
}

/** As many pixels as the screen has, and the ink in the new size. */
function refit(canvas: HTMLCanvasElement, pad: SignaturePad, ink: Ink | null): void {
  const { clientWidth, clientHeight } = canvas
  if (clientWidth === 0) return
  canvas.width = clientWidth * devicePixelRatio
  canvas.height = clientHeight * devicePixelRatio
  canvas.getContext("2d")?.scale(devicePixelRatio, devicePixelRatio)
  draw(pad, ink === null ? null : scaled(ink, clientWidth))
}

function draw(pad: SignaturePad, ink: Ink | null): void {
  pad.clear()
  if (ink !== null) pad.fromData(groupsOf(ink))
}

const inkOf = (groups: readonly PointGroup[], width: number): Ink => ({
  width,
  strokes: groups.map(({ points }) => points.flatMap(({ x, y }) => [x, y])),
})

const groupsOf = ({ strokes }: Ink): PointGroup[] =>
  strokes.map((stroke) => ({
    penColor: INK,
    dotSize: 0,
    minWidth: 1.2,
    maxWidth: 2.6,
    velocityFilterWeight: 0.7,
    compositeOperation: "source-over",
    points: Array.from({ length: stroke.length / 2 }, (_, point) => ({
      x: stroke[2 * point] ?? 0,
      y: stroke[2 * point + 1] ?? 0,
      pressure: 0.5,
      time: point * 10,
    })),
  }))
