import type { FastifyBaseLogger } from "fastify"
import { pino } from "pino"

export type Logger = FastifyBaseLogger

/**
 * One JSON line per request and per job. Never a name, an address, a token or document bytes: what could carry
 * one is not logged at all, and what slips in under a telling name is struck out.
 */
export function createLogger(level: string, role: string, to: "output" | "errors" = "output"): Logger {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [...NAMES, ...NAMES.map((name) => `*.${name}`), ...NAMES.map((name) => `*.*.${name}`)],
      censor: "[struck out]",
    },
    serializers: { error: errorOf },
  }
  return to === "output" ? pino(options) : pino(options, pino.destination(2))
}

const NAMES = [
  "authorization",
  "cookie",
  '["api-key"]',
  "apiKey",
  "password",
  "pin",
  "token",
  "secret",
  "email",
  "account_email",
  "name",
  "content",
]

/** Only what is ours: drivers hang rows and parameters on their errors, and those may hold names and addresses. */
function errorOf(error: unknown, depth = 0): object {
  if (typeof error !== "object" || error === null) return { message: typeof error }
  // As `type`: what is called `name` is struck out.
  const { name: type, message, stack } = error as Partial<Error>
  const code = "code" in error ? String(error.code) : undefined
  const cause = "cause" in error && error.cause && depth < 5 ? errorOf(error.cause, depth + 1) : undefined
  return { type, message, code, stack, cause }
}
