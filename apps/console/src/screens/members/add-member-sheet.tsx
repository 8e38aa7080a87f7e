import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { memberActs, memberList } from "../../api/members.ts"
import type { Language } from "../../language.ts"
import { announce } from "../../parts/announce.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { RadioCards } from "../../parts/radio-cards.tsx"
import { closeSheetAround, Sheet } from "../../parts/sheet.tsx"
import { isAddress } from "../../parts/signer-entry.ts"
import { SubmitOrBack } from "../../parts/submit-or-back.tsx"
import { type Role, sayRole } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { rolesToGive } from "./may.ts"

export function AddMemberSheet({ onClose }: { readonly onClose: () => void }) {
  const { i18n } = useLingui()
  const { membership } = useSession()
  const client = useQueryClient()
  const [email, setEmail] = useState("")
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>("member")
  const [isTried, setTried] = useState(false)
  const add = useMutation({
    mutationFn: () =>
      memberActs.add({
        email: email.trim(),
        role,
        language: i18n.locale as Language,
        ...(name.trim() !== "" && { name: name.trim() }),
      }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setTried(true)
    if (add.isPending || !isAddress(email)) return
    add.mutate(undefined, {
      onSuccess: () => {
        closeSheetAround(form)
        announce(i18n._("{who} is invited and gets an e-mail.", { who: email.trim() }))
        client.invalidateQueries(memberList)
      },
    })
  }
  return (
    <Sheet heading={i18n._("Invite a member")} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Wrong error={add.error} />
        <div className="grid gap-4">
          <Labelled
            label={i18n._("E-mail address")}
            hint={i18n._("They are told by e-mail, sign in with this address, and accept or decline.")}
            error={
              isTried && !isAddress(email)
                ? i18n._("Please type an e-mail address such as ada@example.org.")
                : null
            }
          >
            {(described) => (
              <input
                {...described}
                type="email"
                inputMode="email"
                className="field"
                autoComplete="off"
                maxLength={254}
                value={email}
                onChange={({ target }) => setEmail(target.value)}
              />
            )}
          </Labelled>
          <Labelled label={i18n._("Name (optional)")}>
            {(described) => (
              <input
                {...described}
                className="field"
                autoComplete="off"
                maxLength={200}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Labelled>
          <RadioCards
            label={i18n._("Role")}
            value={role}
            onChoose={setRole}
            choices={[...rolesToGive(membership.role)]
              .reverse()
              .map((each) => [each, ...sayRole(i18n, each)])}
          />
        </div>
        <SubmitOrBack busy={add.isPending}>{i18n._("Invite")}</SubmitOrBack>
      </form>
    </Sheet>
  )
}
