import { useLingui } from "@lingui/react"
import { Link } from "@tanstack/react-router"
import { Plus } from "lucide-react"
import { useGroups } from "../../api/groups.ts"
import type { Group } from "../../api/types.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { calledOfMember } from "./entries.ts"

/** People who are asked together: one of them signs for all, or all of them read along. */
export function Groups() {
  const { i18n } = useLingui()
  const list = useGroups()
  const add = (
    <Link to="/groups/$id" params={{ id: "new" }} className="button button-main">
      <Plus aria-hidden="true" size={18} />
      {i18n._("Create a group")}
    </Link>
  )
  return (
    <>
      <ScreenTitle title={i18n._("Groups")}>
        {list.data !== undefined && list.data.length > 0 && add}
      </ScreenTitle>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && (
        <Nothing title={i18n._("No group yet")}>
          <p className="mb-5">
            {i18n._("Ask “the management” to sign, and whoever of them comes first signs for all.")}
          </p>
          {add}
        </Nothing>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <ul className="card divide-y divide-(--line) overflow-hidden">
          {list.data.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </ul>
      )}
    </>
  )
}

const FACES = 5

function GroupRow({ group: { id, name, members } }: { readonly group: Group }) {
  const { i18n } = useLingui()
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-3.5 hover:bg-(--accent-soft) sm:px-5">
      <div className="min-w-0">
        <Link
          to="/groups/$id"
          params={{ id }}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {name}
        </Link>
        <p className="truncate text-sm text-(--muted)">
          {i18n._("{count, plural, one {# person} other {# people}}", { count: members.length })}
          {": "}
          {members.map(calledOfMember).join(", ")}
        </p>
      </div>
      <div className="flex -space-x-2">
        {members.slice(0, FACES).map((member) => (
          <Avatar key={member.email} called={calledOfMember(member)} className="ring-2 ring-(--sheet)" />
        ))}
      </div>
    </li>
  )
}
