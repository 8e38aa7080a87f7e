import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { ArrowLeft, Send } from "lucide-react"
import { useState } from "react"
import { oneTemplate, type Template, templateActs, templateList } from "../../api/templates.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { isAddress } from "../../parts/signer-entry.ts"
import { managesBusiness } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { PlacesPart } from "./places-part.tsx"
import { SignersPart } from "./signers-part.tsx"
import { bodyOf, type Editing, editingOf } from "./template-model.ts"
import { TermsPart } from "./terms-part.tsx"
import { UseSheet } from "./use-sheet.tsx"

const route = getRouteApi("/templates/$id")

export function TemplateEditor() {
  const { i18n } = useLingui()
  const { id } = route.useParams()
  const template = useQuery(oneTemplate(id))
  return (
    <>
      <Link to="/templates" className="button button-bare -ml-3 mb-1">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All templates")}
      </Link>
      {template.isPending && <Loading />}
      {!template.data && template.isError && (
        <>
          <ScreenTitle title={i18n._("Template")} />
          <Wrong error={template.error} />
        </>
      )}
      {template.data && <Editor key={template.data.id} template={template.data} />}
    </>
  )
}

function Editor({ template }: { readonly template: Template }) {
  const { i18n } = useLingui()
  const { account, membership } = useSession()
  const mayChange = template.created_by === account.email || managesBusiness(membership.role)
  const [editing, setEditing] = useState(() => editingOf(template))
  const [saved, setSaved] = useState(editing)
  const [isUsing, setUsing] = useState(false)
  const isChanged = editing !== saved
  return (
    <>
      <ScreenTitle title={saved.name}>
        <Button look={isChanged ? "quiet" : "main"} onClick={() => setUsing(true)}>
          <Send aria-hidden="true" size={18} />
          {i18n._("Use")}
        </Button>
      </ScreenTitle>
      {!mayChange && (
        <p className="-mt-2 mb-5 text-(--muted)">
          {i18n._("{who} made this template. You can use it, but not change it.", {
            who: template.created_by,
          })}
        </p>
      )}
      <fieldset disabled={!mayChange} className="grid min-w-0 gap-5">
        <legend className="sr-only">{saved.name}</legend>
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <TermsPart editing={editing} onChange={setEditing} />
          <SignersPart editing={editing} mayChange={mayChange} onChange={setEditing} />
        </div>
        <PlacesPart editing={editing} onChange={setEditing} />
      </fieldset>
      {mayChange && (
        <SaveBar
          template={template}
          editing={editing}
          isChanged={isChanged}
          onSaved={() => setSaved(editing)}
        />
      )}
      {isUsing && <UseSheet template={template} onClose={() => setUsing(false)} />}
    </>
  )
}

type SaveBarProps = {
  readonly template: Template
  readonly editing: Editing
  readonly isChanged: boolean
  readonly onSaved: () => void
}

/** One button for the whole, where it is found on every template. */
function SaveBar({ template: { id }, editing, isChanged, onSaved }: SaveBarProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [isTried, setTried] = useState(false)
  const wrong = wrongIn(editing)
  const save = useMutation({
    mutationFn: () => templateActs.change(id, bodyOf(editing)),
    onSuccess: async (changed) => {
      client.setQueryData(oneTemplate(id).queryKey, changed)
      onSaved()
      announce(i18n._("Saved."))
      await client.invalidateQueries({ queryKey: templateList.queryKey, exact: true })
    },
  })
  const words = {
    name: i18n._("Please give the template a name."),
    label: i18n._("Please give each signer a role."),
    double: i18n._("Two signers have the same role. Please tell them apart."),
    email: i18n._("Please type an e-mail address such as ada@example.org."),
    days: i18n._("The time to sign is between 1 and 184 days."),
  }
  const press = () => {
    setTried(true)
    if (wrong === null && isChanged) save.mutate()
  }
  return (
    <div className="sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-20 -mx-4 mt-6 border-t border-(--line) bg-(--paper) px-4 pt-3 pb-4 sm:-mx-8 sm:px-8 lg:bottom-0">
      <Wrong error={save.error ?? (isTried && wrong !== null ? words[wrong] : null)} />
      <div className="flex items-center justify-end gap-3">
        <p role="status" className="text-sm text-(--muted)">
          {isChanged && i18n._("Not saved yet")}
        </p>
        <Button
          look={isChanged ? "main" : "quiet"}
          className={`min-w-36 ${isChanged ? "" : "!cursor-default"}`}
          busy={save.isPending}
          {...(!isChanged && { "aria-disabled": true })}
          onClick={press}
        >
          {i18n._("Save")}
        </Button>
      </div>
    </div>
  )
}

const MAX_DAYS = 184

function wrongIn({ name, signers, expiresInDays }: Editing) {
  const days = Number(expiresInDays)
  if (name.trim() === "") return "name"
  if (signers.some(({ label }) => label.trim() === "")) return "label"
  if (new Set(signers.map(({ label }) => label.trim().toLowerCase())).size < signers.length) return "double"
  if (signers.some(({ email }) => email.trim() !== "" && !isAddress(email))) return "email"
  if (expiresInDays !== "" && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)) return "days"
  return null
}
