import { useEffect, useRef } from "react"
import { checkCode, loadView, type Problem, type Proof, sendCode, type View } from "../api.ts"
import { usePress } from "../parts/use-press.ts"
import { isolated, say } from "../words.ts"
import { CodeForm, Resend } from "./code-form.tsx"
import { closeSheetAround, Sheet } from "./sheet.tsx"

type CodeSheetProps = {
  readonly proof: Proof
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
  readonly onProved: () => void
  readonly onClose: () => void
}

/** The integrator can read this address, so the address alone proves nothing: a code goes to the signer's own mailbox or telephone. */
export function CodeSheet({ proof, onView, onNoSession, onProved, onClose }: CodeSheetProps) {
  const taken = (view: View) => {
    onView(view)
    if (view.screen === "read") onProved()
  }
  const { busy, trouble, send } = usePress(taken, onNoSession, (problem) => told(problem, onView))
  const sent = proof.sentAt !== null
  useLooks(proof, onView)
  const bySms = proof.channel === "sms"
  const mayType = sent && !proof.unreachable
  return (
    <Sheet
      heading={say(bySms ? "code.heading-sms" : "code.heading")}
      step={sent ? "check" : "send"}
      locked={busy}
      onClose={onClose}
    >
      {proof.unreachable ? <Unreachable to={proof.sentTo} /> : <p>{leadOf(sent, proof)}</p>}
      {mayType && (
        <CodeForm
          missing={say(bySms ? "code.missing-sms" : "code.missing")}
          busy={busy}
          trouble={trouble}
          onCode={(code) => send(() => checkCode(code))}
        />
      )}
      {!sent && !proof.unreachable && (
        <>
          <p role="alert" className="mt-3 font-semibold text-(--danger)">
            {trouble}
          </p>
          <button
            type="button"
            className="button button-main mt-5 w-full"
            aria-disabled={busy}
            onClick={() => send(sendCode)}
          >
            {busy ? say("one-moment") : say("code.send")}
          </button>
        </>
      )}
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        {mayType && <Resend resendAt={proof.resendAt} busy={busy} onResend={() => send(sendCode)} />}
        <button
          type="button"
          className="button button-quiet"
          onClick={(event) => !busy && closeSheetAround(event.currentTarget)}
        >
          {say("back")}
        </button>
      </div>
    </Sheet>
  )
}

/**
 * Whether a number can be reached is known a moment after the press; nobody should wait at the sheet for what never comes. A few looks
 * and no more: each of them keeps the session alive.
 */
const LOOKS_AFTER_MS = [4_000, 12_000, 30_000]

function useLooks({ channel, sentAt, unreachable }: Proof, onView: (view: View) => void): void {
  const show = useRef(onView)
  useEffect(() => {
    show.current = onView
  })
  const mayFail = channel === "sms" && sentAt !== null && !unreachable
  useEffect(() => {
    if (!mayFail || sentAt === null) return
    let isOver = false
    // What was asked before the right code was typed must not be shown after it.
    const look = () =>
      void loadView().then(
        (view) => isOver || show.current(view),
        () => undefined,
      )
    const timers = LOOKS_AFTER_MS.map((ms) => setTimeout(look, ms))
    return () => {
      isOver = true
      for (const timer of timers) clearTimeout(timer)
    }
  }, [mayFail, sentAt])
}

function leadOf(sent: boolean, { channel, sentTo }: Proof): string {
  if (channel === "mail") {
    const email = isolated(sentTo)
    return sent ? say("code.sent", { email }) : say("code.why", { email })
  }
  const number = onOneLine(sentTo)
  return sent ? say("code.sent-sms", { number }) : say("code.why-sms", { number })
}

/** A number is read in one go. */
const onOneLine = (number: string): string => isolated(number.replaceAll(" ", "\u00A0"))

const Unreachable = ({ to }: { readonly to: string }) => (
  <p role="alert" className="font-semibold">
    {say("code.unreachable", { number: onOneLine(to) })}
  </p>
)

/** How many tries are left stands in the view, so it is fetched anew. */
async function told({ key, status }: Problem, onView: (view: View) => void): Promise<string> {
  if (status === 429) return say("code.too-many")
  if (key !== "error.code.wrong" && key !== "error.code.locked") return say("refused")
  const view = await loadView().catch(() => null)
  if (view !== null) onView(view)
  const left = view?.proof?.attemptsLeft ?? 0
  return key === "error.code.locked" || left === 0 ? say("code.locked") : say("code.wrong", { left })
}
