import { useLingui } from "@lingui/react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { ArrowLeft, Trash2 } from "lucide-react"
import { useState } from "react"
import { groupActs, oneGroup } from "../../api/groups.ts"
import type { Group } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Button } from "../../parts/button.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { managesBusiness } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { calledOfMember } from "./entries.ts"
import { GroupForm } from "./group-form.tsx"

const route = getRouteApi("/groups/$id")

export function OneGroup() {
  const { i18n } = useLingui()
  const { id } = route.useParams()
  const isNew = id === "new"
  const group = useQuery({ ...oneGroup(id), enabled: !isNew })
  return (
    <>
      <Link to="/groups" className="button button-bare -ml-3 mb-1">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All groups")}
      </Link>
      {isNew && (
        <>
          <ScreenTitle title={i18n._("Create a group")} />
          <GroupForm />
        </>
      )}
      {!isNew && group.isPending && <Loading />}
      {group.isError && (
        <>
          <ScreenTitle title={i18n._("Group")} />
          <Wrong error={group.error} />
        </>
      )}
      {group.data && <Shown group={group.data} />}
    </>
  )
}

function Shown({ group }: { readonly group: Group }) {
  const { i18n } = useLingui()
  const { account, membership } = useSession()
  const mayChange = group.owner === account.email || managesBusiness(membership.role)
  return (
    <>
      <ScreenTitle title={group.name}>{mayChange && <Delete group={group} />}</ScreenTitle>
      {mayChange ? (
        <GroupForm group={group} />
      ) : (
        <>
          <p className="-mt-2 mb-5 text-(--muted)">
            {i18n._("{who} has made this group and may change it.", { who: group.owner })}
          </p>
          <ul className="card divide-y divide-(--line)">
            {group.members.map((member) => (
              <li key={member.email} className="flex items-center gap-3 px-5 py-3">
                <Avatar called={calledOfMember(member)} />
                <span className="min-w-0">
                  <span className="block font-semibold">{calledOfMember(member)}</span>
                  <span className="block text-sm text-(--muted)">{member.email}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Delete({ group: { id, name } }: { readonly group: Group }) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" size={18} />
        {i18n._("Delete")}
      </Button>
      {isAsking && (
        <ConfirmSheet
          heading={i18n._("Delete “{name}”?", { name })}
          act={i18n._("Delete the group")}
          onConfirm={() => groupActs.remove(id)}
          onDone={() => {
            announce(i18n._("The group was deleted."))
            client.invalidateQueries({ queryKey: ["groups"], exact: true })
            navigate({ to: "/groups" })
          }}
          onClose={() => setAsking(false)}
        >
          <p>{i18n._("Requests that were sent to it go on. A group that a draft needs is not deleted.")}</p>
        </ConfirmSheet>
      )}
    </>
  )
}
