import { useLingui } from "@lingui/react"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { templateActs, templateList } from "../../api/templates.ts"
import type { Document } from "../../api/types.ts"
import { FirstDocuments } from "../../parts/first-documents.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"

/** PDFs go up, and a template is made of them, to be completed where it is edited. */
export function NewTemplate() {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = async (documents: readonly Document[], title: string) => {
    const { id } = await templateActs.create({
      name: title.slice(0, 100),
      request: { title, signatures: [{ label: i18n._("Signer") }] },
      document_ids: documents.map((each) => each.id),
    })
    await client.invalidateQueries(templateList)
    await navigate({ to: "/templates/$id", params: { id }, replace: true })
  }
  return (
    <>
      <Link to="/templates" className="button button-bare -ml-3 mb-1">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All templates")}
      </Link>
      <ScreenTitle title={i18n._("New template")} />
      <p className="-mt-3 mb-6 max-w-2xl text-(--muted)">
        {i18n._("Start with the document. Then say who signs it, and where.")}
      </p>
      <FirstDocuments onDocuments={create} />
    </>
  )
}
