// The whole story of a request with its proofs, as a report carries it: plain JSON that needs no server to be checked.

import { EvidenceRefused } from "./refused.ts"

export type Story = {
  readonly format: "paraph-story/1"
  readonly request: string
  readonly log: StoryLog
  /** In order; the first is the beginning of the story. */
  readonly events: readonly StoryEvent[]
}

export type StoryLog = {
  /** As other tools write it (C2SP signed-note). */
  readonly key: string
  /** The head, as it was signed. */
  readonly checkpoint: string
  /** RFC 3161 over the octets of the checkpoint, in Base64; null where that head got none. */
  readonly stamp: string | null
}

export type StoryEvent = {
  /** In the log. */
  readonly index: number
  /** Base64. */
  readonly salt: string
  /** The canonical JSON, as a text. */
  readonly body: string
  /** Inclusion in the tree of the checkpoint: hashes in Base64, from the leaf upwards. */
  readonly path: readonly string[]
}

const MAX_EVENTS = 100_000
const MAX_PATH = 63

export function readStory(text: string): Story {
  const parsed = parse(text)
  if (!isStory(parsed)) throw new EvidenceRefused("A file that is no story.")
  return parsed
}

export const writeStory = (story: Story): string => `${JSON.stringify(story, null, 1)}\n`

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EvidenceRefused("A story that is no JSON.")
  }
}

function isStory(it: unknown): it is Story {
  if (!hasMembers(it, ["format", "request", "log", "events"])) return false
  const { format, request, log, events } = it
  return (
    format === "paraph-story/1" &&
    typeof request === "string" &&
    hasMembers(log, ["key", "checkpoint", "stamp"]) &&
    [log.key, log.checkpoint].every((one) => typeof one === "string") &&
    (log.stamp === null || typeof log.stamp === "string") &&
    Array.isArray(events) &&
    events.length > 0 &&
    events.length <= MAX_EVENTS &&
    events.every(isEvent)
  )
}

function isEvent(it: unknown): it is StoryEvent {
  if (!hasMembers(it, ["index", "salt", "body", "path"])) return false
  const { index, salt, body, path } = it
  return (
    Number.isSafeInteger(index) &&
    typeof salt === "string" &&
    typeof body === "string" &&
    Array.isArray(path) &&
    path.length <= MAX_PATH &&
    path.every((hash) => typeof hash === "string")
  )
}

/** These and no others. */
function hasMembers(it: unknown, members: readonly string[]): it is Record<string, unknown> {
  if (typeof it !== "object" || it === null) return false
  const keys = Object.keys(it)
  return keys.length === members.length && members.every((member) => keys.includes(member))
}
