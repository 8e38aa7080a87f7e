import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { keepRequest } from "../../api/requests.ts"
import { type Template, templateActs } from "../../api/templates.ts"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { Sheet } from "../../parts/sheet.tsx"
import { isAddress } from "../../parts/signer-entry.ts"
import { SubmitOrBack } from "../../parts/submit-or-back.tsx"
import { colourOf } from "../send/person-colours.ts"

type UseSheetProps = { readonly template: Template; readonly onClose: () => void }

/** Who it is this time. Then it is a draft like any other, looked over once more before anybody is written to. */
export function UseSheet({ template, onClose }: UseSheetProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { signatures } = template.request
  const [title, setTitle] = useState(template.request.title ?? template.name)
  const [emails, setEmails] = useState(signatures.map(({ account_email }) => account_email ?? ""))
  const [isTried, setTried] = useState(false)
  const use = useMutation({
    mutationFn: () =>
      templateActs.use(template.id, {
        ...(title.trim() !== "" && { title: title.trim() }),
        signatures: signatures.map(({ label }, index) => ({
          label,
          account_email: (emails[index] ?? "").trim(),
        })),
      }),
    onSuccess: async (request) => {
      keepRequest(client, request)
      await navigate({ to: "/send/$id", params: { id: request.id }, search: { step: "review" } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (emails.every(isAddress) && !use.isPending) use.mutate()
  }
  return (
    <Sheet heading={i18n._("Use “{name}”", { name: template.name })} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Wrong error={use.error} />
        <div className="grid gap-4">
          <Labelled label={i18n._("Title")} hint={i18n._("Signers see it in their e-mail.")}>
            {(described) => (
              <input
                {...described}
                className="field"
                maxLength={200}
                value={title}
                onChange={({ target }) => setTitle(target.value)}
              />
            )}
          </Labelled>
          {signatures.map(({ label }, index) => (
            <div key={label} className="flex items-start gap-3">
              <span
                aria-hidden="true"
                className="mt-9 size-4 shrink-0 rounded-full"
                style={{ background: colourOf(index) }}
              />
              <Labelled
                className="min-w-0 grow"
                label={label}
                error={
                  isTried && !isAddress(emails[index] ?? "")
                    ? i18n._("Please type an e-mail address such as ada@example.org.")
                    : null
                }
              >
                {(described) => (
                  <input
                    {...described}
                    type="email"
                    inputMode="email"
                    autoComplete="off"
                    className="field"
                    maxLength={254}
                    placeholder={i18n._("E-mail address")}
                    value={emails[index] ?? ""}
                    onChange={({ target }) => setEmails(emails.with(index, target.value))}
                  />
                )}
              </Labelled>
            </div>
          ))}
        </div>
        <p className="mt-4 text-sm text-(--muted)">
          {i18n._("It becomes a draft. You look it over before anybody is written to.")}
        </p>
        <SubmitOrBack busy={use.isPending}>{i18n._("Continue")}</SubmitOrBack>
      </form>
    </Sheet>
  )
}
