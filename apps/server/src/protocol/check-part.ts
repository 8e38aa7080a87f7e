import type { Block } from "@paraph/pades/paper-block"
import { row } from "@paraph/validation/paper-rows"
import { fill } from "@paraph/validation/words-of-language"
import type { Shown } from "./shown.ts"
import { wordsOf } from "./words/of-language.ts"

/** How a stranger checks it without us: by the seal, by the file inside, by the fingerprints, by the key of the log. */
export function checkPart({ protocol, log, language, sealer, publicUrl }: Shown): readonly Block[] {
  const { check, notLogged } = wordsOf(language)
  const { kind, events, requestId } = protocol
  const address = `${publicUrl}/v2/signature-requests/${requestId}/report`
  const count = String(events.length)
  const items =
    sealer === null
      ? [fill(check.elsewhere, { address }), check.documents, check.command]
      : [fill(check.seal, { sealer }), fill(check.attached, { count }), check.documents, check.command]
  const [origin, size] = (log?.checkpoint ?? "").split("\n")
  return [
    { type: "heading", level: 2, text: check.heading },
    ...(events.every(({ logged }) => logged) ? [] : [{ type: "paragraph", text: notLogged } as const]),
    { type: "list", items },
    ...(log === null
      ? []
      : ([
          {
            type: "paragraph",
            text: fill(check.key, { address: `${publicUrl}${pathOf(origin, kind)}/key` }),
          },
          {
            type: "rows",
            rows: [...row(check.log, origin), ...row(check.logKey, log.key), ...row(check.logSize, size)],
          },
        ] satisfies readonly Block[])),
  ]
}

/** The origin of a log is a host and the path there (ADR 0066). */
const pathOf = (origin: string | undefined, kind: string): string =>
  /^[^/]+(\/(?:cells\/[a-z0-9-]+\/)?log\/\w+)$/.exec(origin ?? "")?.[1] ?? `/log/${kind}`
