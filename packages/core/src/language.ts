/** The languages people are addressed in. Decisions, "languages": `en` is the default. */
export const LANGUAGES = ["en", "de", "fr", "it"] as const
export type Language = (typeof LANGUAGES)[number]
