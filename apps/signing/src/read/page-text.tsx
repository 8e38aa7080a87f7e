import { type CSSProperties, type ReactNode, useEffect, useState } from "react"
import { loadText, type PageText, type SigningDocument } from "../api.ts"
import { pageSize, type Size } from "../geometry.ts"
import { say } from "../words.ts"
import { useNear } from "./page-frame.tsx"

type PageProps = { readonly document: SigningDocument; readonly index: number }

/** The words of the page over its picture: unseen, to be read out, searched and copied. */
export function TextLayer({ document, index }: PageProps) {
  const [near, watch] = useNear()
  const text = usePageText(document, index, near)
  const size = pageSize(document, index)
  return (
    <div ref={watch} className="text-layer" lang={languageOf(text)}>
      {typeof text === "object" &&
        text.lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a page neither come nor go
          <p key={place} style={lineStyle(line, size)}>
            {line.text}
          </p>
        ))}
    </div>
  )
}

/** "Read as text": the same words in the size and width of the reader. */
export function TextPage({ document, index, children }: PageProps & { readonly children: ReactNode }) {
  const [near, watch] = useNear()
  const text = usePageText(document, index, near)
  const number = index + 1
  return (
    <section ref={watch} data-page={index} aria-busy={text === "loading"} className="text-page">
      <h3 className="mb-2 text-sm font-semibold text-(--muted)">
        {say("read.page", { number, count: document.pageCount })}
      </h3>
      {text === "loading" && <div className="skeleton h-40 rounded" />}
      {text === "failed" && <p role="alert">{say("read.text-failed")}</p>}
      {typeof text === "object" && text.lines.length === 0 && <p>{say("read.no-text")}</p>}
      {typeof text === "object" && (
        <div lang={languageOf(text)} dir="auto">
          {paragraphs(text).map((paragraph, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a page neither come nor go
            <p key={place} className="mb-3">
              {paragraph}
            </p>
          ))}
        </div>
      )}
      <div className="flex flex-wrap gap-3">{children}</div>
    </section>
  )
}

/** As with pictures: many may be reading at once, and the first failures are not worth a person's attention. */
const QUIET_PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000]

function usePageText(
  { id }: SigningDocument,
  index: number,
  wanted: boolean,
): PageText | "loading" | "failed" {
  const [text, setText] = useState<PageText | "loading" | "failed">("loading")
  useEffect(() => {
    if (!wanted) return
    let timer = 0
    let current = true
    const ask = ([pause, ...more]: readonly number[]) => {
      if (!current) return
      if (pause === undefined) return setText("failed")
      timer = setTimeout(() => {
        loadText(id, index).then(
          (loaded) => current && setText(loaded),
          () => ask(more),
        )
      }, pause)
    }
    ask(QUIET_PAUSES_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [id, index, wanted])
  return text
}

/** The language of the PDF, not of the page around it: a voice reads each in its own. */
const languageOf = (text: PageText | string): string | undefined =>
  typeof text === "object" ? (text.language ?? undefined) : undefined

/** In units of the page's own width, so that the words stay under the picture at every size. */
function lineStyle(line: PageText["lines"][number], page: Size): CSSProperties {
  return {
    left: `${(line.x / page.width) * 100}%`,
    top: `${(line.y / page.height) * 100}%`,
    width: `${(line.width / page.width) * 100}%`,
    height: `${(line.height / page.height) * 100}%`,
    fontSize: `${(line.height / page.width) * 80}cqw`,
  }
}

/** Lines that follow closely are one paragraph; a gap of more than a line begins the next. */
function paragraphs({ lines }: PageText): readonly string[] {
  const found: string[] = []
  lines.forEach((line, place) => {
    const before = lines[place - 1]
    const near = before !== undefined && Math.abs(line.y - (before.y + before.height)) < line.height * 0.9
    const last = found.at(-1)
    if (near && last !== undefined) found[found.length - 1] = joined(last, line.text)
    else found.push(line.text)
  })
  return found
}

const joined = (start: string, rest: string): string =>
  start.endsWith("-") ? start.slice(0, -1) + rest : `${start} ${rest}`
