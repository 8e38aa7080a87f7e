import { useState } from "react"
import { decline, type View } from "../api.ts"
import { words } from "../words.ts"
import { closeSheetAround, Sheet } from "./sheet.tsx"
import { usePress } from "./use-press.ts"

type DeclineSheetProps = {
  readonly view: View
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
  readonly onClose: () => void
}

const REASON_MAX = 1_000

/** Two steps, because one signer's refusal ends the request for all of them (interface, 3.1). */
export function DeclineSheet({ view, onView, onNoSession, onClose }: DeclineSheetProps) {
  const [step, setStep] = useState<"reason" | "sure">("reason")
  const [reason, setReason] = useState("")
  const { busy, trouble, send } = usePress(onView, onNoSession)
  const heading = step === "reason" ? words.decline.heading : words.decline.sureHeading
  return (
    <Sheet heading={heading} step={step} locked={busy} onClose={onClose}>
      {step === "reason" ? (
        <Reason
          sender={view.request.sender}
          reason={reason}
          onReason={setReason}
          onNext={() => setStep("sure")}
        />
      ) : (
        <Sure
          busy={busy}
          trouble={trouble}
          onYes={() => send(() => decline(reason.trim()))}
          onBack={() => setStep("reason")}
        />
      )}
    </Sheet>
  )
}

type ReasonProps = {
  readonly sender: string
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly onNext: () => void
}

function Reason({ sender, reason, onReason, onNext }: ReasonProps) {
  return (
    <>
      <label htmlFor="reason" className="block font-semibold">
        {words.decline.reason}
      </label>
      <p id="reason-hint" className="line-clamp-3 text-sm break-words text-(--muted)">
        {words.decline.reasonHint(sender)}
      </p>
      <textarea
        id="reason"
        className="field mt-2"
        rows={4}
        maxLength={REASON_MAX}
        value={reason}
        aria-describedby="reason-hint"
        onChange={(event) => onReason(event.target.value)}
      />
      <p aria-hidden="true" className="mt-1.5 text-right text-sm text-(--muted)">
        {words.decline.length(reason.length, REASON_MAX)}
      </p>
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        <button type="button" className="button button-quiet sm:order-2" onClick={onNext}>
          {words.decline.next}
        </button>
        <button
          type="button"
          className="button button-quiet"
          onClick={(event) => closeSheetAround(event.currentTarget)}
        >
          {words.decline.back}
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
      <p>{words.decline.sure}</p>
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
          {words.decline.back}
        </button>
        <button type="button" className="button button-danger" aria-disabled={busy} onClick={onYes}>
          {busy ? words.decline.declining : words.decline.yes}
        </button>
      </div>
    </>
  )
}
