// One question about one document, to a process that may have it: a fresh one, the one that has read it, or one that has read others of
// the same business.

import { dirname, resolve } from "node:path"
import { ownerOf, type Tenant } from "@paraph/core/fair-share/owner"
import { PdfRefused } from "@paraph/pades/refused"
import type { SealedFile } from "@paraph/seal/file"
import { BULK_BYTES } from "../fair-queue.ts"
import type { Said, Told } from "./answer.ts"
import type { CompareAllAsked } from "./compare-child.ts"
import type { DocumentAsked } from "./document-child.ts"
import { PdfAskedWrongly, PdfUnmet } from "./failed.ts"
import type { FlattenQuery } from "./flatten-view.ts"
import type { PictureTold } from "./picture-child.ts"
import type { RenderAsked, TextAsked } from "./render-child.ts"
import type { Asking, Room } from "./room.ts"
import { createServing } from "./serving.ts"
import { createStaying } from "./staying.ts"
import { GIVING_WAY, lowerPriority } from "./urgency.ts"
import type { ValidateAsked } from "./validate-child.ts"
import type { ViewCheckQuery } from "./view-check-child.ts"
import type { CpuCharge, Work } from "./works.ts"

type Asked =
  | ViewCheckQuery
  | FlattenQuery
  | DocumentAsked
  | RenderAsked
  | TextAsked
  | ValidateAsked
  | CompareAllAsked
type For = Asking & {
  /** A process that has read this document before. */
  readonly stayed?: Room | undefined
  /** Which others it may have read before, and may read afterwards; by default none. */
  readonly serves?: string | undefined
}

export function createAsk(folder: string, cpu: CpuCharge) {
  const staying = createStaying()
  const serving = createServing()
  const ask = async (
    { name, take, ...queues }: Work,
    file: SealedFile,
    owner: Tenant,
    asked: Asked,
    { stayed, serves, ...asking }: For = {},
  ) => {
    if (dirname(resolve(file.path)) !== folder) throw new Error("The file is not in the folder of the rooms.")
    const isBulk = file.sizeBytes > BULK_BYTES
    const next = isBulk ? undefined : serves
    const queue = isBulk ? queues.bulk : queues.small
    const answered = async (room: Room) => {
      lowerPriority(room.process.pid, priorityLoss(isBulk, owner, cpu))
      const stays = asking.stays === true || next !== undefined
      const answer = await charging(room, owner, name, cpu, () =>
        answerOf(room, { file, asked }, { ...asking, stays }),
      )
      if (room.isStaying() && asking.stays === true) staying.keep(file, room)
      else if (room.isStaying() && next !== undefined) serving.keep(next, room)
      return answer
    }
    return queue(ownerOf(owner), async () => {
      const room = stayed?.isStaying() === true ? stayed : next === undefined ? undefined : serving.take(next)
      if (room === undefined) return take(owner, answered)
      return answered(room).catch((error: unknown) => {
        // Whether that was this document or those before it: one that has seen none of them tells.
        if (error instanceof PdfUnmet) throw error
        return take(owner, answered)
      })
    })
  }
  return { ask, takeStayed: staying.take }
}

/** Production goes before demo, small documents before large ones, and an owner within its CPU budget before the others. */
const priorityLoss = (isBulk: boolean, owner: Tenant, cpu: CpuCharge): number =>
  [isBulk, owner.kind === "demo", cpu.isOver(owner)].filter(Boolean).length * GIVING_WAY

/** A process that has read other documents before is charged for this one only. */
export async function charging<T>(
  room: Room,
  owner: Tenant,
  work: Work["name"],
  cpu: CpuCharge,
  act: () => Promise<T>,
): Promise<T> {
  const before = room.cpuMs()
  try {
    return await act()
  } finally {
    cpu.charge(owner, work, Math.max(0, room.cpuMs() - before))
  }
}

export async function answerOf(room: Room, told: Told<Asked> | PictureTold, asking?: Asking) {
  const { header, body } = await room.ask(told, asking)
  const said = header as Said
  if (said.type === "done") return { value: said.value, body }
  if (said.type === "refused") throw new PdfRefused(said.code, said.message)
  if (said.type === "asked-wrongly") throw new PdfAskedWrongly(said.message)
  if (said.type === "unmet") throw new PdfUnmet(said.want, said.message)
  throw new Error(said.type === "fault" ? said.message : "A PDF process said nothing.")
}
