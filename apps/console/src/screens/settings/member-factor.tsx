import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useState } from "react"
import { type Settings, useChangeSettings, useMayManage } from "../../api/settings.ts"
import { announce } from "../../parts/announce.tsx"
import { RadioCard } from "../../parts/radio-cards.tsx"
import { Form } from "./form.tsx"

type Rule = Settings["member_second_factor"]
const RULES = ["REQUIRED_OR_PROVIDER", "REQUIRED", "OPTIONAL"] as const satisfies readonly Rule[]

/** Whether members sign in with a passkey or an authenticator app. */
export function MemberFactor({ settings }: { readonly settings: Settings }) {
  const { i18n } = useLingui()
  const mayManage = useMayManage()
  const [rule, setRule] = useState(settings.member_second_factor)
  const save = useChangeSettings(() => announce(i18n._("Saved.")))
  return (
    <Form
      title={i18n._("Second factor for members")}
      about={i18n._(
        "Members who have none are asked to set one up before anything else. To change this, sign in again with your own second factor.",
      )}
      isBusy={save.isPending}
      error={save.error}
      isChanged={rule !== settings.member_second_factor}
      onSave={mayManage ? () => save.mutate({ member_second_factor: rule }) : null}
    >
      <div className="grid gap-2">
        {RULES.map((each) => {
          const [name, meaning] = ruleInWords(i18n, each)
          return (
            <RadioCard
              key={each}
              group="member-factor"
              name={name}
              meaning={meaning}
              isChosen={rule === each}
              onChoose={() => setRule(each)}
            />
          )
        })}
      </div>
    </Form>
  )
}

function ruleInWords(i18n: I18n, rule: Rule): readonly [string, string] {
  switch (rule) {
    case "REQUIRED_OR_PROVIDER":
      return [
        i18n._("Required, here or at your provider"),
        i18n._("A passkey, an authenticator app, or a second factor that your single sign-on states."),
      ]
    case "REQUIRED":
      return [i18n._("Required here"), i18n._("A passkey or an authenticator app, for everyone.")]
    case "OPTIONAL":
      return [i18n._("Optional"), i18n._("A password alone is enough.")]
  }
}
