import { useLingui } from "@lingui/react"
import { Plus } from "lucide-react"
import { type MouseEvent, useEffect, useRef, useState } from "react"
import type { Document } from "../../api/types.ts"
import { whisper } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { PagePicture } from "../../parts/page-picture.tsx"
import type { Box } from "./draft.ts"
import { FieldBox } from "./field-box.tsx"
import { at, onPage, type PageSize } from "./geometry.ts"

export type Placed = {
  readonly box: Box
  readonly person: number
  readonly index: number
  readonly called: string
}

type PlacePagesProps = {
  readonly document: Document
  readonly placed: readonly Placed[]
  readonly current: { readonly person: number; readonly called: string }
  readonly onPlace: (box: Box) => void
  readonly onChange: (placed: Placed, box: Box) => void
  readonly onRemove: (placed: Placed) => void
}

const FIRST_PAGES = 20

/** The pages of a document with the fields on them. A press on the paper places a field; so does the button above it. */
export function PlacePages(props: PlacePagesProps) {
  const { i18n } = useLingui()
  const { page_count: count } = props.document
  const [shown, setShown] = useState(FIRST_PAGES)
  return (
    <div className="grid min-w-0 gap-6">
      {Array.from({ length: Math.min(count, shown) }, (_, page) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
        <PlacePage key={page} {...props} page={page} />
      ))}
      {count > shown && (
        <Button onClick={() => setShown(shown + FIRST_PAGES)}>{i18n._("Show more pages")}</Button>
      )}
    </div>
  )
}

const PX_PER_POINT = 96 / 72

function PlacePage({
  document,
  page,
  placed,
  current,
  onPlace,
  onChange,
  onRemove,
}: PlacePagesProps & { page: number }) {
  const { i18n } = useLingui()
  const [size, setSize] = useState<PageSize>({ width: document.page_width, height: document.page_height })
  const here = placed.filter(({ box }) => box.page === page)
  const learn = (width: number, height: number) => {
    // Pixels are whole; what the document says about its first page is exact.
    const seen = { width: width / PX_PER_POINT, height: height / PX_PER_POINT }
    const isAlike =
      Math.abs(seen.width - document.page_width) < 2 && Math.abs(seen.height - document.page_height) < 2
    setSize(isAlike ? { width: document.page_width, height: document.page_height } : seen)
  }
  const paper = useRef<HTMLDivElement>(null)
  const isNew = useRef(false)
  // What was just placed has the focus, so that the arrow keys move it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one field more is the reason
  useEffect(() => {
    const own = paper.current?.querySelectorAll<HTMLElement>(`[data-person="${current.person}"]`)
    if (isNew.current) own?.item(own.length - 1)?.focus({ preventScroll: true })
    isNew.current = false
  }, [here.length])
  const place = (box: Box) => {
    isNew.current = true
    onPlace(box)
    whisper(i18n._("A field for {who} on page {page}.", { who: current.called, page: page + 1 }))
  }
  const press = (event: MouseEvent<HTMLDivElement>) => {
    if (event.target instanceof Element && event.target.closest("button") !== null) return
    const sheet = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - sheet.left) / sheet.width) * size.width
    const y = (1 - (event.clientY - sheet.top) / sheet.height) * size.height
    place(onPage(at(page, x, y), size))
  }
  return (
    <section aria-label={i18n._("Page {page} of {count}", { page: page + 1, count: document.page_count })}>
      <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-(--muted)">
          {i18n._("Page {page} of {count}", { page: page + 1, count: document.page_count })}
        </p>
        <Button
          look="bare"
          aria-label={i18n._("Add a field for {who} on page {page}", { who: current.called, page: page + 1 })}
          onClick={() => place(onPage(at(page, size.width * 0.7, size.height * 0.15), size))}
        >
          <Plus aria-hidden="true" size={18} />
          {i18n._("Add a field")}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button above is the way by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button above is the way by keyboard */}
      <div ref={paper} className="page relative cursor-copy overflow-visible" onClick={press}>
        <PagePicture
          documentId={document.id}
          page={page}
          scale={100}
          alt={i18n._("Picture of page {page}", { page: page + 1 })}
          ratio={size.width / size.height}
          onSize={learn}
        />
        {here.map((each) => (
          <FieldBox
            key={`${each.person}-${each.index}`}
            placed={each}
            size={size}
            onChange={(box) => onChange(each, box)}
            onRemove={() => onRemove(each)}
          />
        ))}
      </div>
    </section>
  )
}
