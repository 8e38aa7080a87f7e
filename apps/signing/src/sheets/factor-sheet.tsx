import type { View } from "../api.ts"
import { say } from "../words.ts"
import { Sheet } from "./sheet.tsx"

type FactorSheetProps = { readonly factor: NonNullable<View["factor"]>; readonly onClose: () => void }

/** Who has nothing to confirm with is told why it is needed, and led to where it is set up and back. */
export function FactorSheet({ factor, onClose }: FactorSheetProps) {
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
