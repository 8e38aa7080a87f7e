import { useLingui } from "@lingui/react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { FileText, LayoutTemplate, Plus, Send, Trash2, Users } from "lucide-react"
import { useState } from "react"
import { type Template, templateActs, templateList } from "../../api/templates.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { sayAgo } from "../../parts/said.ts"
import { focusTitle, ScreenTitle } from "../../parts/screen-title.tsx"
import { managesBusiness } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { UseSheet } from "./use-sheet.tsx"

/** What is sent often: prepared once, with its documents, its places and who signs in which order. */
export function Templates() {
  const { i18n } = useLingui()
  const list = useQuery(templateList)
  const [used, setUsed] = useState<Template | null>(null)
  const [removed, setRemoved] = useState<Template | null>(null)
  const add = (
    <Link to="/templates/new" className="button button-main">
      <Plus aria-hidden="true" size={18} />
      {i18n._("New template")}
    </Link>
  )
  return (
    <>
      <ScreenTitle title={i18n._("Templates")}>
        {list.data !== undefined && list.data.length > 0 && add}
      </ScreenTitle>
      <p className="-mt-3 mb-5 max-w-2xl text-(--muted)">
        {i18n._(
          "For what you send often: the documents, the signers and their fields are ready, and only the people are new.",
        )}
      </p>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && (
        <Nothing title={i18n._("No template yet")}>
          <p className="mb-5">
            {i18n._("Begin with a PDF here, or open a request and press “Save as a template”.")}
          </p>
          {add}
        </Nothing>
      )}
      <ul className="grid gap-4 sm:grid-cols-2">
        {list.data?.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            onUse={() => setUsed(template)}
            onRemove={() => setRemoved(template)}
          />
        ))}
      </ul>
      {used && <UseSheet template={used} onClose={() => setUsed(null)} />}
      {removed && <RemoveSheet template={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

type TemplateCardProps = {
  readonly template: Template
  readonly onUse: () => void
  readonly onRemove: () => void
}

function TemplateCard({ template, onUse, onRemove }: TemplateCardProps) {
  const { i18n } = useLingui()
  const { account, membership } = useSession()
  const { id, name, created_by: by, updated_at: at, document_ids: documents, request } = template
  const mayChange = by === account.email || managesBusiness(membership.role)
  return (
    <li className="card flex flex-col p-5">
      <div className="mb-3 flex items-start gap-3">
        <span
          aria-hidden="true"
          className="grid size-10 shrink-0 place-items-center rounded-xl bg-(--accent-soft) text-(--accent)"
        >
          <LayoutTemplate size={20} />
        </span>
        <div className="min-w-0">
          <h2 className="display text-lg">{name}</h2>
          <p className="text-sm text-(--muted)">
            {by} · {sayAgo(i18n, at)}
          </p>
        </div>
      </div>
      <dl className="mb-4 grid gap-1.5 text-sm">
        <div className="flex items-start gap-2">
          <dt>
            <FileText aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-(--muted)" />
            <span className="sr-only">{i18n._("Documents")}</span>
          </dt>
          <dd>
            {i18n._("{count, plural, one {# document} other {# documents}}", { count: documents.length })}
          </dd>
        </div>
        <div className="flex items-start gap-2">
          <dt>
            <Users aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-(--muted)" />
            <span className="sr-only">{i18n._("Who signs")}</span>
          </dt>
          <dd>
            {request.signatures.length === 0
              ? i18n._("No signers yet")
              : request.signatures.map(({ label }) => label).join(", ")}
          </dd>
        </div>
      </dl>
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <Button look="main" aria-label={i18n._("Use {name}", { name })} onClick={onUse}>
          <Send aria-hidden="true" size={18} />
          {i18n._("Use")}
        </Button>
        <Link to="/templates/$id" params={{ id }} className="button button-quiet">
          {mayChange ? i18n._("Edit") : i18n._("Look at it")}
          <span className="sr-only"> {name}</span>
        </Link>
        {mayChange && (
          <Button
            look="icon"
            className="ml-auto"
            aria-label={i18n._("Delete {name}", { name })}
            title={i18n._("Delete")}
            onClick={onRemove}
          >
            <Trash2 aria-hidden="true" size={18} />
          </Button>
        )}
      </div>
    </li>
  )
}

function RemoveSheet({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const { id, name } = template
  return (
    <ConfirmSheet
      heading={i18n._("Delete “{name}”?", { name })}
      act={i18n._("Delete the template")}
      onConfirm={() => templateActs.remove(id)}
      onDone={() => {
        focusTitle()
        announce(i18n._("The template was deleted."))
        client.invalidateQueries(templateList)
      }}
      onClose={onClose}
    >
      <p>{i18n._("Requests that were made with it stay as they are.")}</p>
    </ConfirmSheet>
  )
}
