import { type PointerEvent, type ReactNode, useEffect, useState } from "react"
import { pageAddress, type SigningDocument, type View } from "../api.ts"
import { say } from "../words.ts"
import { PageFrame } from "./page-frame.tsx"
import { TextLayer } from "./page-text.tsx"
import { pictureWidthPx } from "./viewing.ts"

type PagePictureProps = {
  readonly document: SigningDocument
  readonly index: number
  readonly alone: boolean
  readonly eager: boolean
  readonly widthPx: number
  readonly onPointerDown?: ((event: PointerEvent<HTMLElement>) => void) | undefined
  readonly children: ReactNode
}

/**
 * A page may still be in the making on the server, or many others before it (429, which an image does not tell from
 * other failures), so the first ones are not yet worth a person's attention.
 */
const QUIET_PAUSES_MS = [1_000, 2_000, 4_000, 8_000]

/** The door has the first page drawn in this width while the person still reads it; a finer one follows where it helps. */
const FIRST_WIDTH_PX = 800

export function PagePicture({
  document,
  index,
  alone,
  eager,
  widthPx,
  onPointerDown,
  children,
}: PagePictureProps) {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading")
  const [isFine, setFine] = useState(!eager)
  const number = index + 1

  useEffect(() => {
    const pause = QUIET_PAUSES_MS[attempt]
    if (state !== "failed" || pause === undefined) return
    const timer = setTimeout(() => {
      setAttempt(attempt + 1)
      setState("loading")
    }, pause)
    return () => clearTimeout(timer)
  }, [state, attempt])
  function again() {
    setAttempt(attempt + 1)
    setState("loading")
  }

  const failed = state === "failed"
  const silent = attempt < QUIET_PAUSES_MS.length
  return (
    <PageFrame
      document={document}
      index={index}
      alone={alone}
      busy={state !== "shown"}
      onPointerDown={onPointerDown}
    >
      {!failed && (
        <img
          key={attempt}
          ref={stopWhenGone}
          src={pageAddress(document.id, index, isFine ? widthPx : Math.min(widthPx, FIRST_WIDTH_PX))}
          alt={say("read.page-alt", { number, title: document.title })}
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : "auto"}
          decoding="async"
          draggable={false}
          className={`absolute inset-0 size-full ${state === "shown" ? "" : "opacity-0"}`}
          onLoad={() => {
            setState("shown")
            setFine(true)
          }}
          onError={() => setState("failed")}
        />
      )}
      {failed && !silent && (
        <div className="absolute inset-0 grid place-content-center gap-4 p-4 text-center">
          <p role="alert">{say("read.page-failed", { number })}</p>
          <button type="button" className="button button-quiet mx-auto" onClick={again}>
            {say("read.page-retry", { number })}
          </button>
        </div>
      )}
      {state === "shown" && <TextLayer document={document} index={index} />}
      {children}
    </PageFrame>
  )
}

/** A browser goes on fetching for a picture that was taken away; those that are looked at would have to wait for it. */
const stopWhenGone = (image: HTMLImageElement) => () =>
  queueMicrotask(() => image.isConnected || image.removeAttribute("src"))

/** Fetches the first page while the screen around it is still being made; the same address is then there already. */
export function fetchFirstPage({ screen, documents: [first] }: View): void {
  if (first === undefined || (screen !== "read" && screen !== "preview")) return
  const image = new Image()
  image.fetchPriority = "high"
  image.src = pageAddress(first.id, 0, Math.min(pictureWidthPx(1), FIRST_WIDTH_PX))
}
