import type { Draft, Field } from "../draft.ts"
import { say } from "../words.ts"
import { type MenuEntry, MoreMenu } from "./more-menu.tsx"

type BarProps = {
  readonly draft: Draft
  readonly documentCount: number
  readonly entries: readonly MenuEntry[]
  readonly onField: (field: Field) => void
  readonly onGoOn: () => void
}

/** Always in reach of the thumb: where one stands, the next field, and the way on. */
export function Bar({ draft, documentCount, entries, onField, onGoOn }: BarProps) {
  const open = draft.fields.filter((field) => !draft.isReady(field))
  const [next] = open
  const unread = draft.openedCount < documentCount
  return (
    <section aria-label={say("read.bar")} className="bar">
      <div className="bar-row">
        <p role="status" className="bar-status">
          {status(draft, open.length, documentCount)}
        </p>
        <div className="bar-buttons">
          {next !== undefined && (
            <button type="button" className="button button-quiet" onClick={() => onField(next)}>
              {say("field.next")}
            </button>
          )}
          <button
            type="button"
            id="go-on"
            className="button button-main grow sm:grow-0 sm:px-8"
            onClick={onGoOn}
          >
            {unread ? say("documents.next") : say("read.continue")}
          </button>
        </div>
        <MoreMenu entries={entries} />
      </div>
    </section>
  )
}

function status(draft: Draft, open: number, documentCount: number): string {
  const count = draft.fields.length
  const fields = count === 0 ? [] : [say("field.status", { ready: count - open, count })]
  const read =
    documentCount > 1 ? [say("documents.opened", { opened: draft.openedCount, count: documentCount })] : []
  return [...read, ...fields].join(" · ")
}
