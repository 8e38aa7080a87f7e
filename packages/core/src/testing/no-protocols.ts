import type { ProtocolsReading, ProtocolsTx } from "../report/ports.ts"

/** A world in which nobody has asked for a protocol. */
export const noProtocols: ProtocolsReading & ProtocolsTx = {
  findProtocol: async () => null,
  findNewestProtocol: async () => null,
  isProtocolOrdered: async () => false,
  orderProtocol: async () => false,
  keepProtocol: async () => false,
  noteProtocolWaits: async () => undefined,
}
