import { loadView, type Problem, type Proof, releaseBySms, sendReleaseCode, type View } from "../api.ts"
import { usePress } from "../parts/use-press.ts"
import { CodeForm, Resend } from "../sheets/code-form.tsx"
import { isolated, say } from "../words.ts"
import type { FactorProps } from "./passkey-factor.tsx"

/** A code to the telephone that the sender named; it is sent when it is asked for, and counts for this signature alone. */
export function SmsFactor({ release, sms, onView, onNoSession }: FactorProps & { readonly sms: Proof }) {
  const { busy, trouble, send } = usePress(onView, onNoSession, (problem) => told(problem, onView))
  const number = isolated(sms.sentTo.replaceAll(" ", "\u00A0"))
  if (sms.sentAt === null)
    return (
      <div>
        <p>{say("release.sms", { number })}</p>
        <button
          type="button"
          className="button button-main mt-3 w-full"
          aria-disabled={busy}
          onClick={() => send(sendReleaseCode)}
        >
          {say(busy ? "one-moment" : "release.sms-send")}
        </button>
        <p role="alert" className="mt-2 font-semibold text-(--danger) empty:hidden">
          {trouble}
        </p>
      </div>
    )
  return (
    <div>
      <p>{say("release.sms-sent", { number })}</p>
      <CodeForm
        missing={say("code.missing-sms")}
        busy={busy}
        trouble={trouble}
        onCode={(code) => send(() => releaseBySms(code, release))}
      />
      <div className="mt-3 grid">
        <Resend resendAt={sms.resendAt} busy={busy} onResend={() => send(sendReleaseCode)} />
      </div>
    </div>
  )
}

/** How many tries are left stands in the view, so it is fetched anew. */
async function told({ key }: Problem, onView: (view: View) => void): Promise<string> {
  if (key === "error.signature.release_over") return say("release.over")
  if (key !== "error.code.wrong" && key !== "error.code.locked") return say("refused")
  const view = await loadView().catch(() => null)
  if (view !== null) onView(view)
  const left = view?.release?.sms?.attemptsLeft ?? 0
  return key === "error.code.locked" || left === 0 ? say("code.locked") : say("code.wrong", { left })
}
