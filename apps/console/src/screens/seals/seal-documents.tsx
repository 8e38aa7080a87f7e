import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Stamp, X } from "lucide-react"
import { useCallback, useState } from "react"
import { batchList, orderBatch, type Seal, sealList } from "../../api/seals.ts"
import type { Document } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { DropZone, UploadList } from "../../parts/drop-zone.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { Section } from "../../parts/section.tsx"
import { useUploads } from "../../parts/use-uploads.ts"
import { lowerRight } from "./placement.ts"

/** `documentsPerBatch` of packages/core/src/limits.ts. */
const MOST = 1000
const SHOWN = 8

/** One file to try it out, or a thousand: uploaded first, then sealed by one press. */
export function SealDocuments({ seals }: { readonly seals: readonly Seal[] }) {
  const { i18n } = useLingui()
  const [documents, setDocuments] = useState<readonly Document[]>([])
  const arrived = useCallback(async (document: Document) => {
    setDocuments((all) => [...all, document])
  }, [])
  const { uploads, add, flatten, forget, isBusy } = useUploads(arrived)
  return (
    <Section title={i18n._("Seal documents")}>
      <p className="mb-3 text-(--muted)">
        {i18n._(
          "Drop PDFs here or choose them, up to 1,000 at once. They are sealed when you press the button.",
        )}
      </p>
      <DropZone most={MOST} onFiles={add} />
      <div className="mt-3 grid gap-2 empty:hidden">
        <UploadList uploads={uploads} onForget={forget} onFlatten={flatten} />
        {documents.length > 0 && (
          <Ready
            documents={documents}
            seals={seals}
            isBusy={isBusy}
            onRemove={(id) => setDocuments((all) => all.filter((each) => each.id !== id))}
            onSealed={() => setDocuments([])}
          />
        )}
      </div>
    </Section>
  )
}

type ReadyProps = {
  readonly documents: readonly Document[]
  readonly seals: readonly Seal[]
  readonly isBusy: boolean
  readonly onRemove: (id: string) => void
  readonly onSealed: () => void
}

function Ready({ documents, seals, isBusy, onRemove, onSealed }: ReadyProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [name, setName] = useState("")
  const [isSeen, setSeen] = useState(true)
  const order = useMutation({
    mutationFn: () => {
      const visual = isSeen ? lowerRight(documents) : null
      return orderBatch({
        document_ids: documents.map(({ id }) => id),
        ...(name !== "" && { account_name: name }),
        ...(visual !== null && { visual_signature: visual }),
      })
    },
    onSuccess: async () => {
      announce(i18n._("The documents are being sealed."))
      onSealed()
      await client.invalidateQueries({ queryKey: batchList.queryKey })
      await client.invalidateQueries({ queryKey: sealList.queryKey })
    },
  })
  const usable = seals.filter(({ status }) => status === "ACTIVE")
  return (
    <div className="grid gap-4">
      <Files documents={documents} onRemove={onRemove} />
      {usable.length > 1 && (
        <Labelled label={i18n._("Seal")} className="max-w-sm">
          {(described) => (
            <select
              {...described}
              className="field"
              value={name === "" ? usable[0]?.account_name : name}
              onChange={({ target }) => setName(target.value)}
            >
              {usable.map(({ id, account_name }) => (
                <option key={id} value={account_name}>
                  {account_name}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
      <label className="flex min-h-11 items-center gap-3">
        <input type="checkbox" checked={isSeen} onChange={({ target }) => setSeen(target.checked)} />
        {i18n._("Show the seal on the first page, at the bottom right")}
      </label>
      <Wrong error={order.error} />
      <div>
        <Button look="main" busy={order.isPending || isBusy} onClick={() => order.mutate()}>
          <Stamp aria-hidden="true" size={18} />
          {i18n._("{count, plural, one {Seal # document} other {Seal # documents}}", {
            count: documents.length,
          })}
        </Button>
      </div>
    </div>
  )
}

type FilesProps = Pick<ReadyProps, "documents" | "onRemove">

function Files({ documents, onRemove }: FilesProps) {
  const { i18n } = useLingui()
  const left = documents.length - SHOWN
  return (
    <ul aria-label={i18n._("Ready to be sealed")} className="grid gap-1">
      {documents.slice(0, SHOWN).map(({ id, title }) => (
        <li key={id} className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{title}</span>
          <Button
            look="icon"
            aria-label={i18n._("Remove {who}", { who: title })}
            onClick={() => onRemove(id)}
          >
            <X aria-hidden="true" size={18} />
          </Button>
        </li>
      ))}
      {left > 0 && (
        <li className="text-(--muted)">
          {i18n._("{count, plural, one {and # more} other {and # more}}", { count: left })}
        </li>
      )}
    </ul>
  )
}
