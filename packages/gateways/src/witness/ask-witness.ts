// C2SP tlog-witness: somebody else who has seen that a log only grows, and says so under its head.

import { openCheckpoint } from "@paraph/tlog/checkpoint"
import type { NoteSignature } from "@paraph/tlog/note"
import type { NoteKey } from "@paraph/tlog/note-key"
import { readCosignatures, readKnownSize, writeAddCheckpoint } from "@paraph/tlog/witness"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"

/** Where it stands, and by which key it is known. */
export type Witness = { readonly url: string; readonly key: NoteKey }

export type Witnessed = {
  /** A head that the log itself has signed. */
  readonly checkpoint: string
  readonly log: NoteKey
  /** What the witness has probably seen last. */
  readonly older: number
  /** That the tree of this head goes on from that of a size. */
  readonly proveGrown: (older: number) => Promise<readonly Uint8Array[]>
}

const MAX_ANSWER_BYTES = 16_384
// The log goes on without it.
const TIMEOUT_MS = 3_000
const CONFLICT = 409

/** What it signs; whoever adds that to the checkpoint has it verified here. A witness that remembers another size is asked once more. */
export async function askWitness(
  outbound: Outbound,
  witness: Witness,
  asked: Witnessed,
): Promise<readonly NoteSignature[]> {
  const first = await addCheckpoint(outbound, witness, asked, asked.older)
  const answer =
    first.status === CONFLICT
      ? await addCheckpoint(outbound, witness, asked, readKnownSize(first.text))
      : first
  if (answer.status !== 200) throw new OutboundFailed("status", `The witness answered ${answer.status}.`)
  const signatures = readCosignatures(answer.text).filter(({ name }) => name === witness.key.name)
  mustBeIts(witness.key, asked, answer.text)
  return signatures
}

async function addCheckpoint(
  outbound: Outbound,
  { url }: Witness,
  { checkpoint, proveGrown }: Witnessed,
  older: number,
) {
  // RFC 6962, 2.1.2: of nothing, and of the same, there is nothing to prove.
  const proof = older === 0 ? [] : await proveGrown(older)
  const { status, body } = await outbound.request("witness", `${url.replace(/\/$/, "")}/add-checkpoint`, {
    method: "POST",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: Buffer.from(writeAddCheckpoint({ older, proof, checkpoint }), "utf8"),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
  return { status, text: Buffer.from(body).toString("utf8") }
}

function mustBeIts(key: NoteKey, { checkpoint, log }: Witnessed, lines: string): void {
  const opened = openCheckpoint(Buffer.from(checkpoint + lines, "utf8"), log, [key])
  if (opened?.witnesses.length !== 1)
    throw new OutboundFailed("status", "The witness answered something that it has not signed.")
}
