import type { SealsReading, SealsTx } from "../seal/ports.ts"

const nobody = async (): Promise<never> => {
  throw new Error("Nobody seals in this world.")
}

/** A business without seals. */
export const noSeals: SealsReading & SealsTx = {
  listSeals: async () => [],
  findSeal: async () => null,
  findSealing: async () => null,
  findSealIntent: async () => null,
  findSealImage: async () => null,
  findBatch: async () => null,
  listBatches: async () => [],
  sealingsOf: async () => [],
  findSealed: async () => null,
  insertSealed: nobody,
  lockSealed: async () => null,
  succeedSealed: nobody,
  renewedFrom: async () => [],
  isSealLeft: async () => false,
  insertSeal: nobody,
  saveSealImage: nobody,
  keepOrderedImage: nobody,
  insertBatch: nobody,
  insertSealings: nobody,
  lockSealing: async () => null,
  keepSealIntent: nobody,
  keepSealValue: nobody,
  keepSealStamp: nobody,
  noteSealWaits: nobody,
  endSealing: nobody,
  countRunningBatches: async () => 0,
  cancelBatch: nobody,
  endBatch: nobody,
  enqueueSealing: nobody,
}
