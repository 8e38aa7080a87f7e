import { useEffect, useState } from "react"
import { pageAddress, type SigningDocument } from "../api.ts"
import { words } from "../words.ts"

type PageImageProps = {
  readonly document: SigningDocument
  readonly index: number
  readonly eager: boolean
  /** The only document of the request: then a page needs no more than its number to be told from the others. */
  readonly alone: boolean
}

/**
 * A page may still be in the making on the server, or many others before it (429, which an image does not tell from
 * other failures), so the first ones are not yet worth a person's attention.
 */
const QUIET_PAUSES_MS = [1_000, 2_000, 4_000, 8_000]

export function PageImage({ document, index, eager, alone }: PageImageProps) {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading")
  const number = index + 1

  function again() {
    setAttempt(attempt + 1)
    setState("loading")
  }
  useEffect(() => {
    const pause = QUIET_PAUSES_MS[attempt]
    if (state !== "failed" || pause === undefined) return
    const timer = setTimeout(() => {
      setAttempt(attempt + 1)
      setState("loading")
    }, pause)
    return () => clearTimeout(timer)
  }, [state, attempt])

  const count = document.pageCount
  const label = alone ? words.read.page(number, count) : words.read.pageOf(number, count, document.title)
  const failed = state === "failed"
  return (
    <section
      aria-label={label}
      aria-busy={state === "loading"}
      className={`page relative ${state === "shown" ? "" : "skeleton"}`}
    >
      {failed ? (
        <FailedPage
          document={document}
          number={number}
          quiet={attempt < QUIET_PAUSES_MS.length}
          onRetry={again}
        />
      ) : (
        <img
          key={attempt}
          src={pageAddress(document.id, index)}
          alt={words.read.pageAlt(number, document.title)}
          width={document.pageWidth}
          height={document.pageHeight}
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : "auto"}
          decoding="async"
          className={`h-auto w-full ${state === "shown" ? "" : "opacity-0"}`}
          onLoad={() => setState("shown")}
          onError={() => setState("failed")}
        />
      )}
    </section>
  )
}

type FailedPageProps = {
  readonly document: SigningDocument
  readonly number: number
  readonly quiet: boolean
  readonly onRetry: () => void
}

/** Keeps the place of the page, so that nothing jumps under the reader. */
function FailedPage({ document, number, quiet, onRetry }: FailedPageProps) {
  const proportions = { aspectRatio: `${document.pageWidth} / ${document.pageHeight}` }
  return (
    <div style={proportions} className="grid min-h-40 place-content-center gap-4 p-4 text-center">
      {!quiet && (
        <>
          <p role="alert">{words.read.pageFailed(number)}</p>
          <button type="button" className="button button-quiet mx-auto" onClick={onRetry}>
            {words.read.retryPage(number)}
          </button>
        </>
      )}
    </div>
  )
}
