import { useState } from "react"
import type { View } from "../api.ts"
import { ConfirmSheet } from "../parts/confirm-sheet.tsx"
import { DeclineSheet } from "../parts/decline-sheet.tsx"
import { Header } from "../parts/header.tsx"
import { MoreMenu } from "../parts/more-menu.tsx"
import { Pages } from "../parts/pages.tsx"
import { isLong, ScreenTitle } from "../parts/screen-title.tsx"
import { words } from "../words.ts"

type ReadProps = {
  readonly view: View
  readonly signingFailed: boolean
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
}

/** Reading comes before signing: the pages first, one bar below them, and the sheets only when asked for. */
export function Read({ view, signingFailed, onView, onNoSession }: ReadProps) {
  const [sheet, setSheet] = useState<"none" | "confirm" | "decline">("none")
  const { documents } = view
  const sheetProps = { view, onView, onNoSession, onClose: () => setSheet("none") }
  return (
    <>
      <Header request={view.request} />
      <main className="mx-auto max-w-3xl px-4 pt-2 pb-32">
        {signingFailed && (
          <p role="alert" className="notice mb-4">
            {words.read.signingFailed}
          </p>
        )}
        <Introduction view={view} />
        {documents.map((document, index) => (
          <Pages key={document.id} document={document} first={index === 0} alone={documents.length === 1} />
        ))}
      </main>
      <section aria-label={words.read.bar} className="bar">
        <div className="mx-auto flex max-w-3xl items-center justify-end gap-3 px-4 py-2.5">
          <button
            type="button"
            className="button button-main grow sm:grow-0 sm:px-10"
            onClick={() => setSheet("confirm")}
          >
            {words.read.continue}
          </button>
          <MoreMenu documents={documents} onDecline={() => setSheet("decline")} />
        </div>
      </section>
      {sheet === "confirm" && <ConfirmSheet {...sheetProps} />}
      {sheet === "decline" && <DeclineSheet {...sheetProps} />}
    </>
  )
}

export function Introduction({ view: { request, signer, documents } }: { readonly view: View }) {
  return (
    <div className="break-words">
      <p className="text-(--muted)" dir="auto">
        {words.from(request.sender)}
      </p>
      <ScreenTitle windowTitle={words.read.windowTitle(request.title)} long={isLong(request.title)}>
        <bdi>{request.title}</bdi>
      </ScreenTitle>
      <p className="mt-1 text-sm text-(--muted)">
        {words.signingAs(signer.email)}
        {documents.length > 1 && ` · ${words.read.documents(documents.length)}`}
      </p>
      {request.message !== null && request.message.trim() !== "" && (
        <>
          <p className="mt-4 text-sm text-(--muted)">{words.messageFrom}</p>
          <blockquote className="mt-1 border-l-3 border-(--accent) pl-4 whitespace-pre-line" dir="auto">
            {request.message}
          </blockquote>
        </>
      )}
    </div>
  )
}
