import type { ReactNode } from "react"
import { say, sayNumber } from "../words.ts"
import { PageBox } from "./page-box.tsx"
import { goToPage, type Viewing } from "./viewing.ts"

type ToolbarProps = { readonly viewing: Viewing; readonly pageCount: number; readonly children: ReactNode }

/** How to read: which page, how large, as pictures or as words. */
export function Toolbar({ viewing, pageCount, children }: ToolbarProps) {
  const asText = viewing.mode === "text"
  return (
    <section aria-label={say("read.tools")} className="toolbar">
      {children}
      <PageBox page={viewing.page} count={pageCount} onPage={goToPage} />
      <span className="grow" />
      <button
        type="button"
        className="tool"
        aria-label={say("read.zoom-out")}
        aria-disabled={viewing.zoom === 1}
        onClick={() => viewing.onZoom(-1)}
      >
        <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
          <path d="M5 12h14" />
        </svg>
      </button>
      <span role="status" className="tool-value">
        <span className="sr-only">{say("read.zoom")} </span>
        {sayNumber(viewing.zoom, { style: "percent" })}
      </span>
      <button
        type="button"
        className="tool"
        aria-label={say("read.zoom-in")}
        aria-disabled={viewing.zoom === 4}
        onClick={() => viewing.onZoom(1)}
      >
        <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
          <path d="M5 12h14M12 5v14" />
        </svg>
      </button>
      <button
        type="button"
        className="tool tool-wide"
        aria-pressed={asText}
        aria-label={say("read.as-text")}
        onClick={() => {
          viewing.onMode(asText ? "pictures" : "text")
          // To the same page in its other form.
          requestAnimationFrame(() => goToPage(viewing.page))
        }}
      >
        <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
          <path d="M5 6h14M5 10.500h14M5 15h14M5 19.500h8" />
        </svg>
        <span aria-hidden="true" className="max-sm:hidden">
          {say("read.as-text")}
        </span>
      </button>
    </section>
  )
}
