import { useLingui } from "@lingui/react"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { factorResets, operatorActs } from "../../api/operator.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Section } from "../../parts/section.tsx"
import { isAddress } from "../../parts/signer-entry.ts"
import { OpenResets } from "./open-resets.tsx"

/** For somebody who lost their phone and their recovery codes, after it is certain that it is them. */
export function FactorsCard() {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [email, setEmail] = useState("")
  const [reason, setReason] = useState("")
  const [isTried, setTried] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const address = email.trim()
  return (
    <Section title={i18n._("A lost second factor")}>
      <OpenResets />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          setAsking(isAddress(address) && reason.trim() !== "")
        }}
      >
        <p className="mb-3 text-sm text-(--muted)">
          {i18n._("Make sure first, by a way you know, that it is really this person who asks.")}
        </p>
        <Labelled
          label={i18n._("E-mail address of the account")}
          error={
            isTried && !isAddress(address)
              ? i18n._("Please type an e-mail address such as ada@example.org.")
              : null
          }
        >
          {(described) => (
            <input
              {...described}
              type="email"
              autoComplete="off"
              className="field min-w-0"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          )}
        </Labelled>
        <div className="mt-3">
          <Labelled
            label={i18n._("Reason, and how you know the person")}
            error={isTried && reason.trim() === "" ? i18n._("Please write a reason.") : null}
          >
            {(described) => (
              <div className="flex flex-col gap-2 sm:flex-row">
                <input
                  {...described}
                  maxLength={500}
                  autoComplete="off"
                  className="field min-w-0"
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                />
                <Button type="submit" className="shrink-0 whitespace-nowrap">
                  {i18n._("Take away …")}
                </Button>
              </div>
            )}
          </Labelled>
        </div>
      </form>
      {isAsking && (
        <ConfirmSheet
          heading={i18n._("Take the second factor away?")}
          act={i18n._("Ask for it")}
          onConfirm={() => operatorActs.askForReset(address, reason.trim())}
          onDone={() => {
            setEmail("")
            setReason("")
            void client.invalidateQueries({ queryKey: factorResets.queryKey })
            setTried(false)
            announce(i18n._("The person has been written to."))
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {i18n._(
              "The person is told by e-mail now. As soon as another operator confirms it, {email} is signed out everywhere and can no longer sign in with the old password, passkey or app. A code sent to their mailbox then lets them choose a new password. Both steps are written into the audit log.",
              { email: address },
            )}
          </p>
        </ConfirmSheet>
      )}
    </Section>
  )
}
