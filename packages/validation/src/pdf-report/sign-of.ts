import type { Sign } from "@paraph/pades/paper-block"
import type { BlockIndication, Indication } from "../indication.ts"

export const SIGN_OF: Readonly<Record<Indication | BlockIndication, Sign>> = {
  "TOTAL-PASSED": "good",
  PASSED: "good",
  INDETERMINATE: "unclear",
  "TOTAL-FAILED": "bad",
  FAILED: "bad",
}
