const OPTION = "-c paraph.scope=service"

/**
 * The same address, for sessions that read and write the rows of all businesses (ADR 0091): migrations, backups and moves, which act as the
 * owner of the schema. The server's processes set the scope for each statement instead (database.ts).
 */
export function withServiceScope(address: string): string {
  const [base = "", ...query] = address.split("?")
  const parameters = new URLSearchParams(query.join("?"))
  const options = parameters.get("options") ?? ""
  if (options.includes(OPTION)) return address
  parameters.set("options", `${options} ${OPTION}`.trim())
  // libpq does not read a plus sign as a space.
  return `${base}?${parameters.toString().replaceAll("+", "%20")}`
}
