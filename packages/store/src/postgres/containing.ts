/** A pattern of `like` for titles and names in which it stands: what is searched for is text, not a pattern. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`
