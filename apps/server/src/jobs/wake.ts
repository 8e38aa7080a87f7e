import type { Lack } from "@paraph/core/signature-request/model"
import type { Logger } from "../telemetry/logs.ts"

/** Rejects while what signatures wait for is still away. Keys are tried by a signature, authorities by a question. */
export type Probe = () => Promise<void>

/** One for each part that may be away by itself: demo signatures do not wait for the token of production. */
export type Probes = Readonly<Record<Lack, readonly Probe[]>>

export type Waking = {
  /** Told when a signature could not be made for the lack of this. */
  readonly note: (lack: Lack) => void
  readonly stop: () => Promise<void>
}

type Parts = {
  readonly probes: Probes
  /** Lets every signature that waits be tried now; answers how many there were. */
  readonly wakeSigning: () => Promise<number>
  readonly log: Logger
}

const LOOK_MS = 1_000
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 300_000

/**
 * The pauses between the attempts at a job grow to minutes. So while something is away, the worker itself asks for it every other
 * second, and when it is back all who wait for it are tried at once. Where that did not help, since the part answers and the
 * signature fails all the same, the next try comes later each time.
 */
export function startWaking({ probes, wakeSigning, log }: Parts): Waking {
  const away = new Map<Lack, Away>()
  const inVain = new Map<Lack, InVain>()
  const note = (lack: Lack) => {
    const lookAt = performance.now() + pauseOf(inVain.get(lack))
    if (!away.has(lack)) away.set(lack, { lookAt, seen: [] })
  }
  const look = async (lack: Lack, { seen }: Away) => {
    const gone = await failing(probes[lack])
    if (gone.length === 0) away.delete(lack)
    else away.set(lack, { lookAt: performance.now() + FIRST_PAUSE_MS, seen: gone })
    const isBack = seen.some((probe) => !gone.includes(probe))
    // Whoever waits, waits for what is still away.
    if (!isBack && gone.length > 0) return
    if (isBack) inVain.delete(lack)
    else inVain.set(lack, { at: performance.now(), pauseMs: pauseOf(inVain.get(lack)) })
    const signatures = await wakeSigning()
    if (signatures > 0) log.info({ lack, signatures }, "what signatures waited for is back")
  }
  const lookForAll = async () => {
    const due = [...away].filter(([, { lookAt }]) => lookAt <= performance.now())
    await Promise.all(due.map(([lack, one]) => look(lack, one)))
  }
  // Whoever starts a worker may have mended something.
  note("keys")
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(lookForAll).catch((error: unknown) => log.warn({ error }, "nobody was woken"))
  }, LOOK_MS)
  return {
    note,
    stop: () => {
      clearInterval(timer)
      return looking
    },
  }
}

type Away = {
  readonly lookAt: number
  /** Those that have met it: then its return is news. */
  readonly seen: readonly Probe[]
}

async function failing(probes: readonly Probe[]): Promise<readonly Probe[]> {
  const answers = await Promise.allSettled(probes.map((probe) => probe()))
  return probes.filter((_, n) => answers[n]?.status === "rejected")
}

/** The probe found nothing missing, so that waking may not help. */
type InVain = { readonly at: number; readonly pauseMs: number }

/** Doubled each time, and as at first after a while without. */
function pauseOf(last: InVain | undefined): number {
  const isOver = last === undefined || performance.now() - last.at > last.pauseMs + LONGEST_PAUSE_MS
  return isOver ? FIRST_PAUSE_MS : Math.min(2 * last.pauseMs, LONGEST_PAUSE_MS)
}
