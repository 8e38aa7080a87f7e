import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { pdfName, saveFile } from "../../api/save-file.ts"
import { batchList, cancelBatch, type SealBatch, type WholeSealBatch, wholeBatch } from "../../api/seals.ts"
import { Badge } from "../../parts/badge.tsx"
import { Button } from "../../parts/button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { sayAgo, sayTime } from "../../parts/said.ts"

/** One batch: how far, what came of it, and its documents for whoever wants them. */
export function BatchRow({ batch }: { readonly batch: SealBatch }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const documents = useId()
  const { id, status, total, waiting, account_name, created_at } = batch
  const cancel = useMutation({
    mutationFn: () => cancelBatch(id),
    onSuccess: () => client.invalidateQueries({ queryKey: batchList.queryKey }),
  })
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-48 flex-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
            {i18n._("{count, plural, one {# document} other {# documents}}", { count: total })}
            <StatusBadge batch={batch} />
          </p>
          <p className="text-sm break-words text-(--muted)">
            {account_name}
            {" · "}
            <time dateTime={created_at} title={sayTime(i18n, created_at)}>
              {sayAgo(i18n, created_at)}
            </time>
            {status !== "RUNNING" && ` · ${sayResult(i18n, batch)}`}
          </p>
        </div>
        {status === "RUNNING" && (
          <Button look="bare" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {i18n._("Cancel")}
          </Button>
        )}
        <Button aria-expanded={isOpen} aria-controls={documents} onClick={() => setOpen(!isOpen)}>
          {isOpen ? i18n._("Hide the documents") : i18n._("Show the documents")}
        </Button>
      </div>
      <Wrong error={cancel.error} />
      {status === "RUNNING" && (
        <progress
          className="upload mt-2"
          aria-label={i18n._("{done} of {total} sealed", { done: total - waiting, total })}
          max={total}
          value={total - waiting}
        />
      )}
      <div id={documents}>{isOpen && <BatchDocuments id={id} />}</div>
    </li>
  )
}

function StatusBadge({ batch: { status, failed, waiting, total } }: { readonly batch: SealBatch }) {
  const { i18n } = useLingui()
  if (status === "RUNNING")
    return <Badge look="accent">{i18n._("{done} of {total} sealed", { done: total - waiting, total })}</Badge>
  if (status === "CANCELLED") return <Badge look="quiet">{i18n._("Cancelled")}</Badge>
  return failed > 0 ? (
    <Badge look="bad">
      {i18n._("{count, plural, one {# could not be sealed} other {# could not be sealed}}", {
        count: failed,
      })}
    </Badge>
  ) : (
    <Badge look="good">{i18n._("Sealed")}</Badge>
  )
}

const sayResult = (i18n: I18n, { sealed, total }: SealBatch): string =>
  i18n._("{done} of {total} sealed", { done: sealed, total })

function BatchDocuments({ id }: { readonly id: string }) {
  const whole = useQuery(wholeBatch(id))
  return (
    <div className="mt-3">
      <Wrong error={whole.error} />
      {whole.isPending && <Loading />}
      <ol className="grid max-h-96 gap-1 overflow-y-auto">
        {whole.data?.documents.map((one, index) => (
          <BatchDocument key={one.document_id} document={one} number={index + 1} />
        ))}
      </ol>
    </div>
  )
}

type BatchDocumentProps = {
  readonly document: WholeSealBatch["documents"][number]
  readonly number: number
}

function BatchDocument({ document, number }: BatchDocumentProps) {
  const { i18n } = useLingui()
  const { status, sealed_document_id: sealedId, message, title } = document
  const name = title ?? i18n._("Document {number}", { number })
  const save = useMutation({
    mutationFn: (of: string) => saveFile(`/documents/${of}/content`, "application/pdf", pdfName(name)),
  })
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3">
      <span className="min-w-0 font-semibold break-words">{name}</span>
      {sealedId !== undefined && (
        <Button
          look="bare"
          busy={save.isPending}
          aria-label={`${i18n._("Download")}: ${name}`}
          onClick={() => save.mutate(sealedId)}
        >
          {i18n._("Download")}
        </Button>
      )}
      {status === "WAITING" && <span className="text-(--muted)">{i18n._("Waits")}</span>}
      {status === "CANCELLED" && <span className="text-(--muted)">{i18n._("Cancelled")}</span>}
      {status === "FAILED" && <span className="text-(--danger)">{message}</span>}
      <Wrong error={save.error} />
    </li>
  )
}
