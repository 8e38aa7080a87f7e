import type { PrepareRelease, SignDocument } from "@paraph/core/jobs"
import { Refusal } from "@paraph/core/refusal"
import { prepareRelease } from "@paraph/core/release/prepare"
import type { Lack } from "@paraph/core/signature-request/model"
import { performSigning } from "@paraph/core/signature-request/sign"
import type { WorkerParts } from "../worker-parts.ts"

type NoteLack = (lack: Lack) => void

/** Makes one mark on one document; everything that matters is in core. What it lacked is looked for meanwhile. */
export const signDocument = (parts: WorkerParts, job: SignDocument, noteLack: NoteLack): Promise<void> =>
  noting(performSigning(parts, job), noteLack)

/** Makes a signer's key and all that it is to sign (ADR 0041). */
export const offerRelease = (parts: WorkerParts, job: PrepareRelease, noteLack: NoteLack): Promise<void> =>
  noting(prepareRelease(parts, job), noteLack)

const noting = (work: Promise<void>, noteLack: NoteLack): Promise<void> =>
  work.catch((error: unknown) => {
    if (error instanceof Refusal && error.lacks !== undefined) noteLack(error.lacks)
    throw error
  })
