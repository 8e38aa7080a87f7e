import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type {
  VisualSignature as Model,
  Position as PositionModel,
} from "@paraph/core/signature-request/model"
import { Type } from "typebox"
import { type Members, TEXT } from "./fields.ts"

/** Far beyond any page (ISO 32000-2, Annex C: 14,400); whether it lies on its own page is for core to say. */
const PAGE_POINTS = 1_000_000
const coordinate = Type.Number({ minimum: -PAGE_POINTS, maximum: PAGE_POINTS })
const extent = Type.Number({ exclusiveMinimum: 0, maximum: PAGE_POINTS })

/** Part 2.3: the origin is the lower left corner, and "0" is the first page. */
export const positionMembers = {
  page: Type.String({ pattern: "^(?:0|[1-9][0-9]{0,6})$", description: 'Counted from "0".' }),
  x: coordinate,
  y: coordinate,
  width: extent,
  height: extent,
}
type Position = Members<typeof positionMembers>

export const FormField = Type.String({
  minLength: 1,
  maxLength: LIMITS.textCharacters,
  pattern: TEXT,
  description: "Name of a signature field in the PDF.",
})

type Given = {
  readonly form_field?: string
  readonly position?: Position
  readonly positions?: readonly Position[]
}

/** A form field and a position are alternatives (part 2.3); null is a mark that the signer places freely. */
export function readVisual(given: Given | null | undefined): Model | null {
  if (given === null || given === undefined) return null
  const { form_field: name, position, positions = position && [position] } = given
  const ways = [name, position, given.positions].filter((way) => way !== undefined)
  if (ways.length !== 1 || (name === undefined && positions === undefined))
    throw new Refusal(
      "constraint-violated",
      "A visual_signature is a form_field or a position, and not both.",
    )
  if (positions === undefined) return { type: "form-field", name: name ?? "" }
  return { type: "positions", positions: positions.map(readPosition) }
}

export const readPosition = ({ page, x, y, width, height }: Position): PositionModel => ({
  page: Number(page),
  x,
  y,
  width,
  height,
})

export const writePosition = ({ page, x, y, width, height }: PositionModel): Position => ({
  page: String(page),
  x,
  y,
  width,
  height,
})
