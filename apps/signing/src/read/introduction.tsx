import { attachmentAddress, type View } from "../api.ts"
import { People } from "../parts/people.tsx"
import { isLong, ScreenTitle } from "../parts/screen-title.tsx"
import { isolated, say, sayDate, saySize } from "../words.ts"

/** Who asks, for what, by when: what one wants to know before the first page. */
export function Introduction({ view }: { readonly view: View }) {
  const { request, signer, documents } = view
  return (
    <div className="break-words">
      <p className="text-(--muted)">{say("from", { sender: isolated(request.sender) })}</p>
      <ScreenTitle windowTitle={say("read.window", { title: request.title })} long={isLong(request.title)}>
        <bdi>{request.title}</bdi>
      </ScreenTitle>
      <p className="facts mt-1 text-sm text-(--muted)">
        <span>{say("signing-as", { email: isolated(signer.email) })}</span>
        {documents.length > 1 && <span>{say("read.documents", { count: documents.length })}</span>}
        {request.expiresAt !== null && <span>{say("until", { date: sayDate(request.expiresAt) })}</span>}
      </p>
      <About view={view} />
    </div>
  )
}

/** The sender's words were read at the door; here the document comes first, and what is around it is one press away. */
function About({ view: { request, people, attachments } }: { readonly view: View }) {
  const message = request.message?.trim() ?? ""
  const holds = [
    ...(message === "" ? [] : [say("about.message")]),
    ...(people.length > 1 ? [say("about.people", { count: people.length })] : []),
    ...(attachments.length > 0 ? [say("about.attachments", { count: attachments.length })] : []),
  ]
  if (holds.length === 0) return null
  return (
    <details className="mt-2">
      <summary className="summary text-sm">{holds.join(" · ")}</summary>
      <div className="grid gap-4 pb-3">
        {message !== "" && (
          <blockquote className="border-l-3 border-(--accent) pl-4 whitespace-pre-line" dir="auto">
            {message}
          </blockquote>
        )}
        {people.length > 1 && <People people={people} />}
        {attachments.length > 0 && <Attachments attachments={attachments} />}
      </div>
    </details>
  )
}

function Attachments({ attachments }: Pick<View, "attachments">) {
  return (
    <div>
      <h2 className="text-sm text-(--muted)">{say("read.attachments")}</h2>
      <ul>
        {attachments.map(({ id, filename, sizeBytes }) => (
          <li key={id}>
            <a className="link inline-flex min-h-11 items-center" href={attachmentAddress(id)} download>
              <bdi>{filename}</bdi>
            </a>{" "}
            <span className="text-sm text-(--muted)">{saySize(sizeBytes)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
