// What stands for Node's Buffer in the page. The library is older than that Node compares with any octets.

import { Buffer as Octets } from "buffer"

Octets.prototype.equals = function equals(this: Uint8Array, other: Uint8Array): boolean {
  return Octets.compare(this, other) === 0
}

export const Buffer = Octets
