import { attachmentAddress, type View } from "../api.ts"
import { People } from "../parts/people.tsx"
import { isLong, ScreenTitle } from "../parts/screen-title.tsx"
import { isolated, say, sayDate, saySize } from "../words.ts"

/** Who asks, for what, by when: what one wants to know before the first page. */
export function Introduction({ view }: { readonly view: View }) {
  const { request, signer, documents, attachments, people } = view
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
      {request.message !== null && request.message.trim() !== "" && (
        <>
          <p className="mt-4 text-sm text-(--muted)">{say("message-from")}</p>
          <blockquote className="mt-1 border-l-3 border-(--accent) pl-4 whitespace-pre-line" dir="auto">
            {request.message}
          </blockquote>
        </>
      )}
      {people.length > 1 && (
        <details className="mt-2">
          <summary className="summary text-sm">
            {say("read.people")} ({people.length})
          </summary>
          <People people={people} />
        </details>
      )}
      {attachments.length > 0 && (
        <>
          <h2 className="mt-4 text-sm text-(--muted)">{say("read.attachments")}</h2>
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
        </>
      )}
    </div>
  )
}
