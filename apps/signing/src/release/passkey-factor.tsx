import { type Problem, type Release, releaseByPasskey, type View } from "../api.ts"
import { usePress } from "../parts/use-press.ts"
import { say } from "../words.ts"

export type FactorProps = {
  readonly release: Release
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
}

/** The device asks for a face, a finger or a PIN; the library comes with the press. */
export function PasskeyFactor({ onView, onNoSession }: FactorProps) {
  const { busy, trouble, send } = usePress(onView, onNoSession, told)
  return (
    <div>
      <button
        type="button"
        className="button button-main w-full"
        aria-disabled={busy}
        onClick={() => send(releaseByPasskey)}
      >
        {say(busy ? "one-moment" : "release.passkey")}
      </button>
      <p className="mt-2 text-sm text-(--muted)">{say("release.passkey-hint")}</p>
      <p role="alert" className="mt-2 font-semibold text-(--danger) empty:hidden">
        {trouble}
      </p>
    </div>
  )
}

const told = ({ key }: Problem): string =>
  say(key === "error.signature.release_over" ? "release.over" : "release.passkey-failed")
