import { useLingui } from "@lingui/react"
import { useMutation } from "@tanstack/react-query"
import { Button } from "../parts/button.tsx"
import { Wrong } from "../parts/notice.tsx"
import { sayAgo } from "../parts/said.ts"
import { answerInvitation, type Invitation } from "./account.ts"
import { sayRole } from "./roles.ts"

/** Businesses that want this person: nothing of them is opened until the person says yes. */
export function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  return (
    <ul className="grid gap-3">
      {invitations.map((each) => (
        <OneInvitation key={each.businessId} invitation={each} />
      ))}
    </ul>
  )
}

function OneInvitation({ invitation }: { readonly invitation: Invitation }) {
  const { i18n } = useLingui()
  const { name: business, by, at, role } = invitation
  const [called, meaning] = sayRole(i18n, role)
  const answer = useMutation({
    mutationFn: (what: "accept" | "decline") => answerInvitation(invitation, what),
    // The list of businesses is another one from here on: the page begins anew, in the business where it was.
    onSuccess: () => location.assign("/console/"),
  })
  return (
    <li className="rounded-xl border border-(--line) bg-(--sheet) p-4">
      <p className="font-semibold">
        {i18n._("{business} invites you as {role}", { business, role: called })}
      </p>
      <p className="mt-1 text-sm text-(--muted)">{meaning}</p>
      <p className="mt-1 text-sm break-words text-(--muted)">
        {by === null ? sayAgo(i18n, at) : i18n._("By {who}, {when}", { who: by, when: sayAgo(i18n, at) })}
      </p>
      <div className="mt-3 empty:hidden">
        <Wrong error={answer.error} />
      </div>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          look="main"
          busy={answer.isPending}
          aria-label={i18n._("Accept the invitation of {business}", { business })}
          onClick={() => answer.mutate("accept")}
        >
          {i18n._("Accept")}
        </Button>
        <Button
          busy={answer.isPending}
          aria-label={i18n._("Decline the invitation of {business}", { business })}
          onClick={() => answer.mutate("decline")}
        >
          {i18n._("Decline")}
        </Button>
      </div>
    </li>
  )
}
