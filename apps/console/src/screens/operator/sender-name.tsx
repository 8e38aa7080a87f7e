import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { operatorActs } from "../../api/operator.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { focusTitle } from "../../parts/screen-title.tsx"
import { Section } from "../../parts/section.tsx"

type SenderNameProps = { readonly id: string; readonly business: string; readonly name: string }

/** Anybody can call themselves a bank: another name than the registered one is looked at by a person first. */
export function SenderName({ id, business, name }: SenderNameProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const judge = useMutation({
    mutationFn: (verdict: "confirm" | "refuse") => operatorActs.judgeSenderName(id, name, verdict),
    onSuccess: (_, verdict) => {
      focusTitle()
      announce(verdict === "confirm" ? i18n._("The name is confirmed.") : i18n._("The name is refused."))
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["operator"] }),
  })
  return (
    <Section title={i18n._("Sender’s name to confirm")}>
      <p className="mb-1">{i18n._("{business} wants to send its e-mails in this name:", { business })}</p>
      <p className="mb-3 text-lg font-semibold">{name}</p>
      <p className="mb-4 text-sm text-(--muted)">
        {i18n._("Make sure that it is theirs. Until you confirm it, e-mails come from {business}.", {
          business,
        })}
      </p>
      <Wrong error={judge.error} />
      <div className="flex flex-wrap gap-3">
        <Button look="main" busy={judge.isPending} onClick={() => judge.mutate("confirm")}>
          {i18n._("Confirm the name")}
        </Button>
        <Button busy={judge.isPending} onClick={() => judge.mutate("refuse")}>
          {i18n._("Refuse the name")}
        </Button>
      </div>
    </Section>
  )
}
