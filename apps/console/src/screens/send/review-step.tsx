import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { Send } from "lucide-react"
import type { ReactNode } from "react"
import { actions, keepRequest } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Breakable } from "../../parts/breakable.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { sayDay, sayQuality } from "../../parts/said.ts"
import { SaveAsTemplate } from "../templates/save-as-template.tsx"
import { type Draft, isComplete, NO_MARK, stepsIn } from "./draft.ts"
import { colourOf, DOT } from "./person-colours.ts"
import { calledIn, useGroupNames } from "./person-words.ts"
import type { Step } from "./steps.ts"
import type { Keeping } from "./use-draft.ts"

type ReviewStepProps = { readonly request: SignatureRequest; readonly keeping: Keeping }

/** Everything once more, in the order in which it will happen, and the one button that writes to people. */
export function ReviewStep({ request, keeping }: ReviewStepProps) {
  const { i18n } = useLingui()
  const { draft, flush } = keeping
  const client = useQueryClient()
  const navigate = useNavigate()
  const unfinished = draft.people.filter((person) => !isComplete(person)).length
  const count = draft.people.length
  const send = useMutation({
    mutationFn: async () => {
      if (!(await flush())) throw new Error("The draft could not be saved.")
      return actions.initiate(request.id)
    },
    onSuccess: async (sent) => {
      keepRequest(client, sent)
      announce(
        count === 0 ? i18n._("The request is open.") : i18n._("Sent. The invitations are on their way."),
      )
      await navigate({ to: "/requests/$id", params: { id: request.id }, replace: true })
    },
  })
  return (
    <>
      <div className="card divide-y divide-(--line)">
        <Part id={request.id} step="documents" title={draft.title}>
          <ul>
            {request.documents.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </Part>
        <Part id={request.id} step="people" title={i18n._("Who signs")}>
          <ReviewedPeople draft={draft} documentIds={request.documents.map(({ id }) => id)} />
        </Part>
        <Part id={request.id} step="message" title={sayQuality(i18n, draft.quality)[0]}>
          {draft.expiresAt !== "" && (
            <p>{i18n._("To be signed by {day}", { day: sayDay(i18n, draft.expiresAt) })}</p>
          )}
          {draft.message !== "" && (
            <blockquote className="mt-2 border-l-4 border-(--line) pl-3 whitespace-pre-line">
              {draft.message}
            </blockquote>
          )}
        </Part>
      </div>
      <div className="mt-6">
        {unfinished > 0 && (
          <Wrong error={i18n._("A person has no e-mail address yet. Please go back and add it.")} />
        )}
        <Wrong error={send.error} />
        <div className="flex flex-col-reverse justify-between gap-3 sm:flex-row sm:items-center">
          <div className="-ml-3 flex flex-wrap">
            <Link to="/requests/$id" params={{ id: request.id }} className="button button-bare">
              {i18n._("Observers and attachments")}
            </Link>
            <SaveAsTemplate request={request} look="bare" before={flush} />
          </div>
          <Button
            look="main"
            className="min-w-44"
            busy={send.isPending}
            onClick={() => unfinished === 0 && send.mutate()}
          >
            <Send aria-hidden="true" size={18} />
            {count === 0
              ? i18n._("Open without signers")
              : i18n._("{count, plural, one {Send to # person} other {Send to # people}}", { count })}
          </Button>
        </div>
      </div>
    </>
  )
}

type PartProps = {
  readonly id: string
  readonly step: Step
  readonly title: string
  readonly children: ReactNode
}

function Part({ id, step, title, children }: PartProps) {
  const { i18n } = useLingui()
  return (
    <section className="px-5 pt-3 pb-5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="display min-w-0 text-lg">{title}</h2>
        <Link
          to="/send/$id"
          params={{ id }}
          search={{ step }}
          className="button button-bare -mr-3"
          aria-label={i18n._("Change: {what}", { what: title })}
        >
          {i18n._("Change")}
        </Link>
      </div>
      <div className="text-(--muted)">{children}</div>
    </section>
  )
}

type ReviewedPeopleProps = { readonly draft: Draft; readonly documentIds: readonly string[] }

function ReviewedPeople({ draft, documentIds }: ReviewedPeopleProps) {
  const { i18n } = useLingui()
  const groups = useGroupNames()
  const steps = stepsIn(draft)
  if (draft.people.length === 0)
    return <p>{i18n._("Nobody yet. The request waits until signers are added.")}</p>
  return (
    <ol className="grid gap-2">
      {draft.people.map((person, index) => {
        const marks = documentIds.map((id) => person.marks[id] ?? NO_MARK)
        const count = marks.reduce(
          (sum, { boxes, formField }) => sum + boxes.length + (formField === null ? 0 : 1),
          0,
        )
        return (
          <li key={person.key} className="flex items-center gap-3">
            <span
              aria-hidden="true"
              className={`grid shrink-0 place-items-center rounded-full text-sm font-semibold text-white ${DOT} ${draft.isOrdered ? "size-7" : "size-3"}`}
              style={{ background: colourOf(index) }}
            >
              {draft.isOrdered ? steps[index] : ""}
            </span>
            <span className="min-w-0">
              <span className="font-semibold text-(--ink)">
                <Breakable text={calledIn(i18n, person, index, groups)} />
              </span>{" "}
              <span className="whitespace-nowrap">
                {count > 0
                  ? i18n._("{count, plural, one {# field} other {# fields}}", { count })
                  : i18n._("chooses where")}
              </span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
