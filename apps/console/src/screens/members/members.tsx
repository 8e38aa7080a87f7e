import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { UserPlus } from "lucide-react"
import { useState } from "react"
import { memberList } from "../../api/members.ts"
import { Button } from "../../parts/button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { managesBusiness } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { AddMemberSheet } from "./add-member-sheet.tsx"
import { MemberRow } from "./member-row.tsx"

/** Who works for the business, and what each of them may do. */
export function Members() {
  const { i18n } = useLingui()
  const { membership } = useSession()
  const list = useQuery(memberList)
  const [isAdding, setAdding] = useState(false)
  const manages = managesBusiness(membership.role)
  return (
    <>
      <ScreenTitle title={i18n._("Members")}>
        {manages && (
          <Button look="main" onClick={() => setAdding(true)}>
            <UserPlus aria-hidden="true" size={18} />
            {i18n._("Invite a member")}
          </Button>
        )}
      </ScreenTitle>
      <p className="-mt-2 mb-5 max-w-2xl text-(--muted)">
        {manages
          ? i18n._("These people work for {business}. Whoever is removed is signed out within seconds.", {
              business: membership.name,
            })
          : i18n._("These people work for {business}. Owners and administrators change who they are.", {
              business: membership.name,
            })}
      </p>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data && (
        <ul className="card divide-y divide-(--line)">
          {list.data.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </ul>
      )}
      {isAdding && <AddMemberSheet onClose={() => setAdding(false)} />}
    </>
  )
}
