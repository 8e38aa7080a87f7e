import { useLingui } from "@lingui/react"
import { Link } from "@tanstack/react-router"
import { Mail, UserPlus } from "lucide-react"
import { useState } from "react"
import type { SignatureRequest } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { stepsOf } from "../../parts/people.ts"
import { Section } from "../../parts/section.tsx"
import { builds } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { AddSignerSheet } from "./add-signer-sheet.tsx"
import { Person } from "./person.tsx"

type PeopleProps = { readonly request: SignatureRequest; readonly mayChange: boolean }

/** Who signs, in which order, and how far each of them is. */
export function People({ request, mayChange }: PeopleProps) {
  const { i18n } = useLingui()
  const { kind, membership } = useSession()
  const [isAdding, setAdding] = useState(false)
  const mayAdd = mayChange && request.status_overall === "OPEN"
  const steps = stepsOf(request.signatures)
  const add = (
    <Button look={steps.length === 0 ? "main" : "quiet"} onClick={() => setAdding(true)}>
      <UserPlus aria-hidden="true" size={18} />
      {i18n._("Add a signer")}
    </Button>
  )
  return (
    <Section title={i18n._("Who signs")} action={mayAdd && add}>
      {steps.length === 0 && (
        <p className="text-(--muted)">{i18n._("Nobody yet. The request waits until signers are added.")}</p>
      )}
      {steps.map((people, index) => (
        <div key={people[0]?.sid} className="mt-1">
          {steps.length > 1 && (
            <h3 className="mb-1 text-sm font-semibold text-(--muted)">
              {people.length > 1
                ? i18n._("Step {number}, in any order", { number: index + 1 })
                : i18n._("Step {number}", { number: index + 1 })}
            </h3>
          )}
          <ul className="mb-2 divide-y divide-(--line)">
            {people.map((signature) => (
              <Person key={signature.sid} signature={signature} request={request} mayChange={mayChange} />
            ))}
          </ul>
        </div>
      ))}
      {kind === "demo" && builds(membership.role) && steps.length > 0 && (
        <Link
          to="/developers/mails"
          search={{ request: request.id }}
          className="link inline-flex min-h-11 items-center gap-2"
        >
          <Mail aria-hidden="true" size={18} />
          {i18n._("The mails of this test")}
        </Link>
      )}
      {isAdding && <AddSignerSheet request={request} onClose={() => setAdding(false)} />}
    </Section>
  )
}
