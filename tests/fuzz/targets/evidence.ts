// What somebody hands over years later to be checked: stories, bodies of evidence, archives, and files that say whom to trust.
// seeds/story and seeds/export.zip are of our generator; nothing that was not logged is ever told as an event.

import { readFileSync } from "node:fs"
import { readBody, writeBody } from "@paraph/evidence/body"
import { checkStory } from "@paraph/evidence/check-story"
import { EvidenceRefused } from "@paraph/evidence/refused"
import { readStory, writeStory } from "@paraph/evidence/story"
import { type NoteKey, readVerifierKey, writeVerifierKey } from "@paraph/tlog/note-key"
import { TrustNotUnderstood, takeIn, trustedCertificates, trustedLogKeys } from "@paraph/verifying/take-in"
import { verifyFiles } from "@paraph/verifying/verify"
import { NotUnderstood } from "../../../apps/cli/src/not-understood.ts"
import { openArchive } from "../../../apps/cli/src/verify-archive.ts"
import { readList } from "../../../packages/verifying/src/archive-list.ts"
import { NOW, sampleWorld } from "../sample-pki.ts"
import { must, same, type Target } from "../target.ts"
import { inText, json, Nothing, texts } from "../texts.ts"
import { withFile } from "../with-file.ts"

const seed = (name: string) => new Uint8Array(readFileSync(new URL(`../seeds/${name}`, import.meta.url)))
const STORY = seed("story")
const TOLD = readStory(inText(STORY))
const KEY: NoteKey = readVerifierKey(TOLD.log.key)
const BODIES = TOLD.events.map(({ body }) => body)

export const evidenceBodies: Target = {
  name: "evidence-body",
  kind: "json",
  words: ["v", "request", "seq", "type", "at", "signature", "data", "mark.made", "2026-11-16T12:00:01.000Z"],
  seeds: () => texts(...BODIES, '{"at":"2026-02-30T00:00:00.000Z"}'),
  refusals: [EvidenceRefused],
  run: (input) => {
    const body = readBody(input)
    must(same(writeBody(body), input), "there is one way to write what happened")
    must(new Date(body.at).toISOString() === body.at, "its time is a time")
    must(Object.getPrototypeOf(body) === Object.prototype && body.seq >= 1, "it is plain data")
    return `${body.type === "signature.opened"} ${Object.keys(body.data).length} ${body.signature !== undefined}`
  },
}

export const stories: Target = {
  name: "story",
  kind: "json",
  words: [
    "format",
    "request",
    "log",
    "key",
    "checkpoint",
    "stamp",
    "events",
    "index",
    "salt",
    "body",
    "path",
    ...BODIES,
  ],
  seeds: () => [STORY],
  refusals: [EvidenceRefused],
  run: (input) => {
    const story = readStory(inText(input))
    must(
      JSON.stringify(readStory(writeStory(story))) === JSON.stringify(story),
      "what is written is read again",
    )
    const { faults, events } = checkStory(story, KEY)
    const logged = events.map((event) => inText(writeBody(event)))
    for (const body of logged) must(BODIES.includes(body), "only what was logged is told as an event")
    if (faults.length === 0) {
      // Somebody may leave out what came last, and nothing else: whoever has the whole story shows it.
      must(story.request === TOLD.request, "a story that holds is of its own request")
      must(
        logged.every((body, i) => body === BODIES[i]),
        "whole from its beginning, and in its order",
      )
    }
    const taken = takeIn({ name: "x", bytes: input })
    must(taken.kind !== "pdf", "a story is not taken for something else")
    return `${taken.kind} ${[...new Set(faults.map(({ fault }) => fault))].join()} ${events.length}`
  },
}

export const archiveLists: Target = {
  name: "archive-list",
  kind: "json",
  words: [
    "format",
    "kind",
    "business",
    "name",
    "exported_at",
    "is_last",
    "files",
    "path",
    "sha256",
    "demo",
    "../x",
  ],
  seeds: () => {
    const files = ["requests/1/story.json", "a.csv"].map((path) => ({
      path,
      bytes: 1,
      sha256: "ab".repeat(32),
    }))
    const list = {
      format: "paraph-export/1",
      kind: "demo",
      business: { id: "1", name: "Acme" },
      is_last: true,
      files,
    }
    return [json({ ...list, exported_at: "2026-11-16T12:00:00.000Z" }), json({ ...list, exported_at: "x" })]
  },
  refusals: [Nothing],
  run: (input) => {
    const list = readList(input)
    if (list === null) throw new Nothing("no list")
    const said = JSON.parse(inText(input).replace(/^\ufeff/, ""))
    must(list.business === said.business.name && list.isLast === said.is_last, "it is what was said")
    must(
      list.files.every(({ sha256 }) => typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256)),
      "a sum is a sum",
    )
    must(new Set(list.files.map(({ path }) => path)).size === list.files.length, "a file is listed once")
    must(!Number.isNaN(new Date(list.exportedAt).getTime()), "its time is a time")
    return `${list.isDemo} ${Math.min(3, list.files.length)}`
  },
}

export const archives: Target = {
  name: "archive",
  kind: "bytes",
  seeds: () => [seed("export.zip")],
  refusals: [NotUnderstood],
  run: (input) =>
    withFile(input, async (path) => {
      const { archive, close } = await openArchive(path)
      try {
        const { archives: found } = await verifyFiles({
          files: [],
          archives: [archive],
          logKeys: [KEY],
          now: NOW,
        })
        const [verified] = found
        must(verified !== undefined, "an archive that opens is judged")
        const { standing = "fails", faults = [], left } = verified ?? {}
        must(faults.length === 0 || standing === "fails", "an archive with a fault does not hold")
        if (standing !== "fails") {
          const there = await Promise.all(
            WHOLE.map(([name]) => archive.paths.includes(name) && archive.read(name)),
          )
          must(
            there.every((bytes, i) => bytes && same(bytes, WHOLE[i]?.[1] ?? new Uint8Array())),
            "what holds is as it was",
          )
        }
        return `${standing} ${faults.map(({ fault }) => fault).join()} ${left?.others.length}`
      } finally {
        close()
      }
    }),
}

const WHOLE = await withFile(seed("export.zip"), async (path) => {
  const { archive, close } = await openArchive(path)
  const found: [string, Uint8Array][] = []
  for (const name of archive.paths.filter((one) => one !== "manifest.json"))
    found.push([name, (await archive.read(name)) ?? new Uint8Array()])
  close()
  return found
})

const { root } = await sampleWorld()
const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`

export const trustFiles: Target = {
  name: "trust-file",
  kind: "words",
  words: ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----", "#", "\n", "=", "+", TOLD.log.key],
  seeds: () => [
    ...texts(pem(root.certificate.der), `# ours\r\n${TOLD.log.key}\n\n`, pem(root.certificate.der).repeat(2)),
    root.certificate.der,
  ],
  refusals: [TrustNotUnderstood],
  run: (input) => {
    if (input[0] === 0x30 || inText(input).includes("-----")) {
      const certificates = trustedCertificates({ name: "x", bytes: input })
      must(certificates.length > 0, "trust in nobody is an error")
      const begun = inText(input).split("-----BEGIN CERTIFICATE-----").length - 1
      must(input[0] === 0x30 || certificates.length === begun, "no certificate is passed over")
      return `certificates ${Math.min(3, certificates.length)}`
    }
    const lines = inText(input)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "" && !line.trim().startsWith("#"))
    const keys = trustedLogKeys(inText(input))
    must(
      keys.map(writeVerifierKey).join() === lines.map((line) => line.trim()).join(),
      "no key is passed over",
    )
    return `keys ${Math.min(3, keys.length)}`
  },
}
