import { ALL_DOCUMENTS_ADDRESS, contentAddress, type View } from "../api.ts"
import { say, saySize } from "../words.ts"
import type { MenuEntry } from "./more-menu.tsx"
import type { Reading } from "./use-reading.ts"

/** Everything that is not the next step. */
export function readingMenu(view: View, reading: Reading): readonly MenuEntry[] {
  return [
    ...aboutTheSignature(view, reading),
    ...aboutTheDocument(view, reading),
    ...decliningOf(view, reading),
  ]
}

function aboutTheSignature({ documents }: View, reading: Reading): readonly MenuEntry[] {
  const { draft, current } = reading
  const [field] = draft.fields
  const move = say(draft.placeOf(current) === null ? "place.choose" : "place.change")
  const isFree = documents[current]?.place.type === "free"
  return [
    ...(isFree ? [{ label: move, onChoose: reading.beginPlacing }] : []),
    ...(draft.look === null || field === undefined
      ? []
      : [
          {
            label: say("look.change"),
            onChoose: () => reading.openSheet({ kind: "look", field, after: "stay" }),
          },
        ]),
  ]
}

function aboutTheDocument(
  { documents, hideDownload }: View,
  { viewing, current }: Reading,
): readonly MenuEntry[] {
  const exact = viewing.mode === "exact"
  const document = documents[current]
  const sizeBytes = documents.reduce((sum, one) => sum + one.sizeBytes, 0)
  const downloads = [
    ...(document === undefined ? [] : [{ label: say("read.download"), href: contentAddress(document.id) }]),
    ...(documents.length > 1
      ? [{ label: say("read.download-all", { size: saySize(sizeBytes) }), href: ALL_DOCUMENTS_ADDRESS }]
      : []),
  ]
  return [
    {
      label: say(exact ? "read.as-pictures" : "read.exact"),
      onChoose: () => viewing.onMode(exact ? "pictures" : "exact"),
    },
    ...(hideDownload ? [] : downloads),
  ]
}

/** Declining is an act like signing: not before the mailbox is proved. */
function decliningOf({ screen }: View, reading: Reading): readonly MenuEntry[] {
  if (screen !== "read") return []
  return [{ label: say("read.decline"), onChoose: () => reading.openSheet({ kind: "decline" }), grave: true }]
}
