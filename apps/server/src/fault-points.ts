import { SIGNING_POINTS } from "@paraph/core/signature-request/make-mark"

/**
 * The named points of an upload, of the sweep and of the jobs, each in their order. Tests end the process there with a
 * real SIGKILL (tests/faults).
 */
export const FAULT_POINTS = [
  "object-stored",
  "answer-made",
  "objects-claimed",
  "objects-removed",
  "link-kept",
  "mail-sent",
  "sms-sent",
  "callback-made",
  "report-sealed",
  "protocol-sealed",
  "protocol-kept",
  ...SIGNING_POINTS,
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]
