import { contentAddress, type View } from "../api.ts"
import { Header } from "../parts/header.tsx"
import { isLong, ScreenTitle } from "../parts/screen-title.tsx"
import { words } from "../words.ts"

export function Done({ view }: { readonly view: View }) {
  const { request, documents } = view
  const complete = request.status === "SIGNED"
  return (
    <>
      <Header request={request} narrow />
      <main className="mx-auto max-w-xl px-4 py-2">
        <div className="card">
          <Tick />
          <div className="mt-4">
            <ScreenTitle windowTitle={words.done.windowTitle(request.title)} long={isLong(request.title)}>
              {words.done.heading} <bdi>{request.title}</bdi>
            </ScreenTitle>
          </div>
          <p role="status" className="mt-4">
            {whatFollows(view)}
          </p>
          {complete && (
            <>
              <p className="mt-2">{words.done.keep}</p>
              <ul className="mt-5 grid gap-3">
                {documents.map(({ id, title }) => (
                  <li key={id}>
                    <a className="button button-main w-full" href={contentAddress(id)} download>
                      <span className="line-clamp-2">
                        {documents.length === 1 ? words.done.download : words.done.downloadOf(title)}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </main>
    </>
  )
}

function whatFollows({ request, waitingFor }: View): string {
  if (request.status === "SIGNED") return words.done.complete
  return waitingFor > 0 ? words.done.stillToSign(waitingFor) : words.done.finishing
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
