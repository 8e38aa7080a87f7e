import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { LogOut, Mail, UserMinus } from "lucide-react"
import { useState } from "react"
import { calledOfColleague, type Member, memberActs, memberList } from "../../api/members.ts"
import { announce } from "../../parts/announce.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Badge } from "../../parts/badge.tsx"
import { Button } from "../../parts/button.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { sayAgo } from "../../parts/said.ts"
import { focusTitle } from "../../parts/screen-title.tsx"
import { type Role, sayRole } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { mayChange, rolesToGive } from "./may.ts"

export function MemberRow({ member }: { readonly member: Member }) {
  const { i18n } = useLingui()
  const { account, membership } = useSession()
  const isMe = member.email === account.email
  const isMine = mayChange(membership.role, member) && !isMe
  const called = calledOfColleague(member)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-3.5 sm:px-5 md:grid-cols-[auto_minmax(0,1fr)_13rem_2.75rem]">
      <Avatar called={called} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          {called}
          {isMe && <Badge look="accent">{i18n._("You")}</Badge>}
          {member.accepted_at === null && (
            <Badge look="warn" Sign={Mail}>
              {i18n._("Invited")}
            </Badge>
          )}
        </p>
        {called !== member.email && <p className="text-sm text-(--muted)">{member.email}</p>}
        <p className="text-sm text-(--muted)">{seen(i18n, member)}</p>
      </div>
      <div className="order-last col-span-2 col-start-2 md:order-none md:col-span-1 md:col-start-auto">
        {isMine ? <RoleChoice member={member} /> : <RoleWord role={member.role} />}
      </div>
      {isMine && <Remove member={member} />}
      {isMe && <Leave member={member} />}
      {!isMine && !isMe && <span />}
    </li>
  )
}

function seen(i18n: I18n, { last_seen_at, joined_at, accepted_at }: Member): string {
  if (accepted_at === null) return i18n._("Invited {when}", { when: sayAgo(i18n, joined_at) })
  return last_seen_at === undefined
    ? i18n._("Added {when}", { when: sayAgo(i18n, joined_at) })
    : i18n._("Last seen {when}", { when: sayAgo(i18n, last_seen_at) })
}

function RoleWord({ role }: { readonly role: Role }) {
  const { i18n } = useLingui()
  const [name, meaning] = sayRole(i18n, role)
  return (
    <p className="md:px-3" title={meaning}>
      {name}
    </p>
  )
}

/** Chosen is done; the list shows what the service has made of it. */
function RoleChoice({ member }: { readonly member: Member }) {
  const { i18n } = useLingui()
  const { membership } = useSession()
  const client = useQueryClient()
  const called = calledOfColleague(member)
  const change = useMutation({
    mutationFn: (role: Role) => memberActs.change(member.id, role),
    onSuccess: (_, role) =>
      announce(i18n._("{who} is now {role}.", { who: called, role: sayRole(i18n, role)[0] })),
    onSettled: () => client.invalidateQueries(memberList),
  })
  return (
    <>
      <select
        className="field"
        aria-label={i18n._("Role of {who}", { who: called })}
        value={change.isPending ? change.variables : member.role}
        onChange={({ target }) => change.mutate(target.value as Role)}
      >
        {rolesToGive(membership.role).map((role) => (
          <option key={role} value={role}>
            {sayRole(i18n, role)[0]}
          </option>
        ))}
      </select>
      {change.isError && (
        <div className="mt-2">
          <Wrong error={change.error} />
        </div>
      )}
    </>
  )
}

function Remove({ member }: { readonly member: Member }) {
  const { i18n } = useLingui()
  const { membership } = useSession()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const who = calledOfColleague(member)
  return (
    <>
      <Button
        look="icon"
        aria-label={i18n._("Remove {who}", { who })}
        title={i18n._("Remove {who}", { who })}
        onClick={() => setAsking(true)}
      >
        <UserMinus aria-hidden="true" size={18} />
      </Button>
      {isAsking && (
        <ConfirmSheet
          heading={i18n._("Remove {who}?", { who })}
          act={i18n._("Remove from the business")}
          onConfirm={() => memberActs.remove(member.id)}
          onDone={() => {
            focusTitle()
            announce(i18n._("{who} was removed.", { who }))
            client.invalidateQueries(memberList)
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {i18n._(
              "They can no longer work for {business}, from now on. Their account and what they have sent stay.",
              { business: membership.name },
            )}
          </p>
        </ConfirmSheet>
      )}
    </>
  )
}

/** Everybody may go; the last owner is told who must come first. */
function Leave({ member }: { readonly member: Member }) {
  const { i18n } = useLingui()
  const { membership } = useSession()
  const [isAsking, setAsking] = useState(false)
  const business = membership.name
  return (
    <>
      <Button
        look="icon"
        aria-label={i18n._("Leave {business}", { business })}
        title={i18n._("Leave {business}", { business })}
        onClick={() => setAsking(true)}
      >
        <LogOut aria-hidden="true" size={18} />
      </Button>
      {isAsking && (
        <ConfirmSheet
          heading={i18n._("Leave {business}?", { business })}
          act={i18n._("Leave the business")}
          onConfirm={() => memberActs.remove(member.id)}
          onDone={() => location.assign("/console/")}
          onClose={() => setAsking(false)}
        >
          <p>
            {i18n._(
              "You can no longer work for {business}, unless somebody adds you again. Your account stays.",
              {
                business,
              },
            )}
          </p>
        </ConfirmSheet>
      )}
    </>
  )
}
