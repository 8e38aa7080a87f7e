import { type CSSProperties, type PointerEvent, type ReactNode, useState } from "react"
import type { SigningDocument } from "../api.ts"
import { pageSize } from "../geometry.ts"
import { say } from "../words.ts"

type PageFrameProps = {
  readonly document: SigningDocument
  readonly index: number
  /** The only document of the request: then a page needs no more than its number to be told from the others. */
  readonly alone: boolean
  readonly busy: boolean
  readonly children: ReactNode
  readonly onPointerDown?: ((event: PointerEvent<HTMLElement>) => void) | undefined
}

/** The paper: it has the page's proportions from the start, so that nothing jumps under the reader. */
export function PageFrame({ document, index, alone, busy, children, onPointerDown }: PageFrameProps) {
  const { width, height } = pageSize(document, index)
  const facts = { number: index + 1, count: document.pageCount, title: document.title }
  // The style goes through the object model, which the content security policy allows.
  const proportions: CSSProperties = { aspectRatio: `${width} / ${height}` }
  return (
    <section
      aria-label={say(alone ? "read.page" : "read.page-of", facts)}
      aria-busy={busy}
      data-page={index}
      className={`page ${busy ? "skeleton" : ""} ${onPointerDown ? "cursor-crosshair" : ""}`}
      style={proportions}
      onPointerDown={onPointerDown}
    >
      {children}
    </section>
  )
}

/** True once the page has been near the window; what is far away is not fetched. */
export function useNear(): readonly [boolean, (element: HTMLElement | null) => (() => void) | undefined] {
  const [near, setNear] = useState(false)
  const watch = (element: HTMLElement | null) => {
    if (element === null || near) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: "50% 0px" },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }
  return [near, watch]
}
