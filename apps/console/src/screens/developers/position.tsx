import { useLingui } from "@lingui/react"
import { useCallback, useEffect, useRef, useState } from "react"
import { api } from "../../api/client.ts"
import type { Document } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { CopyButton } from "../../parts/copy-button.tsx"
import { DropZone, UploadList } from "../../parts/drop-zone.tsx"
import { useUploads } from "../../parts/use-uploads.ts"
import { type Box, positionOf } from "../send/draft.ts"
import { PlacePages } from "../send/place-pages.tsx"

/** Where exactly is that on the page? Drop a PDF, drag a box, copy what the interface wants to hear. */
export function PositionHelper() {
  const { i18n } = useLingui()
  const [document, setDocument] = useState<Document | null>(null)
  const arrived = useRef<Document | null>(null)
  const keep = useCallback(async (uploaded: Document) => {
    arrived.current = uploaded
    setDocument(uploaded)
  }, [])
  const { uploads, add, flatten, forget } = useUploads(keep)
  // It was only lent: it does not stay with the service.
  useEffect(() => () => void drop(arrived.current), [])
  if (document === null)
    return (
      <div className="grid gap-4">
        <p className="max-w-2xl text-(--muted)">
          {i18n._(
            "Drop the PDF that your program sends, put a box where the signature goes, and copy the lines for your request. The file is deleted when you leave.",
          )}
        </p>
        {uploads.length === 0 && <DropZone isLarge isSingle onFiles={add} />}
        <UploadList uploads={uploads} onForget={forget} onFlatten={flatten} />
      </div>
    )
  return (
    <Helper
      document={document}
      onOther={() => {
        drop(document)
        arrived.current = null
        setDocument(null)
      }}
    />
  )
}

const drop = (document: Document | null) =>
  document && api.DELETE("/documents/{id}", { params: { path: { id: document.id } } })

type HelperProps = { readonly document: Document; readonly onOther: () => void }

function Helper({ document, onOther }: HelperProps) {
  const { i18n } = useLingui()
  const [boxes, setBoxes] = useState<readonly Box[]>([])
  const [field, setField] = useState("")
  const called = i18n._("Signature")
  const placed = boxes.map((box, index) => ({ box, person: index, index, called: `${called} ${index + 1}` }))
  const fields = document.signature_fields.filter(({ signed }) => !signed)
  const json = jsonOf(field, boxes)
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="card grid min-w-0 gap-3 p-5 lg:sticky lg:top-6 lg:order-last">
        <div className="flex items-center justify-between gap-1">
          <h2 className="display min-w-0 truncate text-lg">{document.title}</h2>
          <Button look="bare" className="-mr-3 shrink-0" onClick={onOther}>
            {i18n._("Another file")}
          </Button>
        </div>
        {fields.length > 0 && (
          <label className="block">
            <span className="mb-1 block text-sm font-semibold">{i18n._("A field of the PDF")}</span>
            <select className="field" value={field} onChange={({ target }) => setField(target.value)}>
              <option value="">{i18n._("None")}</option>
              {fields.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {json === null ? (
          <p className="text-(--muted)">{i18n._("Press on the page where the signature goes.")}</p>
        ) : (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
            <pre className="code" tabIndex={0}>
              {json}
            </pre>
            <div className="flex flex-wrap gap-2">
              <CopyButton text={json} label={i18n._("Copy JSON")} />
              <CopyButton text={curlOf(document, json)} label={i18n._("Copy curl")} />
            </div>
            <p className="text-sm text-(--muted)">
              {i18n._('Points, from the lower left corner of the page. Pages are counted from "0".')}
            </p>
          </>
        )}
      </div>
      <PlacePages
        document={document}
        placed={field === "" ? placed : []}
        current={{ person: boxes.length, called: `${called} ${boxes.length + 1}` }}
        onPlace={(box) => {
          setField("")
          setBoxes([...boxes, box])
        }}
        onChange={({ index }, box) => setBoxes(boxes.with(index, box))}
        onRemove={({ index }) => setBoxes(boxes.filter((_, each) => each !== index))}
      />
    </div>
  )
}

function jsonOf(field: string, boxes: readonly Box[]): string | null {
  const [first] = boxes
  if (field === "" && first === undefined) return null
  const visual =
    field !== ""
      ? { form_field: field }
      : boxes.length === 1 && first !== undefined
        ? { position: positionOf(first) }
        : { positions: boxes.map(positionOf) }
  return JSON.stringify({ visual_signature: visual }, null, 2)
}

const curlOf = (document: Document, json: string): string =>
  `curl ${location.origin}/v3/signature-requests \\
  -H "authorization: Bearer $TOKEN" -H "content-type: application/json" \\
  -d '${JSON.stringify({
    title: document.title,
    document_id: "DOCUMENT_ID",
    signatures: [{ account_email: "ada@example.org", ...JSON.parse(json) }],
  }).replaceAll("'", "\\u0027")}'`
