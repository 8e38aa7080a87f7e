import type { Rule } from "./operations.ts"

/** Those with a token that is good; the things are the owner's, made with a production key. */
export const KNOWN = [
  "another business",
  "the owner with a demo key",
  "a colleague",
  "the signer",
  "the observer",
  "the reader",
  "the writer",
  "the owner",
] as const
export type Known = (typeof KNOWN)[number]
const NOBODY = Object.fromEntries(KNOWN.map((role) => [role, 404])) as Record<Known, number>
const EVERYBODY = Object.fromEntries(KNOWN.map((role) => [role, "ok"])) as Record<Known, "ok">

/** What each is answered; "ok" is what the operation answers to who may. Without a good token it is 401, but where all may. */
export const RULES: Readonly<Record<Rule, Readonly<Record<Known, number | "ok">>>> = {
  public: EVERYBODY,
  anybody: EVERYBODY,
  read: { ...NOBODY, "the owner": "ok", "the writer": "ok", "the reader": "ok", "the observer": "ok" },
  "read document": {
    ...NOBODY,
    "the owner": "ok",
    "the writer": "ok",
    "the reader": "ok",
    "the observer": "ok",
  },
  write: { ...NOBODY, "the owner": "ok", "the writer": "ok", "the reader": 403, "the observer": 403 },
  // Who has not got the feature is told so, and nothing else (XQ-03).
  "read evidence": {
    ...{ ...NOBODY, "another business": 403 },
    ...{ "the owner": "ok", "the writer": "ok", "the reader": "ok", "the observer": "ok" },
  },
  "write evidence": {
    ...{ ...NOBODY, "another business": 403 },
    ...{ "the owner": "ok", "the writer": "ok", "the reader": 403, "the observer": 403 },
  },
  "write document": { ...NOBODY, "the owner": "ok", "the writer": "ok", "the reader": 403 },
  "use document": { ...NOBODY, "the owner": "ok", "the writer": "ok", "the reader": "ok" },
  own: { ...NOBODY, "the owner": "ok" },
  nobody: NOBODY,
  // Whoever has a key manages nothing, not even the owner of the things.
  people: Object.fromEntries(KNOWN.map((role) => [role, 403])) as Record<Known, 403>,
  "of the business": { ...EVERYBODY, "another business": 404, "the owner with a demo key": 404 },
  "own of the business": {
    ...(Object.fromEntries(KNOWN.map((role) => [role, 403])) as Record<Known, 403>),
    "the owner": "ok",
    "another business": 404,
    "the owner with a demo key": 404,
  },
  "name of the business": { ...EVERYBODY, "another business": 404 },
}
