// Files in, what can be said of them out: no server, no network, no clock. Runs in Node and in a browser.

import type { Story } from "@paraph/evidence/story"
import { bytesSource } from "@paraph/pades/source"
import type { Certificate } from "@paraph/pki/certificate"
import type { NoteKey } from "@paraph/tlog/note-key"
import { type Beside, readBeside } from "@paraph/validation/beside"
import type { DocumentReport } from "@paraph/validation/report"
import { type OpenArchive, verifyArchive } from "./archive.ts"
import { type ComparePages, type OpenedDocument, verifyDocument } from "./document.ts"
import { mentionsOf, toldUpTo } from "./mentions.ts"
import { verifyStory } from "./story.ts"
import { type GivenFile, takeIn } from "./take-in.ts"
import {
  type OtherFile,
  type Verified,
  type VerifiedArchive,
  type VerifiedDocument,
  type VerifiedStory,
  worst,
} from "./verified.ts"

export type { ComparePages } from "./document.ts"

export type Given = {
  readonly files: readonly GivenFile[]
  readonly archives?: readonly OpenArchive[]
  /** PDFs in which more is said of authorities for time-stamps than in the files. */
  readonly beside?: readonly Beside[]
  /** Of logs that the reader trusts; without any, a story is compared with the key that it names itself. */
  readonly logKeys?: readonly NoteKey[]
  /** Whom the reader trusts. */
  readonly trusted?: readonly Certificate[]
  readonly now: Date
  /** Without it, a document in which something was added that can be seen is not said to hold. */
  readonly comparePages?: ComparePages
}

export async function verifyFiles(given: Given): Promise<Verified> {
  const { files, logKeys = [], trusted = [], now, comparePages } = given
  const anchors = trusted.map((certificate) => ({ certificate }))
  const documents: OpenedDocument[] = []
  const stories: { readonly name: string; readonly story: Story }[] = []
  const others: OtherFile[] = []
  for (const file of files) {
    const taken = takeIn(file)
    if (taken.kind === "other") others.push({ name: file.name, problem: taken.problem })
    else if (taken.kind === "story") stories.push({ name: file.name, story: taken.story })
    else {
      const opened = await verifyDocument(file, { anchors, now, comparePages })
      documents.push(opened)
      if (opened.story === "damaged") others.push({ name: `${file.name}: story.json`, problem: "story" })
      else if (opened.story !== undefined) stories.push({ name: file.name, story: opened.story })
    }
  }
  // What an authority for time-stamps was said to be may lie in a PDF that came along.
  const beside = [
    ...documents.flatMap(({ file, report }) =>
      report === null ? [] : [readBeside(bytesSource(file.bytes))],
    ),
    ...(given.beside ?? []),
  ]
  const checked = stories.map(({ name, story }) =>
    verifyStory(name, story, { logKeys, anchors, now, beside }),
  )
  const told = documents.map((document) => toldDocument(document, checked))
  const archives: VerifiedArchive[] = []
  for (const archive of given.archives ?? [])
    archives.push(
      await verifyArchive(archive, (inside, others) =>
        verifyFiles({
          files: inside,
          beside: others,
          logKeys,
          trusted,
          now,
          ...(comparePages && { comparePages }),
        }),
      ),
    )
  const standings = [...told, ...checked, ...archives].map(({ standing }) => standing)
  return {
    at: now.toISOString(),
    standing: worst([...standings, ...others.map(() => "unsure" as const)]),
    trusted: trusted.length,
    comparesPages: comparePages !== undefined,
    documents: told,
    stories: checked,
    archives,
    others,
  }
}

/** ADR 0053: the seal of a report says of which request. Anybody can write that as a reason, so it is told whose seal it is. */
function sealerOf(report: DocumentReport | null, { request }: Story): string | undefined {
  const reason = `Protocol of signature request ${request}`
  const seal = report?.signatures.find(
    ({ indication, optionalInfos }) => indication === "TOTAL-PASSED" && optionalInfos.reason === reason,
  )
  return seal && (seal.signer ?? "?")
}

const isSignedBehind = (report: DocumentReport | null, end: number): boolean =>
  (report?.signatures ?? []).some(({ byteRange: [, , from = 0, length = 0] = [] }) => from + length > end)

function toldDocument(opened: OpenedDocument, stories: readonly VerifiedStory[]): VerifiedDocument {
  const { file, sha256, report, refused, story, standing, prefixes } = opened
  const size = file.bytes.length
  const carriesStory = story !== undefined
  const mentions = stories.length === 0 ? null : mentionsOf({ sha256, size, prefixes }, stories)
  const reportSealedBy = story === undefined || story === "damaged" ? undefined : sealerOf(report, story)
  // That a story is beside a file, or inside it, does not say that it tells of this file.
  const isLeftOut = mentions?.length === 0 && reportSealedBy === undefined
  const isSignedLater = (mentions?.length ?? 0) > 0 && isSignedBehind(report, toldUpTo(mentions ?? []))
  return {
    name: file.name,
    sha256,
    size,
    standing: isLeftOut || isSignedLater ? worst([standing, "unsure"]) : standing,
    report,
    ...(refused !== undefined && { refused }),
    carriesStory,
    ...(reportSealedBy !== undefined && { reportSealedBy }),
    isSignedLater,
    mentions,
  }
}
