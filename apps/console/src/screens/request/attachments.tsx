import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Paperclip, X } from "lucide-react"
import { useRef } from "react"
import { api, must } from "../../api/client.ts"
import { saveFile } from "../../api/save-file.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { Section } from "../../parts/section.tsx"

type AttachmentsProps = { readonly request: SignatureRequest; readonly mayChange: boolean }

/** What signers read beside the documents, and do not sign. */
export function Attachments({ request, mayChange }: AttachmentsProps) {
  const { i18n } = useLingui()
  const { id } = request
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const onSuccess = () => client.invalidateQueries({ queryKey: ["request", id] })
  const add = useMutation({ mutationFn: (file: File) => attach(id, file), onSuccess })
  const remove = useMutation({
    mutationFn: async (attachment_id: string) =>
      must(
        await api.DELETE("/signature-requests/{id}/attachments/{attachment_id}", {
          params: { path: { id, attachment_id } },
        }),
      ),
    onSuccess,
  })
  const mayAdd = mayChange && (request.status_overall === "OPEN" || request.status_overall === "DRAFT")
  return (
    <Section title={i18n._("Attachments")}>
      <p className="-mt-2 mb-3 text-sm text-(--muted)">
        {i18n._("Signers read them, and do not sign them.")}
      </p>
      <ul>
        {request.attachments.map(({ attachment_id, filename }) => (
          <li key={attachment_id} className="flex items-center justify-between gap-2">
            <button
              type="button"
              className="link min-h-11 min-w-0 text-left"
              onClick={() =>
                saveFile(`/signature-requests/${id}/attachments/${attachment_id}/content`, "*/*", filename)
              }
            >
              {filename}
            </button>
            {mayAdd && (
              <Button
                look="icon"
                aria-label={i18n._("Remove {who}", { who: filename })}
                onClick={() => remove.mutate(attachment_id)}
              >
                <X aria-hidden="true" size={18} />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Wrong error={add.error ?? remove.error} />
      {mayAdd && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) add.mutate(file)
              target.value = ""
            }}
          />
          <Button busy={add.isPending} onClick={() => input.current?.click()}>
            <Paperclip aria-hidden="true" size={18} />
            {i18n._("Attach a file")}
          </Button>
        </>
      )}
    </Section>
  )
}

async function attach(id: string, file: File) {
  const content = await base64Of(file)
  return must(
    await api.POST("/signature-requests/{id}/attachments", {
      params: { path: { id } },
      body: { filename: file.name, content_type: file.type || "text/plain", content },
    }),
  )
}

/** The browser's own encoder: what follows the comma of a data address. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""))
    reader.onerror = () => reject(new Error("The file could not be read."))
    reader.readAsDataURL(file)
  })
