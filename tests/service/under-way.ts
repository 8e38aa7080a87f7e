import type { Service } from "./service.ts"
import { until } from "./until.ts"

/** Waits until nobody works for that request any more: its mails are out, and what they leave in its story is there. */
export async function nothingUnderWay({ sql }: Pick<Service, "sql">, requestId: string): Promise<void> {
  const underWay = `select count(*) from jobs.job where data ->> 'requestId' = '${requestId}' and state < 'completed'`
  await until("nobody works for it any more", async () => (await sql(underWay)) === "0")
}
