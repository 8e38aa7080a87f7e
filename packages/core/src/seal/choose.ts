import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { ADMINISTRATORS, DEVELOPERS } from "../business/model.ts"
import type { Reading } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { type Seal, stateOf } from "./model.ts"

/**
 * SEAL-02: only where sealing is switched on. A key of the business may seal; of its people those who may make keys may try
 * it, and those who look after the business may do it in earnest: a seal speaks for the company.
 */
export async function maySeal(reading: Pick<Reading, "settings">, caller: Caller): Promise<void> {
  if (caller.via === "session")
    mustHaveRole(caller, caller.kind === "production" ? ADMINISTRATORS : DEVELOPERS)
  const { features } = await reading.settings()
  if (!features.includes("sealing"))
    throw new Refusal("feature-not-enabled", "Sealing is not switched on for this business.")
}

/** The one of that name, without regard to case, or else the oldest; of the caller's kind, and never another's. */
export function chosen(seals: readonly Seal[], name: string | null, now: Date): Seal {
  const active = seals.filter((seal) => stateOf(seal, now) === "active")
  if (name === null) {
    const [first] = active
    if (first !== undefined) return first
    throw new Refusal("feature-not-enabled", "No seal of this business can be used with this key.")
  }
  const wanted = name.normalize("NFC").trim().toLowerCase()
  const named = active.find((seal) => seal.name.toLowerCase() === wanted)
  if (named === undefined) throw new Refusal("constraint-violated", "account_name: there is no such seal.")
  return named
}
