// What a business took along (`paraph-export/1`): every file against the list, every story against the log, every signed document.

import { createHash } from "node:crypto"
import { bytesSource } from "@paraph/pades/source"
import { type Beside, readBeside } from "@paraph/validation/beside"
import { type ArchiveList, readList } from "./archive-list.ts"
import {
  type ArchiveFault,
  type OtherFile,
  type Standing,
  type Verified,
  type VerifiedArchive,
  type VerifiedDocument,
  type VerifiedStory,
  worst,
} from "./verified.ts"

/** An archive that somebody has opened; one file of it is in memory at a time. */
export type OpenArchive = {
  readonly name: string
  /** Of all files in it. */
  readonly paths: readonly string[]
  /** Null for one that is larger than what is read. */
  readonly read: (path: string) => Promise<Uint8Array | null>
}

export type VerifyGroup = (
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  beside: readonly Beside[],
) => Promise<Verified>

const LIST = "manifest.json"
/** Of files that are wrong, those that are named. */
const MAX_FAULTS = 100

export async function verifyArchive(archive: OpenArchive, verify: VerifyGroup): Promise<VerifiedArchive> {
  const list = await listOf(archive)
  const faults: ArchiveFault[] = []
  const note = (fault: ArchiveFault["fault"], path: string) => {
    if (faults.length < MAX_FAULTS) faults.push({ fault, path })
  }
  if (list === null) {
    note("list", LIST)
    return { ...empty(archive.name), standing: "fails", faults }
  }
  const listed = new Map(list.files.map(({ path, sha256 }) => [path, sha256]))
  const there = new Set(archive.paths)
  for (const path of there) if (path !== LIST && !listed.has(path)) note("unlisted", path)
  for (const path of listed.keys()) if (!there.has(path)) note("missing", path)
  const read = async (path: string) => {
    const bytes = await archive.read(path)
    if (bytes === null) note("too-large", path)
    else if (createHash("sha256").update(bytes).digest("hex") === listed.get(path)) return bytes
    else note("changed", path)
    return null
  }
  const beside = await besideOf(
    archive,
    [...listed].filter(([path]) => there.has(path)),
  )
  const counts = { signed: 0, stories: 0, withoutNews: 0 }
  const left: { documents: VerifiedDocument[]; stories: VerifiedStory[]; others: OtherFile[] } = {
    documents: [],
    stories: [],
    others: [],
  }
  const standings: Standing[] = []
  for (const [folder, paths] of groupsOf(archive.paths.filter((path) => listed.has(path)))) {
    const files = []
    for (const path of paths) {
      const bytes = await read(path)
      if (bytes !== null && isChecked(path)) files.push({ name: path, bytes })
    }
    const group = judged(folder, await verify(files, beside))
    counts.signed += group.signed
    counts.stories += group.stories.length
    counts.withoutNews += group.withoutNews
    const unsure = group.others.map(() => "unsure" as const)
    standings.push(...[...group.documents, ...group.stories].map(({ standing }) => standing), ...unsure)
    left.documents.push(...group.documents.filter(({ standing }) => standing !== "holds"))
    left.stories.push(...group.stories.filter(({ standing }) => standing !== "holds"))
    left.others.push(...group.others)
  }
  const standing = faults.length > 0 ? "fails" : worst(standings)
  const { business, exportedAt, isLast, isDemo } = list
  return {
    ...counts,
    name: archive.name,
    left,
    standing,
    faults,
    business,
    exportedAt,
    isLast,
    isDemo,
    files: listed.size,
  }
}

/** What was found in one folder. What nobody signed, and the story names or is silent about because there is none, is as the list has it. */
function judged(folder: string, { documents, stories, others }: Verified) {
  const isSigned = ({ report }: VerifiedDocument) => report === null || report.signatures.length > 0
  const kept = documents.flatMap((document): readonly VerifiedDocument[] => {
    if (isSigned(document)) return [document]
    return document.mentions?.length === 0 ? [{ ...document, standing: "unsure" }] : []
  })
  // The story of a request that is in the folder of another is nothing here.
  const id = /^(?:requests|receipts)\/([^/]+?)(?:\/|\.json)$/.exec(folder)?.[1]
  const isReceipt = folder.startsWith("receipts/")
  const own = stories.map((story): VerifiedStory => {
    const isOf = id === undefined || story.request === id
    const isOne = !isReceipt || (story.events.length === 1 && story.events[0]?.type === "story.erased")
    if (!isOf || !isOne) return { ...story, standing: "fails", faults: [...story.faults, { fault: "place" }] }
    return lacksNews(story) ? { ...story, standing: "holds" } : story
  })
  // Without its story a signed document may be any that these people ever signed.
  const lacks = folder.startsWith("requests/") && own.length === 0
  const missing = lacks ? [{ name: `${folder}story.json`, problem: "missing" } as const] : []
  return {
    documents: kept,
    stories: own,
    others: [...others, ...missing],
    signed: kept.filter(isSigned).length,
    withoutNews: own.filter(lacksNews).length,
  }
}

/**
 * The log has it, by a key that is trusted; and its head was stamped after all that was signed here. An archive always ends so: what
 * happened last is told by the newest head. It is said, and the story holds as one without a time-stamp does.
 */
const lacksNews = ({ faults, key, stamp }: VerifiedStory): boolean =>
  faults.length === 0 && key.isTrusted && stamp?.subIndication === "TRY_LATER"

const empty = (name: string) => ({
  name,
  business: null,
  exportedAt: null,
  isLast: true,
  files: 0,
  signed: 0,
  stories: 0,
  withoutNews: 0,
  isDemo: false,
  left: { documents: [], stories: [], others: [] },
})

async function listOf(archive: OpenArchive): Promise<ArchiveList | null> {
  if (!archive.paths.includes(LIST)) return null
  const bytes = await archive.read(LIST)
  return bytes && readList(bytes)
}

/** A request with its documents and its story; a document with that of its seal; each receipt by itself. */
function groupsOf(paths: readonly string[]): Iterable<readonly [folder: string, readonly string[]]> {
  return Map.groupBy(paths, (path) => /^(?:requests|documents)\/[^/]+\//.exec(path)?.[0] ?? path)
}

const isChecked = (path: string): boolean =>
  path.endsWith(".pdf") || path.endsWith("/story.json") || /^receipts\/[^/]+\.json$/.test(path)

const MAX_BESIDE = 3
const MAX_BESIDE_BYTES = 10_000_000

/** What an authority for time-stamps was said to be lies in signed documents; some of them will do for the stories of all. */
async function besideOf(
  archive: OpenArchive,
  listed: readonly (readonly [path: string, sha256: string])[],
): Promise<readonly Beside[]> {
  const found: Beside[] = []
  for (const [path, sha256] of listed) {
    if (found.length === MAX_BESIDE) break
    const bytes = path.endsWith(".pdf") ? await archive.read(path) : null
    if (bytes === null || bytes.length > MAX_BESIDE_BYTES || !Buffer.from(bytes).includes("/DSS")) continue
    if (createHash("sha256").update(bytes).digest("hex") === sha256)
      found.push(readBeside(bytesSource(bytes)))
  }
  return found
}
