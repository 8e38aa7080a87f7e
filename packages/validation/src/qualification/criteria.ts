// Whether a certificate meets the criteria of a qualification (ETSI TS 119 612, 5.5.9.2.2). Undefined where that cannot be
// known, since something in them is unknown to us and the answer depends on it.

import type { KeyUsage } from "@paraph/pki/extensions"
import type { Criterion } from "../trusted-list/trusted-list.ts"
import type { CertificateFacts } from "./certificate-facts.ts"

export function meets(facts: CertificateFacts, criterion: Criterion): boolean | undefined {
  switch (criterion.kind) {
    case "list": {
      const answers = criterion.of.map((one) => meets(facts, one))
      if (criterion.assert === "all") return and(answers)
      const some = not(and(answers.map(not)))
      return criterion.assert === "atLeastOne" ? some : not(some)
    }
    case "key-usage":
      return Object.entries(criterion.bits).every(
        ([bit, value]) => facts.keyUsage.includes(bit as KeyUsage) === value,
      )
    case "policies":
      return criterion.policies.every((policy) => facts.policies.includes(policy))
    case "extended-key-usage":
      return criterion.purposes.every((purpose) => facts.extendedKeyUsage.includes(purpose))
    case "subject-attributes":
      return criterion.types.every(facts.hasSubjectAttribute)
    case "unknown":
      return undefined
  }
}

// Kleene's logic of three values.
function and(answers: readonly (boolean | undefined)[]): boolean | undefined {
  if (answers.includes(false)) return false
  return answers.includes(undefined) ? undefined : true
}

function not(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer
}
