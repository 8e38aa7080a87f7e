import { ALL_DOCUMENTS_ADDRESS, contentAddress, type View } from "../api.ts"
import { OurFoot } from "../parts/branding.tsx"
import { ExitNotice } from "../parts/exit.tsx"
import { Header } from "../parts/header.tsx"
import { People } from "../parts/people.tsx"
import { isLong, ScreenTitle } from "../parts/screen-title.tsx"
import { isolated, say, saySize } from "../words.ts"

const MANY = 3

export function Done({ view }: { readonly view: View }) {
  const { request, people, exits } = view
  const complete = request.status === "SIGNED"
  return (
    <>
      <Header request={request} width="max-w-xl" />
      <main className="mx-auto max-w-xl px-4 py-2 pb-10">
        <div className="card">
          <Tick />
          <div className="mt-4">
            <ScreenTitle
              windowTitle={say("done.window", { title: request.title })}
              long={isLong(request.title)}
            >
              {say("done.heading", { title: isolated(request.title) })}
            </ScreenTitle>
          </div>
          <p role="status" className="mt-4">
            {whatFollows(view)}
          </p>
          {people.length > 1 && <People people={people} />}
          {complete && !view.hideDownload && <Downloads view={view} />}
          {request.status === "OPEN" && !view.hideDownload && (
            <p className="mt-4 text-(--muted)">{say("done.copy")}</p>
          )}
          {complete && <Fingerprints documents={view.documents} />}
          {exits.success !== null && <ExitNotice exit={exits.success} />}
        </div>
      </main>
      <OurFoot />
    </>
  )
}

function whatFollows({ request, waitingFor }: View): string {
  if (request.status === "SIGNED") return say("done.complete")
  if (request.status !== "OPEN") return say("done.over")
  return waitingFor > 0 ? say("done.still-to-sign", { count: waitingFor }) : say("done.finishing")
}

function Downloads({ view: { documents } }: { readonly view: View }) {
  const [only] = documents
  const sizeBytes = documents.reduce((sum, document) => sum + document.sizeBytes, 0)
  if (documents.length === 1 && only !== undefined)
    return (
      <>
        <p className="mt-2">{say("done.keep")}</p>
        <a className="button button-main mt-5 w-full" href={contentAddress(only.id)} download>
          {say("done.download")}
        </a>
      </>
    )
  return (
    <>
      <p className="mt-2">{say("done.keep")}</p>
      <a className="button button-main mt-5 w-full" href={ALL_DOCUMENTS_ADDRESS} download>
        {say("read.download-all", { size: saySize(sizeBytes) })}
      </a>
      <details className="mt-3" open={documents.length <= MANY}>
        <summary className="summary">{say("read.documents", { count: documents.length })}</summary>
        <ul>
          {documents.map(({ id, title }) => (
            <li key={id}>
              <a className="link flex min-h-11 items-center" href={contentAddress(id)} download>
                <span className="line-clamp-2">{say("done.download-of", { title: isolated(title) })}</span>
              </a>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

function Fingerprints({ documents }: { readonly documents: View["documents"] }) {
  return (
    <details className="mt-3 text-sm text-(--muted)">
      <summary className="summary">{say("read.fingerprint")}</summary>
      <ul className="grid gap-2 pb-2">
        {documents.map(({ id, title, sha256 }) => (
          <li key={id}>
            {documents.length > 1 && <bdi className="font-semibold">{title}</bdi>}
            <code className="block break-all">{sha256}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Tick() {
  return (
    <svg
      viewBox="0 0 48 48"
      className="size-12 text-(--good)"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <circle cx="24" cy="24" r="21.5" strokeWidth="2.5" />
      <path d="m14.5 25 7 7 12-15" strokeWidth="3.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
