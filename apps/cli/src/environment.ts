/** The one place of the command line that reads the environment itself; the settings of a service have theirs. */
export const environment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
