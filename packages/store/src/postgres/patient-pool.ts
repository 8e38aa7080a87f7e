import pg from "pg"
import { startTimeRun } from "./time-run.ts"

/** One pause may follow another; at some time somebody has to be told. */
const ATTEMPTS = 3

/** A pool that does not blame the database for a pause of our own: whoever could not connect meanwhile comes again. */
export class PatientPool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super(config)
    const connect = super.connect.bind(this)
    this.connect = ((callback?: Parameters<typeof connect>[0]) =>
      callback === undefined ? patiently(connect) : connect(callback)) as typeof this.connect
  }
}

async function patiently(connect: () => Promise<pg.PoolClient>, attempts = ATTEMPTS): Promise<pg.PoolClient> {
  const time = startTimeRun()
  try {
    return await connect()
  } catch (error) {
    if (attempts === 1 || !time.stoodStill()) throw error
  } finally {
    time.stop()
  }
  return patiently(connect, attempts - 1)
}
