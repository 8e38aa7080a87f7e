import { readFileSync } from "node:fs"
import { ConnectionError, createParaph, type Paraph, ProblemError } from "@paraph/sdk"
import { environment } from "./environment.ts"
import { Failed } from "./failed.ts"
import { NotUnderstood } from "./not-understood.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** The service as an integrator reaches it. A key is no word of a command line: everybody on the machine can read those. */
export function serviceOf(env: Environment = environment()): Paraph {
  const { PARAPH_URL: url, PARAPH_USERNAME: username } = env
  const apiKey = env.PARAPH_API_KEY ?? keyIn(env.PARAPH_API_KEY_FILE)
  if (!(url && username && apiKey))
    throw new NotUnderstood(
      "Which service, and who are you? PARAPH_URL, PARAPH_USERNAME and PARAPH_API_KEY (or PARAPH_API_KEY_FILE) say so.",
    )
  try {
    return createParaph({ url, username, apiKey })
  } catch (error) {
    throw new NotUnderstood(`PARAPH_URL: ${(error as Error).message}`)
  }
}

function keyIn(file: string | undefined): string | undefined {
  if (!file) return undefined
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    throw new NotUnderstood(`${file} cannot be read.`)
  }
}

/** What the service said, in its own words. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ConnectionError) throw new Failed(error.message, { cause: error })
    if (!(error instanceof ProblemError)) throw error
    const about = [error.key, error.requestId && `request ${error.requestId}`].filter(Boolean).join(", ")
    throw new Failed(`${error.message}${about === "" ? "" : ` (${about})`}`, { cause: error })
  }
}
