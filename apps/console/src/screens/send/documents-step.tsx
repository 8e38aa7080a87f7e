import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Trash2 } from "lucide-react"
import { useCallback } from "react"
import { api, must } from "../../api/client.ts"
import { keepRequest, oneDocument } from "../../api/requests.ts"
import type { Document, SignatureRequest } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { DropZone, UploadList } from "../../parts/drop-zone.tsx"
import { Flattened } from "../../parts/flattened.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { PagePicture } from "../../parts/page-picture.tsx"
import { saySize } from "../../parts/said.ts"
import { useUploads } from "../../parts/use-uploads.ts"
import type { Keeping } from "./use-draft.ts"

type DocumentsStepProps = { readonly request: SignatureRequest; readonly keeping: Keeping }

export function DocumentsStep({ request, keeping }: DocumentsStepProps) {
  const { i18n } = useLingui()
  const { id, documents } = request
  const client = useQueryClient()
  const { draft, change } = keeping
  const addDocument = useCallback(
    async (document: Document) => {
      const body = { document_id: document.id }
      keepRequest(
        client,
        must(await api.POST("/signature-requests/{id}/documents", { params: { path: { id } }, body })),
      )
    },
    [client, id],
  )
  const { uploads, add, flatten, forget } = useUploads(addDocument)
  const remove = useMutation({
    mutationFn: async (document_id: string) =>
      must(
        await api.DELETE("/signature-requests/{id}/documents/{document_id}", {
          params: { path: { id, document_id } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ["request", id] }),
  })
  return (
    <div className="grid gap-5">
      <div className="card p-5">
        <Labelled label={i18n._("Title")} hint={i18n._("Signers see it in their e-mail.")}>
          {(described) => (
            <input
              {...described}
              className="field"
              maxLength={200}
              value={draft.title}
              onChange={({ target }) => change((before) => ({ ...before, title: target.value }))}
            />
          )}
        </Labelled>
      </div>
      <Wrong error={remove.error} />
      <ul className="grid gap-3 sm:grid-cols-2">
        {documents.map((document) => (
          <DocumentCard
            key={document.id}
            id={document.id}
            name={document.name}
            {...(documents.length > 1 && { onRemove: () => remove.mutate(document.id) })}
          />
        ))}
      </ul>
      <UploadList uploads={uploads} onForget={forget} onFlatten={flatten} />
      <DropZone onFiles={add} />
    </div>
  )
}

type DocumentCardProps = { readonly id: string; readonly name: string; readonly onRemove?: () => void }

function DocumentCard({ id, name, onRemove }: DocumentCardProps) {
  const { i18n } = useLingui()
  const { data } = useQuery(oneDocument(id))
  const ratio = data === undefined ? 595 / 842 : data.page_width / data.page_height
  return (
    <li className="card flex items-center gap-4 p-4">
      <div className="page w-16 shrink-0" aria-hidden="true">
        <PagePicture documentId={id} page={0} scale={20} alt="" ratio={ratio} />
      </div>
      <div className="min-w-0 grow">
        <p className="font-semibold">{name}</p>
        {data && (
          <p className="text-sm text-(--muted)">
            {i18n._("{count, plural, one {# page} other {# pages}}", { count: data.page_count })}
            {" · "}
            {saySize(i18n, data.size)}
          </p>
        )}
        {data?.flattened && <Flattened changes={data.flattened.changes} />}
      </div>
      {onRemove && (
        <Button look="icon" aria-label={i18n._("Remove {who}", { who: name })} onClick={onRemove}>
          <Trash2 aria-hidden="true" size={18} />
        </Button>
      )}
    </li>
  )
}
