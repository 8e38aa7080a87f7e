// All attacks: each technique upon each of its bases. The keys are new in every run; everything else is the same.

import type { TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { content } from "./content.ts"
import { documents } from "./document.ts"
import { eaa } from "./eaa.ts"
import { evidence } from "./evidence.ts"
import { forms } from "./form.ts"
import { isa } from "./isa.ts"
import { pages } from "./page.ts"
import { shadow } from "./shadow.ts"
import { makeBases, type SignedBase } from "./signed.ts"
import { ssa } from "./ssa.ts"
import { structures } from "./structure.ts"
import { swa } from "./swa.ts"
import type { Attack, Technique } from "./technique.ts"
import { usf } from "./usf.ts"

export type { Attack, AttackClass, Expected } from "./technique.ts"

const TECHNIQUES: readonly Technique[] = [
  ...usf,
  ...isa,
  ...swa,
  ...shadow,
  ...eaa,
  ...ssa,
  ...forms,
  ...content,
  ...pages,
  ...documents,
  ...structures,
  ...evidence,
]

export type Attacks = {
  /** The documents before they were attacked: a judge who fails one of these judges nothing. */
  readonly bases: readonly SignedBase[]
  readonly attacks: readonly Attack[]
}

/** The sandbox signs and stamps, and answers whoever judges: trust its root. */
export async function makeAttacks(sandbox: TrustSandbox): Promise<Attacks> {
  const bases = await makeBases(sandbox)
  const attacks = TECHNIQUES.flatMap((technique) =>
    bases.filter((base) => technique.on(base)).map((base) => attackOf(technique, base)),
  )
  return { bases, attacks }
}

function attackOf(technique: Technique, base: SignedBase): Attack {
  const bytes = technique.make(base)
  const { expected } = technique
  return {
    name: `${technique.class}: ${technique.name} (${base.name})`,
    class: technique.class,
    technique: technique.name,
    base: base.name,
    level: base.certified,
    expected: typeof expected === "function" ? expected(base) : expected,
    how: base.bytes.equals(bytes.subarray(0, base.bytes.length)) ? "appended" : "in-place",
    signedBytes: base.bytes.length,
    bytes,
  }
}
