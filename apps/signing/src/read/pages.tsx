import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef } from "react"
import { contentAddress, type Position, type SigningDocument } from "../api.ts"
import type { Draft, Field } from "../draft.ts"
import { pageSize } from "../geometry.ts"
import { say, saySize } from "../words.ts"
import { ExactPages } from "./exact.tsx"
import { FieldButton } from "./field-button.tsx"
import { PagePicture } from "./page-picture.tsx"
import { TextPage } from "./page-text.tsx"
import { PlaceBox } from "./place-box.tsx"
import type { Viewing } from "./viewing.ts"

export type PagesProps = {
  readonly document: SigningDocument
  readonly number: number
  readonly alone: boolean
  readonly draft: Draft
  readonly viewing: Viewing
  /** The place that is being chosen, while it is. */
  readonly placing: Position | null
  readonly onPlacing: (position: Position) => void
  readonly onField: (field: Field) => void
}

/** One document: its facts, its pages, and the way to the very bytes that will be signed. */
export function Pages(props: PagesProps) {
  const { document, alone, viewing } = props
  const { id, title, pageCount, sizeBytes, sha256, pdfa } = document
  return (
    <article aria-labelledby={`title-${id}`}>
      <h2 id={`title-${id}`} dir="auto" className={alone ? "sr-only" : "display mt-6 text-lg sm:text-xl"}>
        {title}
      </h2>
      <p className="flex flex-wrap items-center gap-x-4 text-sm text-(--muted)">
        <span>
          {say("read.pages", { count: pageCount })} · {saySize(sizeBytes)}
          {pdfa !== null && pdfa !== undefined && ` · ${say("read.pdfa", { level: pdfa })}`}
        </span>
        <a
          className="link inline-flex min-h-11 items-center"
          href={contentAddress(id)}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={alone ? undefined : say("read.original-of", { title })}
        >
          {say("read.original")}
        </a>
      </p>
      <PageList {...props} />
      {viewing.mode === "pictures" && (
        <p className="mt-4 text-sm text-(--muted)">{say("read.original-hint")}</p>
      )}
      <details className="mt-1 text-sm text-(--muted)">
        <summary className="summary">{say("read.fingerprint")}</summary>
        <code className="block pb-3 break-all">{sha256}</code>
      </details>
    </article>
  )
}

function PageList({ document, number, alone, draft, viewing, placing, onPlacing, onField }: PagesProps) {
  const list = useRef<HTMLDivElement>(null)
  const { onPage } = viewing
  const indices = useMemo(
    () => Array.from({ length: document.pageCount }, (_, index) => index),
    [document.pageCount],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pages are drawn in another mode
  useEffect(() => watchPages(list.current, onPage), [onPage, document.id, viewing.mode])

  const own = draft.fields.filter((field) => field.document === number)
  const over = (index: number): ReactNode =>
    placing === null
      ? own
          .filter(({ position }) => position.page === index)
          .map((field) => (
            <FieldButton
              key={field.key}
              field={field}
              draft={draft}
              document={document}
              inText={viewing.mode === "text"}
              onPress={onField}
            />
          ))
      : placing.page === index && (
          <PlaceBox place={placing} document={document} draft={draft} onPlace={onPlacing} />
        )
  const tap = (index: number) =>
    placing === null
      ? undefined
      : (event: PointerEvent<HTMLElement>) => onPlacing(tapped(event, document, index, placing))

  const frame = { document, alone }
  const width = { width: `${viewing.zoom * 100}%` }
  return (
    // Wider than the window only by the reader's wish; then it scrolls sideways within itself.
    <section className="zoomed" aria-label={document.title} {...(viewing.zoom > 1 ? { tabIndex: 0 } : {})}>
      {viewing.mode === "text" && <p className="my-2 text-sm text-(--muted)">{say("read.picture-counts")}</p>}
      <div ref={list} className="mt-1 grid gap-4" style={width}>
        {viewing.mode === "exact" ? (
          <ExactPages
            {...frame}
            zoom={viewing.zoom}
            over={over}
            onTap={tap}
            onFailed={viewing.onExactFailed}
          />
        ) : (
          indices.map((index) =>
            viewing.mode === "text" ? (
              <TextPage key={index} document={document} index={index}>
                {over(index)}
              </TextPage>
            ) : (
              <PagePicture
                key={index}
                {...frame}
                index={index}
                eager={index === 0}
                widthPx={viewing.widthPx}
                onPointerDown={tap(index)}
              >
                {over(index)}
              </PagePicture>
            ),
          )
        )}
      </div>
    </section>
  )
}

/** Tells which page crosses the middle of the window. */
function watchPages(list: HTMLElement | null, onPage: (index: number) => void): (() => void) | undefined {
  if (list === null) return undefined
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting && target instanceof HTMLElement) onPage(Number(target.dataset.page))
    },
    { rootMargin: "-45% 0px -54% 0px" },
  )
  for (const page of list.querySelectorAll("[data-page]")) observer.observe(page)
  return () => observer.disconnect()
}

/** The middle of the signature is where the finger was. */
function tapped(
  event: PointerEvent<HTMLElement>,
  document: SigningDocument,
  index: number,
  { width, height }: Position,
): Position {
  const box = event.currentTarget.getBoundingClientRect()
  const page = pageSize(document, index)
  return {
    page: index,
    x: ((event.clientX - box.left) / box.width) * page.width - width / 2,
    y: page.height - ((event.clientY - box.top) / box.height) * page.height - height / 2,
    width,
    height,
  }
}
