import { useLingui } from "@lingui/react"
import { FileUp, X } from "lucide-react"
import { type DragEvent, useRef, useState } from "react"
import { detailsOf, explain, flattenable, isGoneInPrint } from "../api/problem.ts"
import { Button } from "./button.tsx"
import type { Upload } from "./use-uploads.ts"

type DropZoneProps = {
  readonly onFiles: (files: readonly File[]) => void
  readonly isLarge?: boolean
  readonly isSingle?: boolean
  /** How many are taken at once; a request has 50 documents. */
  readonly most?: number
  /** What is taken, and how large it may be; large zones say so. */
  readonly about?: string
}

/** PDFs by dropping or choosing; whatever else is dropped is left to the service to refuse in words. */
export function DropZone({ onFiles, isLarge = false, isSingle = false, most = 50, about }: DropZoneProps) {
  const { i18n } = useLingui()
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => {
    if (files !== null && files.length > 0) onFiles([...files].slice(0, isSingle ? 1 : most))
  }
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(is)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys press that button, whose click arrives here
    <div
      className={`drop grid place-items-center gap-3 px-6 text-center ${isLarge ? "py-14 sm:py-20" : "py-6"}`}
      data-over={isOver}
      onDragEnter={over(true)}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      // All of it opens the picker; what the picker itself presses is none of ours.
      onClick={({ target }) => target !== input.current && input.current?.click()}
      onDrop={(event) => {
        over(false)(event)
        take(event.dataTransfer.files)
      }}
    >
      {isLarge && <FileUp aria-hidden="true" size={44} strokeWidth={1.25} className="text-(--accent)" />}
      {isLarge && (
        <p className="display text-xl">
          {isSingle ? i18n._("Drop a PDF here") : i18n._("Drop your PDFs here")}
        </p>
      )}
      <Button look={isLarge ? "main" : "quiet"}>
        {isSingle ? i18n._("Choose a file") : i18n._("Choose files")}
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/pdf,.pdf"
        multiple={!isSingle}
        hidden
        onChange={({ target }) => {
          take(target.files)
          target.value = ""
        }}
      />
      {isLarge && <p className="text-sm text-(--muted)">{about ?? i18n._("PDF, up to 112 MB each")}</p>}
    </div>
  )
}

type UploadListProps = {
  readonly uploads: readonly Upload[]
  readonly onForget: (key: string) => void
  readonly onFlatten?: (upload: Upload) => void
}

export function UploadList({ uploads, onForget, onFlatten }: UploadListProps) {
  const { i18n } = useLingui()
  return (
    <ul className="grid gap-2 empty:hidden">
      {uploads.map((upload) => (
        <li key={upload.key} className="card flex items-center gap-3 px-4 py-3">
          <div className="min-w-0 grow">
            <p className="truncate font-semibold">{upload.name}</p>
            {upload.error === null ? (
              <>
                <progress className="upload" aria-label={upload.name} max={1} value={upload.share} />
                <p className="text-sm text-(--muted)">
                  {upload.share < 1 ? i18n._("Uploading …") : i18n._("Being checked …")}
                </p>
              </>
            ) : (
              <Refused upload={upload} onFlatten={onFlatten} />
            )}
          </div>
          {upload.error !== null && (
            <Button
              look="icon"
              aria-label={i18n._("Remove {who}", { who: upload.name })}
              onClick={() => onForget(upload.key)}
            >
              <X aria-hidden="true" size={18} />
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

type RefusedProps = { readonly upload: Upload; readonly onFlatten: ((upload: Upload) => void) | undefined }

/** Why a file was refused, what was found in it, and the way out where there is one. */
function Refused({ upload, onFlatten }: RefusedProps) {
  const { i18n } = useLingui()
  const { error, isFlattened = false } = upload
  const found = isFlattened ? null : flattenable(error)
  const details = found ?? detailsOf(error)
  const isOffered = found !== null && onFlatten !== undefined
  return (
    <>
      <p role="alert" className="text-sm font-semibold text-(--danger)">
        {isFlattened && isGoneInPrint(error)
          ? i18n._("We could not remove this without changing what is printed.")
          : explain(i18n, error)}
      </p>
      <div className="mt-2 grid justify-items-start gap-2 text-sm empty:hidden">
        {!isOffered && isGoneInPrint(error) && (
          <p>
            {i18n._(
              "Please open the file, choose Print, save it as a new PDF and upload that one. If the file is signed, ask for a copy without a signature.",
            )}
          </p>
        )}
        {isOffered && (
          <>
            <p>
              {i18n._(
                "We can remove this and keep what is printed. You see every change before you send the document.",
              )}
            </p>
            <Button onClick={() => onFlatten(upload)}>{i18n._("Remove this and upload")}</Button>
          </>
        )}
        {details !== null && (
          <details>
            <summary>{i18n._("Technical details, in English")}</summary>
            <p lang="en" className="mt-1 wrap-anywhere">
              {details}
            </p>
          </details>
        )}
      </div>
    </>
  )
}
