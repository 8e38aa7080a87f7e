import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { LayoutTemplate } from "lucide-react"
import { type FormEvent, useState } from "react"
import { templateActs, templateList } from "../../api/templates.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { Sheet } from "../../parts/sheet.tsx"
import { SubmitOrBack } from "../../parts/submit-or-back.tsx"
import { MAX_LABEL, MAX_NAME, suggestedLabels, templateOf } from "./template-model.ts"

type SaveAsTemplateProps = {
  readonly request: SignatureRequest
  readonly look?: "quiet" | "bare"
  /** Saves what is not saved yet, where the request is being prepared. */
  readonly before?: () => Promise<boolean>
}

/** From something that was sent, or is about to be, to something that can be sent again. */
export function SaveAsTemplate({ request, look = "quiet", before }: SaveAsTemplateProps) {
  const { i18n } = useLingui()
  const [isAsking, setAsking] = useState(false)
  const press = async () => {
    if (before === undefined || (await before())) setAsking(true)
  }
  return (
    <>
      <Button look={look} onClick={press}>
        <LayoutTemplate aria-hidden="true" size={18} />
        {i18n._("Save as a template")}
      </Button>
      {isAsking && <SaveSheet request={request} onClose={() => setAsking(false)} />}
    </>
  )
}

type SaveSheetProps = { readonly request: SignatureRequest; readonly onClose: () => void }

function SaveSheet({ request, onClose }: SaveSheetProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState(request.title.slice(0, MAX_NAME))
  const [people, setPeople] = useState(() =>
    suggestedLabels(request).map((each) => ({ ...each, isKept: false })),
  )
  const [isTried, setTried] = useState(false)
  const isDouble = new Set(people.map(({ label }) => label.trim().toLowerCase())).size < people.length
  const isWhole = name.trim() !== "" && people.every(({ label }) => label.trim() !== "") && !isDouble
  const save = useMutation({
    mutationFn: () => templateActs.create(templateOf(request, name, people)),
    onSuccess: async ({ id }) => {
      announce(i18n._("The template was created."))
      await client.invalidateQueries(templateList)
      await navigate({ to: "/templates/$id", params: { id } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isWhole && !save.isPending) save.mutate()
  }
  return (
    <Sheet heading={i18n._("Save as a template")} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Wrong
          error={save.error ?? (isTried && isDouble ? i18n._("Two people have the same name.") : null)}
        />
        <Labelled
          label={i18n._("Name of the template")}
          error={isTried && name.trim() === "" ? i18n._("Please give it a name.") : null}
        >
          {(described) => (
            <input
              {...described}
              className="field"
              maxLength={MAX_NAME}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Labelled>
        {people.length > 0 && (
          <p className="mt-5 text-sm text-(--muted)">
            {i18n._(
              "Write a role such as “Tenant” instead of a name. Who it is, you say each time you use the template.",
            )}
          </p>
        )}
        {people.map((person, index) => (
          <div key={person.email || index} className="mt-3">
            <Labelled label={person.email || i18n._("Person {number}", { number: index + 1 })}>
              {(described) => (
                <input
                  {...described}
                  className="field"
                  maxLength={MAX_LABEL}
                  value={person.label}
                  onChange={({ target }) => setPeople(people.with(index, { ...person, label: target.value }))}
                />
              )}
            </Labelled>
            {person.email !== "" && (
              <label className="flex min-h-11 items-center gap-3 text-sm">
                <input
                  type="checkbox"
                  className="check"
                  checked={person.isKept}
                  onChange={({ target }) =>
                    setPeople(people.with(index, { ...person, isKept: target.checked }))
                  }
                />
                {i18n._("It is always this person")}
              </label>
            )}
          </div>
        ))}
        <SubmitOrBack busy={save.isPending}>{i18n._("Save the template")}</SubmitOrBack>
      </form>
    </Sheet>
  )
}
