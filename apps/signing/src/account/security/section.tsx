import { say } from "../../words.ts"
import type { Account } from "../api.ts"

export type SectionProps = { readonly account: Account; readonly onChange: () => void }

export const LOGIN = `/account/login?next=${encodeURIComponent("/account/security")}`

/** What opens an account is changed soon after a login alone: then the way there and back is shown. */
export function SectionTrouble({ said }: { readonly said: string | null }) {
  return (
    <div role="alert">
      {said !== null && (
        <p className="notice">
          {said}
          {said === say("trouble.again") && (
            <a className="link mt-1 flex min-h-11 items-center" href={LOGIN}>
              {say("security.again")}
            </a>
          )}
        </p>
      )}
    </div>
  )
}
