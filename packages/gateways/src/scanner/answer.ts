// What clamd says at the end of a conversation (clamd(8)), each answer with a NUL behind it.
import { ScannerFailed } from "./failed.ts"

export type Verdict = { readonly clean: true } | { readonly clean: false; readonly finding: string }

export type ScannerHealth = {
  /** Such as "ClamAV 1.4.6"; "clamd" where it does not say. */
  readonly engine: string
  /** When the newest of ClamAV's own signatures were published; null where clamd has none of those. */
  readonly signaturesFrom: Date | null
}

/** One answer means clean. Every other, and every doubt, does not (security, R21). */
export function readVerdict(answer: string): Verdict {
  if (answer === "stream: OK\0") return { clean: true }
  const finding = /^stream: ([\x20-\x7e]{1,300}) FOUND\0$/.exec(answer)?.[1]
  // With AlertExceedsMax a limit of clamd's is told as a finding, but nothing was found: something was not looked at.
  if (finding === "Heuristics.Limits.Exceeded.MaxScanTime")
    throw new ScannerFailed("timeout", "The scanner took longer than its own MaxScanTime.")
  if (finding?.startsWith("Heuristics.Limits.Exceeded"))
    throw new ScannerFailed("limit", `The scanner did not look at the whole document: ${finding}`)
  if (finding !== undefined) return { clean: false, finding }
  if (answer.startsWith("INSTREAM size limit exceeded"))
    throw new ScannerFailed("limit", "The document is larger than the scanner's StreamMaxLength.")
  if (answer === "") throw new ScannerFailed("down", "The scanner closed the connection without an answer.")
  throw new ScannerFailed("error", `The scanner answered ${JSON.stringify(answer.slice(0, 200))}.`)
}

/** "ClamAV 1.4.6", and when ClamAV's own database is loaded "ClamAV 1.4.6/27500/Sun Nov 15 07:30:00 2026". */
export function readVersion(answer: string): ScannerHealth {
  const [, engine, published] = /^(ClamAV [^/\0]{1,60})(?:\/\d+\/([^/\0]{1,60}))?\0$/.exec(answer) ?? []
  // An operator can forbid the question (EnableVersionCommand).
  if (engine === undefined) return { engine: "clamd", signaturesFrom: null }
  return { engine, signaturesFrom: published === undefined ? null : readTime(published) }
}

/** The form of ctime(3), which names no zone: clamd is taken to run in UTC, as its image does. */
function readTime(text: string): Date | null {
  const time = new Date(`${text} UTC`)
  return Number.isNaN(time.getTime()) ? null : time
}
