import { type Vouch as Model, VOUCH_DOCUMENTS } from "@paraph/core/release/model"
import type { Vouching } from "@paraph/core/release/vouch"
import { Type } from "typebox"
import { closed, DateTime, orNull, TEXT, Uuid } from "../shared/fields.ts"

const spelled = (document: string): string => document.toUpperCase().replaceAll("-", "_")
const DOCUMENTS = VOUCH_DOCUMENTS.map(spelled)

export const VouchParams = Type.Object({ id: Uuid, sid: Uuid })
export type VouchParams = Type.Static<typeof VouchParams>

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: TEXT })
const members = {
  first_name: Name,
  last_name: Name,
  document: Type.Enum(DOCUMENTS, { description: "The official document that the member saw." }),
}

/** What a member says of a signer whom they met. */
export const NewVouch = Type.Object(
  {
    ...members,
    mobile_number: Type.Optional(
      orNull(
        Type.String({
          maxLength: 40,
          pattern: TEXT,
          description:
            "A number at which the member reached the signer during the check. A code by SMS activates the key only at such a number.",
        }),
      ),
    ),
  },
  closed,
)
export type NewVouch = Type.Static<typeof NewVouch>

export const Vouch = Type.Object({
  ...members,
  mobile_number: orNull(Type.String()),
  by: Type.String({ description: "The e-mail address of the member." }),
  at: DateTime,
})
export type Vouch = Type.Static<typeof Vouch>

export const readVouch = ({ id, sid }: VouchParams, body: NewVouch): Vouching => ({
  requestId: id.toLowerCase(),
  signatureId: sid.toLowerCase(),
  givenName: body.first_name,
  surname: body.last_name,
  mobileNumber: body.mobile_number ?? null,
  document: VOUCH_DOCUMENTS[DOCUMENTS.indexOf(body.document)] ?? "passport",
})

export const writeVouch = ({ givenName, surname, mobileNumber, document, by, at }: Model): Vouch => ({
  first_name: givenName,
  last_name: surname,
  document: spelled(document),
  mobile_number: mobileNumber,
  by,
  at,
})
