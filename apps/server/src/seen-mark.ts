import type { PrepareOptions } from "@paraph/core/signature-request/ports"
import type { Mark } from "@paraph/pades/appearance"
import { readPng } from "@paraph/pades/png"

type MakeAppearance = typeof import("@paraph/pades/appearance").makeAppearance
type Seen = Pick<PrepareOptions, "fieldName" | "field" | "positions" | "lines" | "look" | "signerName">

/** What the engine needs to show a mark. Made here, since the process that reads the PDF knows no fonts; a mark that nobody sees needs none. */
export async function seenMark(makeAppearance: MakeAppearance, seen: Seen) {
  const { fieldName, field, positions, lines } = seen
  const [place, ...alsoAt] = positions
  if (place === undefined) return { fieldName }
  const appearance = await makeAppearance({
    width: place.width,
    height: place.height,
    lines,
    ...markOf(seen),
  })
  return field === "existing" ? { fieldName, appearance } : { fieldName, place, alsoAt, appearance }
}

/** What the signer chose, as the engine draws it; nothing for plain text. */
function markOf({ look, signerName }: Seen): { readonly mark?: Mark } {
  if (look.type === "plain") return {}
  if (look.type === "typed") return { mark: { type: "typed", hand: look.font, name: signerName } }
  if (look.type === "drawn") return { mark: look }
  return { mark: { type: "picture", pixels: readPng(look.png) } }
}
