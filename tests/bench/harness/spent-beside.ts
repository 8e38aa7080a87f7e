import { startWatch } from "../fastest.ts"
import { processorTimes } from "../processor-time.ts"

/** Processor time of one act: of this process, and of the server that it asks. The first ones compile what the others run. */
export async function beside(server: number, times: number, act: () => Promise<unknown>): Promise<number> {
  const ofServer = () => processorTimes({ it: [server] }, []).it ?? 0
  for (let n = 0; n < times; n += 1) await act()
  const before = ofServer()
  const stop = startWatch()
  for (let n = 0; n < times; n += 1) await act()
  return (stop().processorMs + ofServer() - before) / times
}
