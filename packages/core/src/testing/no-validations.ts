import type { CreditsTx } from "../credits/ports.ts"
import type { ValidationsReading, ValidationsTx } from "../validation/ports.ts"

const nobody = async (): Promise<never> => {
  throw new Error("Nobody validates in this world.")
}

/** A business that validates nothing. */
export const noValidations: CreditsTx & ValidationsReading & ValidationsTx = {
  findValidation: async () => null,
  findDifference: async () => null,
  listDifferences: async () => [],
  findReport: async () => null,
  findOrderedReport: async () => null,
  insertValidation: nobody,
  removeValidation: async () => false,
  orderReport: nobody,
  keepReport: nobody,
  noteReportWaits: nobody,
  creditAgreement: nobody,
  creditsBooked: async () => [],
  lockCredits: nobody,
  bookCredits: nobody,
  saveCreditAgreement: nobody,
}
