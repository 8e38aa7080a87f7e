import type { SignDocument } from "@paraph/core/jobs"
import { Refusal } from "@paraph/core/refusal"
import type { Lack } from "@paraph/core/signature-request/model"
import { performSigning } from "@paraph/core/signature-request/sign"
import type { WorkerParts } from "../worker-parts.ts"

/** Makes one mark on one document; everything that matters is in core. What it lacked is looked for meanwhile. */
export const signDocument = (
  parts: WorkerParts,
  job: SignDocument,
  noteLack: (lack: Lack) => void,
): Promise<void> =>
  performSigning(parts, job).catch((error: unknown) => {
    if (error instanceof Refusal && error.lacks !== undefined) noteLack(error.lacks)
    throw error
  })
