import { useLingui } from "@lingui/react"
import { Link, useNavigate } from "@tanstack/react-router"
import { api, must } from "../../api/client.ts"
import type { Document } from "../../api/types.ts"
import { FirstDocuments } from "../../parts/first-documents.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { TemplateChoice } from "../templates/template-choice.tsx"

/** The first step: PDFs go up, and a draft of the request is made of them at once. */
export function Begin() {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const create = async (documents: readonly Document[], title: string) => {
    const body = { title, documents: documents.map(({ id }) => ({ id })) }
    const { id } = must(await api.POST("/signature-requests", { body })) as { id: string }
    await navigate({ to: "/send/$id", params: { id }, search: { step: "people" }, replace: true })
  }
  return (
    <>
      <ScreenTitle title={i18n._("Send a document")} />
      <p className="-mt-3 mb-6 max-w-2xl text-(--muted)">
        {i18n._("Your work is kept as a draft. Nobody gets an e-mail before you press Send.")}{" "}
        <Link to="/requests" search={{ status_overall: "DRAFT" }} className="link">
          {i18n._("Your drafts")}
        </Link>
      </p>
      <FirstDocuments onDocuments={create}>
        <TemplateChoice />
      </FirstDocuments>
    </>
  )
}
