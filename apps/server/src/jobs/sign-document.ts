import type { SignDocument } from "@paraph/core/jobs"
import { performSigning } from "@paraph/core/signature-request/sign"
import type { WorkerParts } from "../worker-parts.ts"

/** Makes one mark on one document; everything that matters is in core. */
export const signDocument = (parts: WorkerParts, job: SignDocument): Promise<void> =>
  performSigning(parts, job)
