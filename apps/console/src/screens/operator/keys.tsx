import { useLingui } from "@lingui/react"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { ApiKey } from "../../api/keys.ts"
import { type BusinessAnswer, operatorActs } from "../../api/operator.ts"
import { announce } from "../../parts/announce.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import { KeyRow } from "../../parts/key-row.tsx"
import { focusTitle } from "../../parts/screen-title.tsx"
import { Section } from "../../parts/section.tsx"

type Asked = { readonly key: ApiKey; readonly act: (typeof ACTS)[number] }

/** AUTH-14: a key that got into the wrong hands is dead within seconds, whoever finds it out first. */
export function Keys({ business }: { readonly business: BusinessAnswer }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const renew = () => client.invalidateQueries({ queryKey: ["operator"] })
  return (
    <Section title={i18n._("API keys")}>
      {business.keys.length === 0 && <p className="text-(--muted)">{i18n._("There are none.")}</p>}
      <ul className="divide-y divide-(--line)">
        {business.keys.map((key) => (
          <KeyRow
            key={key.id}
            of={key}
            acts={ACTS}
            level="h3"
            className="py-3 first:pt-0 last:pb-0"
            onAct={(act) => setAsked({ key, act })}
          />
        ))}
      </ul>
      {asked?.act === "reset" && (
        <ConfirmSheet
          heading={i18n._("Reset “{name}”?", { name: asked.key.name })}
          act={i18n._("Reset the key")}
          onConfirm={() => operatorActs.resetKey(business.id, asked.key.id)}
          onDone={() => {
            focusTitle()
            announce(
              i18n._("“{name}” no longer works. The owners are told by e-mail.", { name: asked.key.name }),
            )
            renew()
          }}
          onClose={close}
        >
          <p className="mb-3">
            {i18n._(
              "The key that {business} uses now is dead within seconds, and so are all tokens that were fetched with it. Its programs are locked out until they have the new one.",
              { business: business.name },
            )}
          </p>
          <p>
            {i18n._(
              "You do not see the new key. An owner, administrator or developer of the business gets it in the console.",
            )}
          </p>
        </ConfirmSheet>
      )}
      {asked?.act === "revoke" && (
        <ConfirmSheet
          heading={i18n._("Revoke “{name}”?", { name: asked.key.name })}
          act={i18n._("Revoke for good")}
          onConfirm={() => operatorActs.revokeKey(business.id, asked.key.id)}
          onDone={() => {
            focusTitle()
            announce(i18n._("“{name}” was revoked.", { name: asked.key.name }))
            renew()
          }}
          onClose={close}
        >
          <p>{i18n._("Programs that use it are locked out within seconds. This cannot be undone.")}</p>
        </ConfirmSheet>
      )}
    </Section>
  )
}

const ACTS = ["reset", "revoke"] as const
