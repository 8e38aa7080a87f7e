import { useEffect, useState } from "react"
import { isolated, say } from "../words.ts"
import { findSingleSignOn, type SingleSignOn, startSingleSignOn } from "./api.ts"
import type { Sending } from "./form.tsx"
import { nextPath } from "./next.ts"

const PAUSE_MS = 250

/** Asked for while the address is written, when the person pauses: the password may not be needed at all. */
export function useSingleSignOn(email: string): SingleSignOn | null {
  const [known, setKnown] = useState<{ domain: string; found: SingleSignOn | null } | null>(null)
  const domain = /@([^@\s]+\.[^@\s.]{2,})\s*$/.exec(email)?.[1]?.toLowerCase() ?? null
  const knownDomain = known?.domain ?? null
  useEffect(() => {
    if (domain === null || domain === knownDomain) return
    const pause = setTimeout(
      () =>
        void findSingleSignOn(domain).then(
          (found) => setKnown({ domain, found }),
          () => undefined,
        ),
      PAUSE_MS,
    )
    return () => clearTimeout(pause)
  }, [domain, knownDomain])
  return known !== null && known.domain === domain ? known.found : null
}

export async function goToProvider(email: string): Promise<void> {
  location.assign(await startSingleSignOn(email.trim(), nextPath(location.search)))
}

type ByBusinessProps = { readonly by: SingleSignOn; readonly email: string; readonly sending: Sending }

export function ByBusiness({ by, email, sending }: ByBusinessProps) {
  return (
    <button
      type="button"
      className="button button-main w-full"
      aria-disabled={sending.busy}
      onClick={() => sending.send(() => goToProvider(email))}
    >
      {sending.busy ? say("one-moment") : say("login.sso", { business: isolated(by.business) })}
    </button>
  )
}

const WHY = ["again", "unproved", "email-unverified", "other-domain", "no-member", "other-person"]

/** What went wrong on the way back from the provider, as the address says it; null for a word that we do not know. */
export function troubleOnTheWay(search: string): string | null {
  const why = new URLSearchParams(search).get("sso") ?? ""
  return WHY.includes(why) ? say(`sso.${why}`) : null
}

/** The provider has said who it is, and the authenticator app is asked for: with what the address has brought, once. */
export function stepFrom(hash: string): string | null {
  return /^#second=([\w-]{20,100})$/.exec(hash)?.[1] ?? null
}
