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
  const bySms = proof.channel === "sms"
  return (
    <Sheet
      heading={say(bySms ? "code.heading-sms" : "code.heading")}
      step={sent ? "check" : "send"}
      locked={busy}
      onClose={onClose}
    >
      <p>{leadOf(sent, proof)}</p>
      {sent && (
        <CodeForm
          missing={say(bySms ? "code.missing-sms" : "code.missing")}
          busy={busy}
          trouble={trouble}
          onCode={(code) => send(() => checkCode(code))}
        />
      )}
      {!sent && (
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
        {sent && <Resend resendAt={proof.resendAt} busy={busy} onResend={() => send(sendCode)} />}
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

function leadOf(sent: boolean, { channel, sentTo }: Proof): string {
  if (channel === "mail") {
    const email = isolated(sentTo)
    return sent ? say("code.sent", { email }) : say("code.why", { email })
  }
  // A number is read in one go, so it stands on one line.
  const number = isolated(sentTo.replaceAll(" ", "\u00A0"))
  return sent ? say("code.sent-sms", { number }) : say("code.why-sms", { number })
}

/** How many tries are left stands in the view, so it is fetched anew. */
async function told({ key, status }: Problem, onView: (view: View) => void): Promise<string> {
  if (status === 429) return say("code.too-many")
  if (key !== "error.code.wrong" && key !== "error.code.locked") return say("refused")
  const view = await loadView().catch(() => null)
  if (view !== null) onView(view)
  const left = view?.proof?.attemptsLeft ?? 0
  return key === "error.code.locked" || left === 0 ? say("code.locked") : say("code.wrong", { left })
}
