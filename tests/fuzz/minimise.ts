// Makes an input smaller as long as it still shows the fault: first by halves, then by ever smaller chunks; at the end
// whatever octets can be plain are.

import { smallerDer } from "./mutate-der.ts"

const MAX_TRIES = 1_500
const MAX_MS = 5_000

export async function minimise(
  input: Uint8Array,
  shows: (candidate: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  const until = performance.now() + MAX_MS
  let tries = 0
  const goesOn = (): boolean => tries < MAX_TRIES && performance.now() < until
  const stillShows = async (candidate: Uint8Array): Promise<boolean> => {
    tries += 1
    return shows(candidate)
  }

  let best = input
  for (let size = Math.ceil(input.length / 2); size >= 1 && goesOn(); size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length && goesOn(); ) {
      const candidate = Buffer.concat([best.subarray(0, at), best.subarray(at + size)])
      if (await stillShows(candidate)) best = candidate
      else at += size
    }
  }
  for (let at = 0; at < best.length && goesOn(); at++) {
    if (best[at] === 0x30) continue
    const candidate = new Uint8Array(best)
    candidate[at] = 0x30
    if (await stillShows(candidate)) best = candidate
  }
  return new Uint8Array(best)
}

/** Of a DER encoding: values go, or lose their content, with the lengths around them fitted again. */
export async function minimiseDer(
  input: Uint8Array,
  shows: (candidate: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  const until = performance.now() + MAX_MS
  let best = input
  for (let shorter = true; shorter && performance.now() < until; ) {
    shorter = false
    for (const candidate of smallerDer(best)) {
      if (candidate.length >= best.length || !(await shows(candidate))) continue
      best = candidate
      shorter = true
      break
    }
  }
  return new Uint8Array(best)
}
