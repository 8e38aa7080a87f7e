import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** For tests: what somebody still holds; how much the process has taken says more about when garbage was collected last. */
export function heldBytes(): number {
  collectGarbage()
  // V8 frees the bytes of dead buffers beside the program: only a second collection waits for what the first began.
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
