import { ConnectionError, createParaph, type Paraph, ProblemError } from "@paraph/sdk"
import { type Environment, environment, secretFrom } from "./environment.ts"
import { Failed } from "./failed.ts"
import { NotUnderstood } from "./not-understood.ts"

/** The service as an integrator reaches it. A key is no word of a command line: everybody on the machine can read those. */
export function serviceOf(env: Environment = environment()): Paraph {
  const { PARAPH_URL: url, PARAPH_USERNAME: username } = env
  const apiKey = secretFrom(env, "PARAPH_API_KEY")
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
