import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { useCallback, useRef, useState } from "react"
import type { Document } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { DropZone, UploadList } from "../../parts/drop-zone.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { useUploads } from "../../parts/use-uploads.ts"
import { templateActs, templateList } from "./template-api.ts"

/** PDFs go up, and a template is made of them, to be completed where it is edited. */
export function NewTemplate() {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const navigate = useNavigate()
  const arrived = useRef<Document[]>([])
  const [refused, setRefused] = useState(false)
  const keep = useCallback(async (document: Document) => void arrived.current.push(document), [])
  const { uploads, add, forget, isBusy } = useUploads(keep)
  const create = useMutation({
    mutationFn: (documents: readonly Document[]) => {
      const title = (documents[0]?.title ?? "").replace(/\.pdf$/i, "")
      return templateActs.create({
        name: title.slice(0, 100),
        request: { title, signatures: [{ label: i18n._("Signer") }] },
        document_ids: documents.map(({ id }) => id),
      })
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries(templateList)
      await navigate({ to: "/templates/$id", params: { id }, replace: true })
    },
  })
  const take = async (files: readonly File[]) => {
    const before = arrived.current.length
    await add(files)
    if (arrived.current.length === before + files.length) create.mutate(arrived.current)
    else setRefused(true)
  }
  const count = arrived.current.length
  return (
    <>
      <Link to="/templates" className="button button-bare -ml-3 mb-1">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All templates")}
      </Link>
      <ScreenTitle title={i18n._("New template")} />
      <p className="-mt-3 mb-6 max-w-2xl text-(--muted)">
        {i18n._("Begin with what is to be signed. Then you say who signs it, and where.")}
      </p>
      <Wrong error={create.error} />
      {uploads.length === 0 && !create.isPending && count === 0 && <DropZone isLarge onFiles={take} />}
      <UploadList uploads={uploads} onForget={forget} />
      {refused && !isBusy && (
        <div className="mt-4 grid gap-4">
          <DropZone onFiles={take} />
          {count > 0 && (
            <Button look="main" busy={create.isPending} onClick={() => create.mutate(arrived.current)}>
              {i18n._("{count, plural, one {Continue with # document} other {Continue with # documents}}", {
                count,
              })}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
