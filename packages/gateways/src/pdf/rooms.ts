import type { Tenant } from "@paraph/core/fair-share/owner"
import { ownerOf } from "@paraph/core/fair-share/owner"
import type { PdfDescription } from "@paraph/pades/describe"
import type { Pixels } from "@paraph/pades/image"
import type { PrepareOptions } from "@paraph/pades/prepare"
import type { Prepared } from "@paraph/pades/prepared"
import type { WatermarkOptions } from "@paraph/pades/watermark"
import type { SealedFile } from "@paraph/seal/file"
import type { AskOutside, JudgeQuestion } from "./answer.ts"
import { answerOf, charging, createAsk } from "./ask-document.ts"
import {
  type CompareAllAsked,
  type CompareAsked,
  type Compared,
  comparedFrom,
  notCompared,
} from "./compared.ts"
import type { UploadLimits } from "./document-child.ts"
import type { FlattenOptions } from "./flatten-view.ts"
import type { PictureFormat } from "./picture.ts"
import type { PictureCleaned, PictureTold, PictureUse } from "./picture-child.ts"
import type { RaiseAsked, Raised } from "./raise-held.ts"
import type { RenderAsked, Rendered, TextAsked, TextsRead } from "./render-child.ts"
import { type Sandbox, sandboxHere } from "./sandbox/sandbox.ts"
import type { Judged, ValidateAsked } from "./validate-child.ts"
import type { ViewCheckOptions, ViewFinding } from "./view-check.ts"
import { createWorks, type PdfRoomsSettings } from "./works.ts"

export type { AskOutside, JudgeQuestion, Question } from "./answer.ts"
export type {
  CompareAllAsked,
  CompareAsked,
  Compared,
  ComparedPictures,
  Comparison,
  PageCompared,
} from "./compared.ts"
export type { PageText, TextLine } from "./page-text.ts"
export type { RaiseAsked, Raised } from "./raise-held.ts"
export type { RenderAsked, TextAsked, TextsRead } from "./render-child.ts"
export type { Protections, Sandbox, SandboxPolicy } from "./sandbox/sandbox.ts"
export type { AnchorTold, Judged, ValidateAsked } from "./validate-child.ts"
export type { ViewCheckOptions, ViewFinding, ViewReason } from "./view-check.ts"
export type { PdfRoomsSettings } from "./works.ts"

export type Picture = {
  readonly contentType: `image/${PictureFormat}`
  readonly bytes: Uint8Array
} & NonNullable<Rendered>

export type FlattenedPdf = {
  readonly bytes: Uint8Array
  /** A sentence for each change. */
  readonly changes: readonly string[]
}

export type Preparing = {
  /** A process that may have written to other documents of the owner before. */
  readonly isReused?: boolean | undefined
  /** The same document is soon to be raised, in the same process. */
  readonly stays?: boolean | undefined
}

export type PdfRooms = {
  /**
   * "ours": this service wrote the version, and a process that has looked at others of the owner may look at it. Of an upload,
   * decompression bombs and too many pages are refused as `too-complex`.
   */
  readonly describe: (
    file: SealedFile,
    owner: Tenant,
    origin?: "ours" | UploadLimits,
  ) => Promise<PdfDescription>
  readonly prepare: (
    file: SealedFile,
    owner: Tenant,
    options: PrepareOptions,
    preparing?: Preparing,
  ) => Promise<Prepared>
  /** The bytes to append to the document. */
  readonly watermark: (file: SealedFile, owner: Tenant, options: WatermarkOptions) => Promise<Uint8Array>
  /** The bytes to append behind the tail. What it wants to know of authorities, `outside` tells. */
  readonly raise: (
    file: SealedFile,
    owner: Tenant,
    asked: RaiseAsked,
    outside: AskOutside,
    isReused?: boolean,
  ) => Promise<Raised>
  /** Renders every page for screen and for print; empty where both are equal and each field shows its value. */
  readonly checkView: (
    file: SealedFile,
    owner: Tenant,
    options: ViewCheckOptions,
  ) => Promise<readonly ViewFinding[]>
  /** The document with the print state alone; rejects with `PdfRefused` where its pages would look different from print. */
  readonly flatten: (file: SealedFile, owner: Tenant, options: FlattenOptions) => Promise<FlattenedPdf>
  /** Pages are counted from 0; null where there is no such page. */
  readonly renderPage: (file: SealedFile, owner: Tenant, asked: RenderAsked) => Promise<Picture | null>
  /** The text of some pages, each with its lines. */
  readonly readTexts: (file: SealedFile, owner: Tenant, asked: TextAsked) => Promise<TextsRead>
  /** The verdict on its signatures, and the pages to compare. What it wants to know of the world, `outside` tells. */
  readonly validate: (
    file: SealedFile,
    owner: Tenant,
    asked: Omit<ValidateAsked, "type">,
    outside: AskOutside<JudgeQuestion>,
  ) => Promise<Judged>
  /** Whether pages look as they did when the file ended at `before`; whatever the document does, there is an answer. */
  readonly compare: (file: SealedFile, owner: Tenant, asked: CompareAsked) => Promise<Compared>
  /** The same for all signatures of a document, in one process that draws each page of each revision once. */
  readonly compareAll: (
    file: SealedFile,
    owner: Tenant,
    asked: CompareAllAsked,
  ) => Promise<readonly Compared[]>
  /** A picture of a signature as pixels on white, trimmed; the file is PNG or JPEG, else `PdfAskedWrongly`. */
  readonly cleanPicture: (
    picture: Uint8Array,
    owner: Tenant,
    use?: PictureUse,
  ) => Promise<Omit<Pixels, "mask">>
  /** Which protections of the processes are active here; for the operator. */
  readonly sandbox: () => Sandbox
  readonly close: () => Promise<void>
}

/**
 * Every touch of a PDF from outside. The caller never parses one, nor holds one: a process opens the sealed file itself,
 * that has seen no other document and will see none, or, where we write to what was let in before, none of another business (R18, ADR 0069). Rejects with `PdfRefused` for the document's fault,
 * `PdfAskedWrongly` for the caller's and `PdfRoomsBusy` for too many.
 */
export function createPdfRooms(settings: PdfRoomsSettings): PdfRooms {
  const { folder, cpu, reading, drawing, viewing, validating, comparing, looking, close } =
    createWorks(settings)
  const { ask, takeStayed } = createAsk(folder, cpu)
  const compareAll: PdfRooms["compareAll"] = (file, owner, asked) => {
    const { comparisons, maxPictures, processorMs = COMPARING_MS } = asked
    const all = { comparisons, maxPictures, budgetMs: LOOKING_SHARE * processorMs }
    return ask(comparing, file, owner, all, { processorMs }).then(comparedFrom, (error: unknown) =>
      comparisons.map(() => notCompared(error)),
    )
  }
  return {
    describe: async (file, owner, origin) => {
      const serves = origin === "ours" ? servesOf("looks", owner) : undefined
      const asked = { type: "describe", ...(typeof origin === "object" && { upload: origin }) } as const
      return (await ask(reading, file, owner, asked, { serves })).value as PdfDescription
    },
    prepare: async (file, owner, options, { isReused = false, stays } = {}) => {
      const serves = isReused ? servesOf("writes", owner) : undefined
      const { value } = await ask(reading, file, owner, { type: "prepare", options }, { stays, serves })
      return value as Prepared
    },
    watermark: async (file, owner, options) =>
      (await ask(reading, file, owner, { type: "watermark", options })).body,
    raise: async (file, owner, asked, outside, isReused = false) => {
      const serves = isReused ? servesOf("writes", owner) : undefined
      const around = { outside, stayed: takeStayed(file), serves }
      const { value, body } = await ask(reading, file, owner, { type: "raise", ...asked }, around)
      return { ...(value as Omit<Raised, "tail">), tail: body }
    },
    checkView: async (file, owner, options) => {
      const processorMs = options.budgetMs + LAST_PAGE_MS
      const { value } = await ask(viewing, file, owner, { type: "check-view", ...options }, { processorMs })
      return value as readonly ViewFinding[]
    },
    flatten: async (file, owner, options) => {
      const processorMs = options.budgetMs + LAST_PAGE_MS
      const asked = { type: "flatten", ...options } as const
      const { value, body } = await ask(viewing, file, owner, asked, { processorMs })
      return { ...(value as Pick<FlattenedPdf, "changes">), bytes: body }
    },
    renderPage: async (file, owner, asked) => {
      const { value, body } = await ask(drawing, file, owner, asked)
      const size = value as Rendered
      return size === null ? null : { contentType: `image/${asked.format}`, bytes: body, ...size }
    },
    readTexts: async (file, owner, asked) => (await ask(drawing, file, owner, asked)).value as TextsRead,
    validate: async (file, owner, asked, outside) =>
      (await ask(validating, file, owner, { type: "validate", ...asked }, { outside })).value as Judged,
    compare: async (file, owner, { maxPictures, ...comparison }) => {
      const [compared] = await compareAll(file, owner, { comparisons: [comparison], maxPictures })
      if (compared === undefined) throw new Error("A PDF process said nothing.")
      return compared
    },
    compareAll,
    cleanPicture: async (picture, owner, use = "signature") => {
      const told: PictureTold = { picture, use }
      const { value, body } = await looking.small(ownerOf(owner), () =>
        looking.take(owner, (room) => charging(room, owner, looking.name, cpu, () => answerOf(room, told))),
      )
      return { ...(value as PictureCleaned), rgb: body }
    },
    sandbox: () => sandboxHere(folder),
    close,
  }
}

/** CPU time: the child looks at its budget between two pages, and one page may take so much more. */
const LAST_PAGE_MS = 1_000

/** Of the processor. */
const COMPARING_MS = 5_000
/** Who looks stops by itself then, and tells what was seen so far; what is left is for a page that takes long. */
const LOOKING_SHARE = 0.7

/** Who looks at what was written has never written (R22). Demo and production have processes of their own. */
const servesOf = (what: "looks" | "writes", owner: Tenant): string => `${what} ${ownerOf(owner).key}`
