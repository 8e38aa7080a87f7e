import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Ban, RotateCcw } from "lucide-react"
import { useState } from "react"
import type { ApiKey } from "../../api/keys.ts"
import { announce } from "../../parts/announce.tsx"
import { Badge } from "../../parts/badge.tsx"
import { Button } from "../../parts/button.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import { CopyButton } from "../../parts/copy-button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { sayAgo, sayTime } from "../../parts/said.ts"
import { focusTitle } from "../../parts/screen-title.tsx"
import { Section } from "../../parts/section.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"
import { type BusinessAnswer, operatorActs } from "./operator-api.ts"

type Asked = { readonly key: ApiKey; readonly act: "reset" | "revoke" }

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
          <KeyLine key={key.id} of={key} onAct={(act) => setAsked({ key, act })} />
        ))}
      </ul>
      {asked?.act === "reset" && (
        <ResetSheet business={business} of={asked.key} onReset={renew} onClose={close} />
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
          <p>{i18n._("Programs that use it are locked out within seconds. This cannot be taken back.")}</p>
        </ConfirmSheet>
      )}
    </Section>
  )
}

type KeyLineProps = { readonly of: ApiKey; readonly onAct: (act: Asked["act"]) => void }

function KeyLine({ of: key, onAct }: KeyLineProps) {
  const { i18n } = useLingui()
  const { name } = key
  return (
    <li className="grid gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {key.kind === "demo" ? (
            <Badge look="test">{i18n._("Test")}</Badge>
          ) : (
            <Badge look="accent">{i18n._("Production")}</Badge>
          )}
          {key.revoked_at !== undefined && <Badge look="bad">{i18n._("Revoked")}</Badge>}
        </p>
        <p className="text-sm text-(--muted)">
          {i18n._("API user {username}", { username: key.username })}
          {" · "}
          <code>…{key.hint}</code>
          {" · "}
          {key.last_used_at === undefined
            ? i18n._("Never used")
            : i18n._("Last used {when}", { when: sayAgo(i18n, key.last_used_at) })}
          {" · "}
          {i18n._("until {day}", { day: sayTime(i18n, key.expires_at) })}
        </p>
      </div>
      {key.revoked_at === undefined && (
        <div className="-ml-3 flex flex-wrap md:ml-0">
          <Button look="bare" onClick={() => onAct("reset")}>
            <RotateCcw aria-hidden="true" size={17} />
            {i18n._("Reset")}
            <span className="sr-only"> {name}</span>
          </Button>
          <Button look="bare" onClick={() => onAct("revoke")}>
            <Ban aria-hidden="true" size={17} />
            {i18n._("Revoke")}
            <span className="sr-only"> {name}</span>
          </Button>
        </div>
      )}
    </li>
  )
}

type ResetSheetProps = {
  readonly business: BusinessAnswer
  readonly of: ApiKey
  readonly onReset: () => unknown
  readonly onClose: () => void
}

function ResetSheet({ business, of: key, onReset, onClose }: ResetSheetProps) {
  const { i18n } = useLingui()
  const reset = useMutation({
    mutationFn: () => operatorActs.resetKey(business.id, key.id),
    onSuccess: onReset,
  })
  if (reset.data !== undefined)
    return (
      <Sheet heading={i18n._("The new API key")} isSticky onClose={onClose}>
        <p className="mb-4 rounded-xl bg-(--warn-soft) px-4 py-3 font-semibold text-(--warn)" role="alert">
          {i18n._("It is shown this once. Hand it to {business} by a way that nobody else reads.", {
            business: business.name,
          })}
        </p>
        <code className="code block break-all whitespace-normal" data-testid="secret">
          {reset.data.api_key}
        </code>
        <SheetActions>
          <Button look="main" onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>
            {i18n._("I have kept it")}
          </Button>
          <CopyButton text={reset.data.api_key} label={i18n._("Copy the key")} />
        </SheetActions>
      </Sheet>
    )
  return (
    <Sheet heading={i18n._("Reset “{name}”?", { name: key.name })} onClose={onClose}>
      <p className="mb-4">
        {i18n._(
          "The key that {business} uses now is dead within seconds, and so are all tokens that were fetched with it. Its programs are locked out until they have the new one.",
          { business: business.name },
        )}
      </p>
      <Wrong error={reset.error} />
      <SheetActions>
        <Button look="danger" busy={reset.isPending} onClick={() => reset.mutate()}>
          {i18n._("Reset the key")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}
