import { useLingui } from "@lingui/react"
import { useMutation } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useCallback, useRef, useState } from "react"
import { api, must } from "../../api/client.ts"
import type { Document } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { DropZone, UploadList } from "../../parts/drop-zone.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { useUploads } from "../../parts/use-uploads.ts"
import { TemplateChoice } from "../templates/template-choice.tsx"

/** The first step: PDFs go up, and a draft of the request is made of them at once. */
export function Begin() {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const arrived = useRef<Document[]>([])
  const [refused, setRefused] = useState(false)
  const create = useMutation({
    mutationFn: createDraft,
    onSuccess: ({ id }) =>
      navigate({ to: "/send/$id", params: { id }, search: { step: "people" }, replace: true }),
  })
  const keep = useCallback(async (document: Document) => void arrived.current.push(document), [])
  const { uploads, add, forget, isBusy } = useUploads(keep)
  const take = async (files: readonly File[]) => {
    const before = arrived.current.length
    await add(files)
    // Where a file was refused somebody has to decide whether to go on without it.
    if (arrived.current.length === before + files.length) create.mutate(arrived.current)
    else setRefused(true)
  }
  const count = arrived.current.length
  return (
    <>
      <ScreenTitle title={i18n._("Send a document")} />
      <p className="-mt-3 mb-6 max-w-2xl text-(--muted)">
        {i18n._(
          "Everything is kept as a draft while you prepare it. Nobody is written to before you press Send.",
        )}{" "}
        <Link to="/requests" search={{ status_overall: "DRAFT" }} className="link">
          {i18n._("Your drafts")}
        </Link>
      </p>
      <Wrong error={create.error} />
      {uploads.length === 0 && !create.isPending && count === 0 && (
        <>
          <DropZone isLarge onFiles={take} />
          <TemplateChoice />
        </>
      )}
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

async function createDraft(documents: readonly Document[]) {
  const title = (documents[0]?.title ?? "").replace(/\.pdf$/i, "")
  const body = { title, documents: documents.map(({ id }) => ({ id })) }
  return must(await api.POST("/signature-requests", { body })) as { id: string }
}
