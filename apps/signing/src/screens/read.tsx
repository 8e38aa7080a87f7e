import type { ReactNode } from "react"
import { mustIdentify, type View } from "../api.ts"
import { OurFoot } from "../parts/branding.tsx"
import { Header } from "../parts/header.tsx"
import { Bar } from "../read/bar.tsx"
import { DocumentList } from "../read/document-list.tsx"
import { Introduction } from "../read/introduction.tsx"
import { Pages } from "../read/pages.tsx"
import { PlacePanel } from "../read/place-panel.tsx"
import { readingMenu } from "../read/reading-menu.ts"
import { Toolbar } from "../read/toolbar.tsx"
import { type Reading, useReading } from "../read/use-reading.ts"
import { Sheets } from "../sheets/sheets.tsx"
import { isolated, say } from "../words.ts"

type ReadProps = {
  readonly view: View
  readonly signingFailed: boolean
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
  readonly onIdentify: () => void
}

/** Reading comes before signing: the pages first, one bar below them, and the sheets only when asked for. */
export function Read({ view, signingFailed, onView, onNoSession, onIdentify }: ReadProps) {
  const reading = useReading(view, onIdentify)
  const problem = view.atProvider?.problem ?? null
  const mayAct = view.screen !== "preview" || view.proof !== null
  return (
    <>
      <Frame view={view} reading={reading} bare={!mayAct}>
        {(signingFailed || problem !== null) && (
          <p role="alert" className="notice mb-4">
            {say(problem === null ? "read.signing-failed" : `provider.problem.${problem}`)}
          </p>
        )}
        {!mayAct && (
          <p role="status" className="notice mb-4">
            {say("preview", { sender: isolated(view.request.sender) })}
          </p>
        )}
        {mayAct && <Identified view={view} />}
        <Introduction view={view} />
        <CurrentDocument view={view} reading={reading} />
      </Frame>
      {mayAct && <Below view={view} reading={reading} />}
      <Sheets
        sheet={reading.sheet}
        view={view}
        draft={reading.draft}
        current={reading.current}
        onView={onView}
        onNoSession={onNoSession}
        onClose={() => reading.openSheet(null)}
        onProved={() => (mustIdentify(view) ? onIdentify() : reading.openSheet({ kind: "confirm" }))}
        onDocument={reading.openDocument}
        onLook={reading.takeLook}
      />
    </>
  )
}

/** What is still to come, so that nobody is surprised after reading; or that it is done. */
function Identified({ view: { identification, signer } }: { readonly view: View }) {
  if (identification === null) return null
  const { status, provider } = identification
  return (
    <p role="status" className="summary-card mb-4">
      {status === "ACCEPTED"
        ? say("identify.accepted", { name: isolated(signer.name ?? "") })
        : say("identify.soon", { provider: isolated(provider) })}
    </p>
  )
}

type PartProps = { readonly view: View; readonly reading: Reading }

/** With several documents and enough room, their list stands beside the pages. */
function Frame({
  view,
  reading,
  bare,
  children,
}: PartProps & { readonly bare: boolean; readonly children: ReactNode }) {
  const many = view.documents.length > 1
  const padding = bare ? "pb-16" : reading.placing === null ? "pb-40" : "pb-96"
  return (
    <>
      <Header request={view.request} width={many ? "max-w-3xl lg:max-w-6xl" : "max-w-3xl"} />
      <main className={`mx-auto px-4 pt-2 ${padding} ${many ? "reading-many" : "max-w-3xl"}`}>
        {many && (
          <nav aria-label={say("documents.list")} className="documents-aside">
            <DocumentList
              view={view}
              draft={reading.draft}
              current={reading.current}
              onOpen={reading.openDocument}
            />
          </nav>
        )}
        <div className="min-w-0">
          {children}
          <OurFoot />
        </div>
      </main>
    </>
  )
}

function CurrentDocument({ view: { documents }, reading }: PartProps) {
  const { viewing, current } = reading
  const document = documents[current]
  const count = documents.length
  if (document === undefined) return null
  return (
    <div id="document" tabIndex={-1} className="outline-none">
      <Toolbar viewing={viewing} pageCount={document.pageCount}>
        {count > 1 && (
          <button
            type="button"
            className="tool tool-documents"
            onClick={() => reading.openSheet({ kind: "documents" })}
          >
            {`${current + 1}/${count}`}
            <span className="sr-only">{say("documents.list")}</span>
          </button>
        )}
      </Toolbar>
      {viewing.exactFailed && (
        <p role="alert" className="notice my-3">
          {say("read.exact-failed")}
        </p>
      )}
      <Pages
        key={document.id}
        document={document}
        number={current}
        alone={count === 1}
        draft={reading.draft}
        viewing={viewing}
        placing={reading.placing}
        onPlacing={reading.place}
        onField={reading.pressField}
      />
    </div>
  )
}

function Below({ view, reading }: PartProps) {
  const { placing, current } = reading
  const document = view.documents[current]
  if (placing === null || document === undefined)
    return (
      <Bar
        draft={reading.draft}
        documentCount={view.documents.length}
        entries={readingMenu(view, reading)}
        onField={reading.goToField}
        onGoOn={reading.goOn}
      />
    )
  return (
    <PlacePanel
      document={document}
      hints={reading.draft.hintsOf(current)}
      place={placing}
      onPlace={reading.place}
      onDone={() => reading.endPlacing(placing)}
      onNone={() => reading.endPlacing(null)}
    />
  )
}
