import type { SingleSignOnSeen, WantedSingleSignOn } from "@paraph/core/account/single-sign-on-settings"
import { LIMITS } from "@paraph/core/limits"
import { Type } from "typebox"
import { closed, orNull, TEXT } from "../shared/fields.ts"

/** A documented addition: how people of a business log in by its own provider, with OpenID Connect (ADR 0037). */

const Join = Type.Enum(["nobody", "member"], {
  description: "What becomes of somebody of a granted domain who is no member: nothing, or a member.",
})
const Enforced = Type.Boolean({
  description: "Whether members with an address of a granted domain come in by nothing else.",
})

export const SingleSignOn = Type.Object({
  issuer: orNull(Type.String({ description: "Null: it is not set up." })),
  client_id: orNull(Type.String()),
  enforced: Enforced,
  join: Join,
  domains: Type.Array(Type.String(), { description: "Those that the operator has granted." }),
  redirect_uri: Type.String({ description: "What the provider must know, to the letter." }),
})
export type SingleSignOn = Type.Static<typeof SingleSignOn>

export const SingleSignOnBody = Type.Object(
  {
    issuer: Type.String({ minLength: 1, maxLength: LIMITS.issuerCharacters, pattern: TEXT }),
    client_id: Type.String({ minLength: 1, maxLength: 255, pattern: TEXT }),
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: TEXT,
        description: "Never shown again. Left out: the one that is there, for the same issuer and client_id.",
      }),
    ),
    enforced: Enforced,
    join: Type.Optional(Join),
  },
  closed,
)
export type SingleSignOnBody = Type.Static<typeof SingleSignOnBody>

export const readSingleSignOn = (body: SingleSignOnBody): WantedSingleSignOn => ({
  issuer: body.issuer,
  clientId: body.client_id,
  ...(body.client_secret !== undefined && { clientSecret: body.client_secret }),
  enforced: body.enforced,
  joins: body.join === "member",
})

export const writeSingleSignOn = (
  { settings, domains }: SingleSignOnSeen,
  redirectUri: string,
): SingleSignOn => ({
  issuer: settings?.issuer ?? null,
  client_id: settings?.clientId ?? null,
  enforced: settings?.enforced ?? false,
  join: settings?.joins === true ? "member" : "nobody",
  domains: [...domains],
  redirect_uri: redirectUri,
})
