import { lazy, Suspense, useEffect } from "react"
import type { Look, View } from "../api.ts"
import type { Draft, Field } from "../draft.ts"
import { DocumentList } from "../read/document-list.tsx"
import { say } from "../words.ts"
import { CodeSheet } from "./code-sheet.tsx"
import { ConfirmSheet } from "./confirm-sheet.tsx"
import { DeclineSheet } from "./decline-sheet.tsx"
import { FactorSheet } from "./factor-sheet.tsx"
import { Sheet } from "./sheet.tsx"

/** Which sheet lies over the document. */
export type OpenSheet =
  | { readonly kind: "confirm" | "decline" | "code" | "documents" }
  | { readonly kind: "look"; readonly field: Field; readonly after: "stay" | "go-on" }

type SheetsProps = {
  readonly sheet: OpenSheet | null
  readonly view: View
  readonly draft: Draft
  readonly current: number
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
  readonly onClose: () => void
  readonly onProved: () => void
  readonly onDocument: (document: number) => void
  readonly onLook: (look: Look, all: boolean) => void
}

/** Fonts and ink come with the sheet, not with the page. */
const fetchLookSheet = () =>
  import("../look/look-sheet.tsx").then((module) => ({ default: module.LookSheet }))
const LookSheet = lazy(fetchLookSheet)
const SOON_MS = 1_000

export function Sheets(props: SheetsProps) {
  const { sheet, view, draft, onView, onNoSession, onClose } = props
  const common = { view, onView, onNoSession, onClose }
  useEffect(fetchSoon, [])
  // Before anything is chosen: whoever has to go and come back should not have to choose twice.
  const hasNothing = view.factor?.kinds.length === 0 && view.atProvider === null
  if ((sheet?.kind === "confirm" || sheet?.kind === "look") && view.factor !== null && hasNothing)
    return <FactorSheet sender={view.request.sender} factor={view.factor} onClose={onClose} />
  switch (sheet?.kind) {
    case "confirm":
      return <ConfirmSheet {...common} draft={draft} />
    case "decline":
      return <DeclineSheet {...common} />
    case "code":
      return view.proof === null ? null : (
        <CodeSheet {...common} proof={view.proof} onProved={props.onProved} />
      )
    case "look":
      return (
        <Suspense>
          <LookSheet draft={draft} field={sheet.field} onUse={props.onLook} onClose={onClose} />
        </Suspense>
      )
    case "documents":
      return (
        <Sheet heading={say("documents.list")} locked={false} onClose={onClose}>
          <DocumentList view={view} draft={draft} current={props.current} onOpen={props.onDocument} />
        </Sheet>
      )
    default:
      return null
  }
}

/**
 * Once the first page is there: whoever then presses need not wait behind the pages of fifty documents, which they may
 * have gone through faster than those come.
 */
function fetchSoon(): () => void {
  let timer = 0
  const begin = () => {
    removeEventListener("load", begin, true)
    timer = setTimeout(() => fetchLookSheet().catch(() => undefined), SOON_MS)
  }
  addEventListener("load", begin, true)
  return () => {
    removeEventListener("load", begin, true)
    clearTimeout(timer)
  }
}
