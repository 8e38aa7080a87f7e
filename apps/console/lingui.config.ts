/** Sentences stand in English where they are said, and are their own ids: `i18n._("…")`. */
export default {
  sourceLocale: "en",
  locales: ["en", "de", "fr", "it"],
  catalogs: [{ path: "<rootDir>/src/locales/{locale}", include: ["src"] }],
  orderBy: "messageId",
}
