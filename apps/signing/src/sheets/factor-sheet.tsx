import type { View } from "../api.ts"
import { isolated, say, sayMoment } from "../words.ts"
import { Sheet } from "./sheet.tsx"

type FactorSheetProps = {
  readonly sender: string
  readonly factor: NonNullable<View["factor"]>
  readonly onClose: () => void
}

/** What is missing before the signer can confirm with a key of their own, and how to get it. */
export function FactorSheet({ sender, factor, onClose }: FactorSheetProps) {
  if (factor.identityNeeded)
    return (
      <Sheet heading={say("identity.heading")} locked={false} onClose={onClose}>
        <p>{say("identity.why")}</p>
        <p className="mt-3">{say("identity.how", { sender: isolated(sender) })}</p>
        {factor.setUp !== null && factor.heldUntil === null && (
          <p className="mt-3">
            <a className="link" href={factor.setUp}>
              {say("identity.set-up")}
            </a>
          </p>
        )}
      </Sheet>
    )
  if (factor.heldUntil !== null)
    return (
      <Sheet heading={say("held.heading")} locked={false} onClose={onClose}>
        <p>{say("held.why")}</p>
        <p className="mt-3 font-semibold">{say("held.until", { time: sayMoment(factor.heldUntil) })}</p>
        <p className="mt-3">{say("held.how")}</p>
      </Sheet>
    )
  return (
    <Sheet heading={say("factor.heading")} locked={false} onClose={onClose}>
      <p>{say("factor.why")}</p>
      <p className="mt-3">{say(factor.setUp === null ? "factor.none" : "factor.how")}</p>
      {factor.setUp !== null && (
        <a className="button button-main mt-5 w-full" href={factor.setUp}>
          {say("factor.set-up")}
        </a>
      )}
    </Sheet>
  )
}
