import { useId, useState } from "react"
import { ALL_DOCUMENTS_ADDRESS, type View } from "../api.ts"
import type { Draft } from "../draft.ts"
import { say, saySize } from "../words.ts"

type DocumentListProps = {
  readonly view: View
  readonly draft: Draft
  readonly current: number
  readonly onOpen: (document: number) => void
}

const SEARCH_FROM = 8

/** Up to fifty documents: what is read, what is left, and a way to find one. */
export function DocumentList({ view, draft, current, onOpen }: DocumentListProps) {
  const { documents, hideDownload } = view
  const [wanted, setWanted] = useState("")
  const search = useId()
  const rows = documents
    .map(({ id, title }, number) => ({ id, title, number }))
    .filter(({ title }) => plain(title).includes(plain(wanted)))
  const sizeBytes = documents.reduce((sum, document) => sum + document.sizeBytes, 0)
  return (
    <>
      <p role="status" className="text-sm text-(--muted)">
        {say("documents.opened", { opened: draft.openedCount, count: documents.length })}
      </p>
      {documents.length >= SEARCH_FROM && (
        <>
          <label htmlFor={search} className="sr-only">
            {say("documents.search")}
          </label>
          <input
            id={search}
            type="search"
            className="field mt-2"
            placeholder={say("documents.search")}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </>
      )}
      {rows.length === 0 && <p className="mt-3">{say("documents.none")}</p>}
      <ol className="mt-2">
        {rows.map(({ id, title, number }) => (
          <li key={id}>
            <button
              type="button"
              className="document-row"
              aria-current={number === current ? "true" : undefined}
              onClick={() => onOpen(number)}
            >
              <span className="line-clamp-2 min-w-0 grow" dir="auto">
                {title}
              </span>
              <StateChip state={stateOf(draft, number)} />
            </button>
          </li>
        ))}
      </ol>
      {!hideDownload && (
        <a
          className="link mt-2 inline-flex min-h-11 items-center text-sm"
          href={ALL_DOCUMENTS_ADDRESS}
          download
        >
          {say("read.download-all", { size: saySize(sizeBytes) })}
        </a>
      )}
    </>
  )
}

export type DocumentState = "to-read" | "fields-open" | "done"

export function stateOf(draft: Draft, number: number): DocumentState {
  if (!draft.isOpened(number)) return "to-read"
  const open = draft.fields.some((field) => field.document === number && !draft.isReady(field))
  return open ? "fields-open" : "done"
}

function StateChip({ state }: { readonly state: DocumentState }) {
  return <span className={`state state-${state}`}>{say(`documents.${state}`)}</span>
}

/** Found without regard to case and accents. */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
