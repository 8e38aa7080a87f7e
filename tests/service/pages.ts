import type { Answer, Api } from "./api.ts"
import { until } from "./until.ts"

/** The answer once the page is drawn, or cannot be: asks again for as long as it is told 202. */
export const drawnPage = (api: Api, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  until(`${path} is drawn`, async () => {
    const answer = await api.get(path, headers)
    return answer.status !== 202 && answer
  })
