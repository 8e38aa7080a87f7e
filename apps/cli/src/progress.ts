/** Shows how far long work has come: a line that is written over on a terminal, and nothing where a program reads. */
export type Progress = {
  readonly show: (done: number) => void
  readonly end: () => void
}

type Screen = Pick<NodeJS.WriteStream, "isTTY" | "write">

const WIDTH = 30
/** People see no more changes than these, and a terminal over a network is spared. */
const PAUSE_MS = 100

/** `whole` is null where nobody knows how much there is. */
export function progress(
  label: string,
  whole: number | null,
  screen: Screen = process.stderr,
  now: () => number = Date.now,
): Progress {
  if (screen.isTTY !== true) return { show: () => undefined, end: () => undefined }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show: (done) => {
      if (now() - shownAt < PAUSE_MS && done !== whole) return
      shownAt = now()
      screen.write(`\r\u001b[K${label} ${whole === null ? String(done) : bar(done, whole)}`)
    },
    end: () => void screen.write("\r\u001b[K"),
  }
}

export function bar(done: number, whole: number): string {
  const share = whole === 0 ? 1 : Math.min(1, done / whole)
  const filled = Math.floor(share * WIDTH)
  return `[${"#".repeat(filled)}${".".repeat(WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}
