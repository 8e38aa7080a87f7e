import { useEffect, useState } from "react"
import { type Look, mustIdentify, type Position, type SigningDocument, type View } from "../api.ts"
import { type Draft, type Field, useDraft } from "../draft.ts"
import { pageSize, USUAL_SIZE, within } from "../geometry.ts"
import type { OpenSheet } from "../sheets/sheets.tsx"
import { useViewing, type Viewing } from "./viewing.ts"

/** Where somebody is in their documents, and the ways from there. */
export type Reading = {
  readonly draft: Draft
  readonly viewing: Viewing
  readonly current: number
  readonly sheet: OpenSheet | null
  /** The place that is being chosen, while it is. */
  readonly placing: Position | null
  readonly openSheet: (sheet: OpenSheet | null) => void
  readonly openDocument: (number: number) => void
  readonly goToField: (field: Field) => void
  readonly pressField: (field: Field) => void
  readonly goOn: () => void
  readonly takeLook: (look: Look, all: boolean) => void
  readonly beginPlacing: () => void
  readonly place: (position: Position) => void
  readonly endPlacing: (chosen: Position | null) => void
}

export function useReading(view: View, onIdentify: () => void): Reading {
  const draft = useDraft(view)
  const viewing = useViewing()
  const [sheet, setSheet] = useState<OpenSheet | null>(null)
  const [current, setCurrent] = useState(0)
  const [wantedField, setWantedField] = useState<Field | null>(null)
  const { documents } = view
  useEffect(() => {
    if (wantedField !== null) show(`field-${wantedField.key}`)
  }, [wantedField])
  const placing = usePlacing(draft, viewing, documents[current], current)

  function openDocument(number: number) {
    setSheet(null)
    placing.stop()
    setCurrent(number)
    draft.open(number)
    viewing.onPage(0)
    requestAnimationFrame(() => {
      const shown = document.getElementById("document")
      shown?.scrollIntoView()
      shown?.focus({ preventScroll: true })
    })
  }
  function goToField(field: Field) {
    if (field.document !== current) openDocument(field.document)
    // A new object each time, so that a second press leads there again.
    requestAnimationFrame(() => setWantedField({ ...field }))
  }
  /** After the last field, before the last sheet: the mailbox, where it is not yet proved. */
  const confirm = () => setSheet({ kind: view.screen === "preview" ? "code" : "confirm" })

  return {
    draft,
    viewing,
    current,
    sheet,
    ...placing,
    openSheet: setSheet,
    openDocument,
    goToField,
    pressField: (field) => {
      if (draft.look !== null && !draft.isReady(field)) draft.makeReady(field)
      else setSheet({ kind: "look", field, after: "stay" })
    },
    goOn: () => {
      const unread = documents.findIndex((_, number) => !draft.isOpened(number))
      const open = draft.fields.find((field) => !draft.isReady(field))
      if (unread !== -1) openDocument(unread)
      // Before anything is chosen: what is chosen lives in this window, which the person is about to leave.
      else if (mustIdentify(view)) view.screen === "preview" ? setSheet({ kind: "code" }) : onIdentify()
      else if (open === undefined) confirm()
      else if (draft.look === null) setSheet({ kind: "look", field: open, after: "go-on" })
      else goToField(open)
    },
    takeLook: (look, all) => {
      if (sheet?.kind !== "look") return
      draft.takeLook(look, all ? draft.fields : [sheet.field])
      if (sheet.after === "go-on" && (all || draft.fields.length === 1)) return confirm()
      setSheet(null)
      goToField(sheet.field)
    },
  }
}

function usePlacing(draft: Draft, viewing: Viewing, document: SigningDocument | undefined, current: number) {
  const [placing, setPlacing] = useState<Position | null>(null)
  const page = placing?.page
  useEffect(() => {
    if (page !== undefined) window.document.getElementById("place-box")?.scrollIntoView({ block: "center" })
  }, [page])

  function place(position: Position) {
    if (document !== undefined) setPlacing(within(position, pageSize(document, position.page)))
  }
  return {
    placing,
    place,
    stop: () => setPlacing(null),
    beginPlacing: () => {
      if (document === undefined) return
      if (viewing.mode === "text") viewing.onMode("pictures")
      place(draft.placeOf(current) ?? { page: document.pageCount - 1, x: 57, y: 57, ...USUAL_SIZE })
    },
    endPlacing: (chosen: Position | null) => {
      draft.setPlace(current, chosen)
      setPlacing(null)
      // The panel had the focus, and is gone.
      requestAnimationFrame(() => show(chosen === null ? "go-on" : `field-${current}-0`))
    },
  }
}

function show(id: string): void {
  const element = document.getElementById(id)
  element?.scrollIntoView({ block: "center" })
  element?.focus({ preventScroll: true })
}
