/** RFC 9562, 4, in small letters; without groups, since routes take it too. */
export const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

const WHOLE = new RegExp(`^${UUID}$`, "i")

/** Also in capitals, as PostgreSQL reads it. */
export const isUuid = (text: string): boolean => WHOLE.test(text)
