import { useLingui } from "@lingui/react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { oneDocument } from "../../api/requests.ts"
import { pdfName, saveFile } from "../../api/save-file.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { PagePicture } from "../../parts/page-picture.tsx"
import { saySize } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"

/** The newest version of each document, with all signatures that are there. */
export function Documents({ request }: { readonly request: SignatureRequest }) {
  const { i18n } = useLingui()
  return (
    <Section title={i18n._("Documents")}>
      <ul className="grid gap-4">
        {request.documents.map(({ id, name, version_id }) => (
          <Document
            key={id}
            name={name}
            versionId={version_id}
            isDone={request.status_overall === "SIGNED"}
          />
        ))}
      </ul>
      {request.status_overall !== "DRAFT" && <Protocol request={request} />}
    </Section>
  )
}

/** Who was asked, and what happened, under the seal of the service; the first one takes a moment. */
function Protocol({ request: { id, title } }: { readonly request: SignatureRequest }) {
  const { i18n } = useLingui()
  const name = `${title} – ${i18n._("Signature protocol")}`
  const path = `/signature-requests/${id}/report?lang=${i18n.locale}`
  const save = useMutation({ mutationFn: () => saveFile(path, "application/pdf", pdfName(name)) })
  return (
    <div className="mt-4 flex flex-wrap items-center gap-4 border-t border-(--line) pt-4">
      <div className="min-w-0 grow basis-40">
        <p className="font-semibold">{i18n._("Signature protocol")}</p>
        <p className="text-sm text-(--muted)">
          {i18n._("Who was asked and what happened, step by step, as a sealed PDF.")}
        </p>
        <Wrong error={save.error} />
      </div>
      <Button
        look="quiet"
        busy={save.isPending}
        onClick={() => save.mutate()}
        aria-label={i18n._("Download {name}", { name: i18n._("Signature protocol") })}
      >
        <Download aria-hidden="true" size={18} />
        {i18n._("Download")}
      </Button>
    </div>
  )
}

type DocumentProps = { readonly name: string; readonly versionId: string; readonly isDone: boolean }

function Document({ name, versionId, isDone }: DocumentProps) {
  const { i18n } = useLingui()
  const { data, isPending, isError } = useQuery(oneDocument(versionId))
  const save = useMutation({
    mutationFn: () => saveFile(`/documents/${versionId}/content`, "application/pdf", pdfName(name)),
  })
  // Who may read a request is not always who may read its documents: each has lists of its own.
  if (isError)
    return (
      <li>
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-(--muted)">{i18n._("You may not see this document.")}</p>
      </li>
    )
  const ratio = data === undefined ? 595 / 842 : data.page_width / data.page_height
  return (
    <li className="flex flex-wrap items-center gap-4">
      <div className="page w-16 shrink-0" aria-hidden="true">
        {isPending ? null : <PagePicture documentId={versionId} page={0} scale={20} alt="" ratio={ratio} />}
      </div>
      <div className="min-w-0 grow basis-40">
        <p className="font-semibold">{name}</p>
        {data && (
          <p className="text-sm text-(--muted)">
            {i18n._("{count, plural, one {# page} other {# pages}}", { count: data.page_count })}
            {" · "}
            {saySize(i18n, data.size)}
            {data.pdf_a !== undefined && ` · ${data.pdf_a}`}
          </p>
        )}
        <Wrong error={save.error} />
      </div>
      <Button
        look={isDone ? "main" : "quiet"}
        busy={save.isPending}
        onClick={() => save.mutate()}
        aria-label={i18n._("Download {name}", { name })}
      >
        <Download aria-hidden="true" size={18} />
        {i18n._("Download")}
      </Button>
    </li>
  )
}
