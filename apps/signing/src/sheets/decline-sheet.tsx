import { useState } from "react"
import { decline, type View } from "../api.ts"
import { usePress } from "../parts/use-press.ts"
import { isolated, say } from "../words.ts"
import { closeSheetAround, Sheet } from "./sheet.tsx"

type DeclineSheetProps = {
  readonly view: View
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
  readonly onClose: () => void
}

const REASON_MAX = 1_000
const SUGGESTED = ["mistake", "terms", "person", "other"] as const
type Suggested = (typeof SUGGESTED)[number]

type Reason = { readonly suggested: Suggested | null; readonly text: string }

/** Two steps, because one signer's refusal ends the request for all of them (interface, 3.1). */
export function DeclineSheet({ view, onView, onNoSession, onClose }: DeclineSheetProps) {
  const [step, setStep] = useState<"reason" | "sure">("reason")
  const [reason, setReason] = useState<Reason>({ suggested: null, text: "" })
  const { busy, trouble, send } = usePress(onView, onNoSession)
  const heading = say(step === "reason" ? "decline.heading" : "decline.sure-heading")
  return (
    <Sheet heading={heading} step={step} locked={busy} onClose={onClose}>
      {step === "reason" ? (
        <AskReason
          sender={view.request.sender}
          reason={reason}
          onReason={setReason}
          onNext={() => setStep("sure")}
        />
      ) : (
        <Sure
          busy={busy}
          trouble={trouble}
          onYes={() => send(() => decline(written(reason)))}
          onBack={() => setStep("reason")}
        />
      )}
    </Sheet>
  )
}

/** The sender reads one text: the chosen sentence, and what the person adds to it. */
function written({ suggested, text }: Reason): string {
  const chosen = suggested === null || suggested === "other" ? [] : [say(`decline.${suggested}`)]
  return [...chosen, text.trim()]
    .filter((part) => part !== "")
    .join(". ")
    .slice(0, REASON_MAX)
}

type AskReasonProps = {
  readonly sender: string
  readonly reason: Reason
  readonly onReason: (reason: Reason) => void
  readonly onNext: () => void
}

function AskReason({ sender, reason, onReason, onNext }: AskReasonProps) {
  return (
    <>
      <fieldset>
        <legend className="font-semibold">{say("decline.reasons")}</legend>
        <p id="reason-hint" className="line-clamp-3 text-sm break-words text-(--muted)">
          {say("decline.seen", { sender: isolated(sender) })}
        </p>
        <div className="mt-2 grid">
          {SUGGESTED.map((suggested) => (
            <label key={suggested} className="choice">
              <input
                type="radio"
                name="suggested"
                checked={reason.suggested === suggested}
                onChange={() => onReason({ ...reason, suggested })}
              />
              {say(`decline.${suggested}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <label htmlFor="reason" className="mt-3 block font-semibold">
        {say("decline.text")}
      </label>
      <textarea
        id="reason"
        className="field mt-2"
        rows={3}
        maxLength={REASON_MAX}
        value={reason.text}
        aria-describedby="reason-hint"
        onChange={(event) => onReason({ ...reason, text: event.target.value })}
      />
      <p aria-hidden="true" className="mt-1.5 text-right text-sm text-(--muted)">
        {say("decline.length", { used: reason.text.length, max: REASON_MAX })}
      </p>
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        <button type="button" className="button button-quiet sm:order-2" onClick={onNext}>
          {say("decline.next")}
        </button>
        <button
          type="button"
          className="button button-quiet"
          onClick={(event) => closeSheetAround(event.currentTarget)}
        >
          {say("back")}
        </button>
      </div>
    </>
  )
}

type SureProps = {
  readonly busy: boolean
  readonly trouble: string | null
  readonly onYes: () => void
  readonly onBack: () => void
}

function Sure({ busy, trouble, onYes, onBack }: SureProps) {
  return (
    <>
      <p>{say("decline.sure")}</p>
      <p role="alert" className="mt-3 font-semibold text-(--danger)">
        {trouble}
      </p>
      <div className="mt-5 grid gap-3">
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={busy}
          onClick={() => busy || onBack()}
        >
          {say("back")}
        </button>
        <button type="button" className="button button-danger" aria-disabled={busy} onClick={onYes}>
          {busy ? say("one-moment") : say("decline.yes")}
        </button>
      </div>
    </>
  )
}
