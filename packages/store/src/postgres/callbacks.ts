import { sql } from "kysely"
import type { Database } from "./database.ts"

export type AttemptOutcome = {
  readonly state: "OPEN" | "COMPLETED" | "RESIGNED"
  readonly message: string
  readonly now: Date
}

/** Writes down one attempt at a callback: what came back, and whether it is over. */
export async function recordAttempt(db: Database, id: string, outcome: AttemptOutcome): Promise<void> {
  await db
    .updateTable("callback")
    .set((e) => ({
      state: outcome.state,
      attempts: e("attempts", "+", 1),
      // The last messages are enough to see why; a callback that fails for days would grow without end.
      messages: sql<
        string[]
      >`(messages || ${outcome.message}::text)[greatest(1, cardinality(messages) - 18):]`,
      updated_at: outcome.now,
    }))
    .where("id", "=", id)
    .execute()
}

export async function findCallback(db: Database, id: string) {
  return db.selectFrom("callback").selectAll().where("id", "=", id).executeTakeFirst()
}
