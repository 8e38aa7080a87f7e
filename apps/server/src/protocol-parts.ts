import type { ToldStory } from "@paraph/core/evidence/model"
import type { CatchUpLog, MustHold, ProtocolOf, WriteProtocol } from "@paraph/core/report/ports"
import { checkStory } from "@paraph/evidence/check-story"
import { writeStory } from "@paraph/evidence/story"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { protocolName, waitingProtocols } from "@paraph/store/postgres/request-protocols"
import { readVerifierKey } from "@paraph/tlog/note-key"
import type { Config } from "./config.ts"
import { LogBroken, type tendingLog } from "./log-heads.ts"
import { verifierKeyOf } from "./log-parts.ts"
import type { Parts } from "./parts.ts"
import { writeApart } from "./report-writing/write.ts"
import { createSealWatch } from "./seal-watch.ts"
import { storyFileOf } from "./story-file.ts"
import type { Logger } from "./telemetry/logs.ts"

/** What every role has of signature protocols (ADR 0053): their rows. Whoever asks waits as for a seal. */
export function protocolRows(
  { SEAL_WAIT_SECONDS }: Pick<Config, "SEAL_WAIT_SECONDS">,
  db: ServiceDatabase,
  log: Logger,
) {
  const isOver = createSealWatch(
    (names) => waitingProtocols(db, names),
    (error) => log.warn({ error }, "protocols"),
    SEAL_WAIT_SECONDS * 1000,
  )
  return { protocolIsOver: (of: ProtocolOf) => isOver(protocolName(of)) }
}

type Tending = Pick<ReturnType<typeof tendingLog>, "sequenceLog" | "signLogHead">

/** What a worker writes them from. They are sealed as the reports of validations are. */
export const protocolParts = (
  { PUBLIC_URL: publicUrl }: Pick<Config, "PUBLIC_URL">,
  { evidenceLog, now }: Pick<Parts, "evidenceLog" | "now">,
  { sequenceLog, signLogHead }: Tending,
) => ({
  catchUpLog: (async (kind) => {
    // Whoever tends the log may hold it just now: then what waits is theirs to take, and the job comes back for it in a second.
    while ((await sequenceLog(kind)) > 0);
    await signLogHead(kind)
  }) satisfies CatchUpLog,
  mustHold: (async (requestId, kind, story) => {
    const key = await evidenceLog.key(kind)
    if (key === null) throw new NotLogged()
    const file = wholeFileOf(requestId, story)
    const { faults } = checkStory(file, readVerifierKey(verifierKeyOf(key)))
    if (faults.length > 0)
      throw new LogBroken(`The story ${requestId} is not what the ${kind} log has: ${faults[0]?.fault}.`)
  }) satisfies MustHold,
  writeProtocol: (async ({ protocol, story, language, sealer }) => {
    const storyFile = writeStory(wholeFileOf(protocol.requestId, story))
    const order = { protocol, log: story.log, language, sealer, publicUrl, madeAt: now(), storyFile }
    return writeApart({ type: "protocol", order })
  }) satisfies WriteProtocol,
})

/** The job is tried again in a second. */
class NotLogged extends Error {
  override readonly name = "NotLogged"
  constructor() {
    super("The log does not have all of the story yet.")
  }
}

function wholeFileOf(requestId: string, story: ToldStory) {
  const file = storyFileOf(requestId, story)
  if (file === null || file.events.length < story.events.length) throw new NotLogged()
  return file
}
