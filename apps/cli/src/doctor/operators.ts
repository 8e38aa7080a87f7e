import type { Config } from "@paraph/server/config"
import { countOperators } from "@paraph/store/postgres/accounts"
import { openDatabase } from "@paraph/store/postgres/database"

/** Whether the factors of a person can be reset, and whether it takes two operators (ADR 0098). */
export async function resetsTakeTwo(config: Config): Promise<string> {
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
  try {
    return inWords(await countOperators(db), config.FACTOR_RESET_OPERATORS)
  } finally {
    await close()
  }
}

export function inWords(count: number, needed: Config["FACTOR_RESET_OPERATORS"]): string {
  if (needed === "1")
    return `warning: one operator alone resets the factors of a person (FACTOR_RESET_OPERATORS is 1, operators: ${count})`
  return count < 2
    ? `warning: ${count} of the 2 operators who reset the factors of a person: paraph admin add-operator, or FACTOR_RESET_OPERATORS=1`
    : `${count}, of whom two reset the factors of a person`
}
