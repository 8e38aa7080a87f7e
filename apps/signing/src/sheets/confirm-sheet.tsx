import { type FormEvent, useRef, useState } from "react"
import { consentFor, goToProvider, type Problem, sign, type View } from "../api.ts"
import type { Draft } from "../draft.ts"
import { LookPicture } from "../parts/look-picture.tsx"
import { usePress } from "../parts/use-press.ts"
import { say } from "../words.ts"
import { ChooseProvider } from "./choose-provider.tsx"
import { NameField } from "./name-field.tsx"
import { closeSheetAround, Sheet } from "./sheet.tsx"

type ConfirmSheetProps = {
  readonly view: View
  readonly draft: Draft
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
  readonly onClose: () => void
}

/** The last look before the last button: what, as whom, in which quality, and what one agrees to. */
export function ConfirmSheet({ view, draft, onView, onNoSession, onClose }: ConfirmSheetProps) {
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { busy, trouble, send } = usePress(onView, onNoSession, told)

  const consent = consentFor(view, draft.provider)

  function submit(event: FormEvent) {
    event.preventDefault()
    const { name } = draft.wish()
    setMissing(name === "")
    if (name === "") field.current?.focus()
    else send(() => signed(draft, view))
  }
  function rename(name: string) {
    draft.setName(name)
    setMissing(false)
  }

  return (
    <Sheet heading={say("confirm.heading")} locked={busy} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Summary view={view} draft={draft} />
        <NameField
          name={draft.name}
          missing={missing}
          fixed={draft.isNameFixed}
          hint={draft.nameHint}
          field={field}
          onName={rename}
        />
        {view.atProvider !== null && <ChooseProvider view={view} at={view.atProvider} draft={draft} />}
        <p className="mt-5 whitespace-pre-line" lang={consent.language}>
          {consent.text}
        </p>
        <p role="alert" className="mt-3 font-semibold text-(--danger)">
          {trouble}
        </p>
        <div className="mt-5 grid gap-3 sm:grid-cols-2">
          <button type="submit" className="button button-main sm:order-2" aria-disabled={busy}>
            {busy ? say("one-moment") : say("confirm.sign")}
          </button>
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={busy}
            onClick={(event) => !busy && closeSheetAround(event.currentTarget)}
          >
            {say("back")}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

/** Whose key lies at a provider is led there by the same press; where that fails, the next screen has a button for it. */
async function signed(draft: Draft, view: View): Promise<View> {
  const after = await sign(draft.wish(), view)
  const url = after.release?.provider ? await goToProvider().catch(() => null) : null
  if (url !== null) location.assign(url)
  return after
}

function told({ key }: Problem): string {
  if (key === "error.name.invalid") return say("confirm.name-invalid")
  return say(key === "error.signature.others_signing" ? "confirm.others" : "refused")
}

function Summary({
  view: { request, documents, signer },
  draft,
}: {
  readonly view: View
  readonly draft: Draft
}) {
  const visible = draft.look !== null && draft.fields.length > 0
  return (
    <div className="summary-card mb-5">
      <p className="text-sm text-(--muted)">{say("confirm.summary")}</p>
      <p className="line-clamp-3 font-semibold" dir="auto">
        {request.title}
      </p>
      <p className="facts text-sm text-(--muted)">
        {documents.length > 1 && <span>{say("read.documents", { count: documents.length })}</span>}
        <span>{signer.email}</span>
        <span>{say(`quality.${draft.provider === null ? request.quality.slice(0, 3) : "QES"}`)}</span>
        {!visible && <span>{say("place.none")}</span>}
      </p>
      {visible && draft.look !== null && (
        <div className="paper mt-3 h-20">
          <LookPicture look={draft.look} name={draft.name} />
        </div>
      )}
    </div>
  )
}
