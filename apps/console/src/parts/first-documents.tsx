import { useLingui } from "@lingui/react"
import { useMutation } from "@tanstack/react-query"
import { X } from "lucide-react"
import { type ReactNode, useCallback, useRef, useState } from "react"
import type { Document } from "../api/types.ts"
import { Button } from "./button.tsx"
import { DropZone, UploadList } from "./drop-zone.tsx"
import { Flattened } from "./flattened.tsx"
import { Wrong } from "./notice.tsx"
import { useUploads } from "./use-uploads.ts"

type FirstDocumentsProps = {
  /** Makes something of them, under the name of the first, and goes there. */
  readonly onDocuments: (documents: readonly Document[], title: string) => Promise<unknown>
  /** What one can do as long as there are none. */
  readonly children?: ReactNode
}

/** PDFs go up; where all of them arrived, something is made of them at once. */
export function FirstDocuments({ onDocuments, children }: FirstDocumentsProps) {
  const { i18n } = useLingui()
  const arrived = useRef<Document[]>([])
  const [refused, setRefused] = useState(false)
  const [, setLeftOut] = useState(0)
  const keep = useCallback(async (document: Document) => void arrived.current.push(document), [])
  const { uploads, add, flatten, forget, isBusy } = useUploads(keep)
  const create = useMutation({
    mutationFn: (documents: readonly Document[]) => onDocuments(documents, titleOf(documents)),
  })
  const take = async (files: readonly File[]) => {
    const before = arrived.current.length
    await add(files)
    // Where a file was refused somebody has to decide whether to go on without it.
    if (arrived.current.length === before + files.length) create.mutate(arrived.current)
    else setRefused(true)
  }
  const leaveOut = (id: string) => {
    arrived.current = arrived.current.filter((document) => document.id !== id)
    setLeftOut((times) => times + 1)
  }
  const count = arrived.current.length
  return (
    <>
      <Wrong error={create.error} />
      {uploads.length === 0 && !create.isPending && count === 0 && (
        <>
          <DropZone isLarge onFiles={take} />
          {children}
        </>
      )}
      <UploadList uploads={uploads} onForget={forget} onFlatten={flatten} />
      {refused && !isBusy && (uploads.length > 0 || count > 0) && (
        <div className="mt-4 grid gap-4">
          {arrived.current.map(({ id, title, flattened }) => (
            <div key={id} className="card flex items-start gap-3 px-4 py-3">
              <div className="min-w-0 grow">
                <p className="truncate font-semibold">{title}</p>
                {flattened && <Flattened changes={flattened.changes} />}
              </div>
              <Button
                look="icon"
                aria-label={i18n._("Remove {who}", { who: title })}
                onClick={() => leaveOut(id)}
              >
                <X aria-hidden="true" size={18} />
              </Button>
            </div>
          ))}
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

const titleOf = ([first]: readonly Document[]): string => (first?.title ?? "").replace(/\.pdf$/i, "")
