import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { Ban, Check, Clock, Eye, Hourglass, MailX, TriangleAlert, UserMinus } from "lucide-react"
import { actions, useAction } from "../../api/requests.ts"
import type { Signature, SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Breakable } from "../../parts/breakable.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { calledOf, emailOf, nameOf } from "../../parts/people.ts"
import { sayTime } from "../../parts/said.ts"
import { Identified } from "./identified.tsx"
import { Vouched } from "./vouched.tsx"

type PersonProps = {
  readonly signature: Signature
  readonly request: SignatureRequest
  readonly mayChange: boolean
}

export function Person({ signature, request, mayChange }: PersonProps) {
  const { i18n } = useLingui()
  const { mail_problem: problem, last_viewed_at: viewedAt, signed_at: signedAt } = signature
  const { waiting_for: waitingFor } = signature
  const evidenceId = signature.signer_identity_data?.evidence_id
  const mayRemove = mayChange && request.status_overall === "OPEN" && signature.status_code === "OPEN"
  const { Sign, colours, word } = stateOf(i18n, signature, request)
  return (
    <li className="flex items-start gap-3 py-3">
      <span
        aria-hidden="true"
        className={`mt-0.5 grid size-9 shrink-0 place-items-center rounded-full ${colours}`}
      >
        <Sign size={18} />
      </span>
      <div className="min-w-0 grow">
        <p className="font-semibold">
          <Breakable text={calledOf(signature)} />
        </p>
        {nameOf(signature) !== null && (
          <p className="text-sm text-(--muted)">
            <Breakable text={emailOf(signature) ?? ""} />
          </p>
        )}
        <p className="text-sm">
          <span className="font-semibold">{word}</span>
          {signedAt !== undefined && <> · {sayTime(i18n, signedAt)}</>}
        </p>
        {viewedAt !== null && signedAt === undefined && (
          <p className="text-sm text-(--muted)">
            {i18n._("Opened on {time}", { time: sayTime(i18n, viewedAt) })}
          </p>
        )}
        {evidenceId !== undefined && (
          <Identified request={request} signature={signature} evidenceId={evidenceId} mayChange={mayChange} />
        )}
        {evidenceId === undefined && (
          <Vouched request={request} signature={signature} mayChange={mayChange} />
        )}
        {signature.name_warning === "MIXED_SCRIPTS" && (
          <p className="mt-1 flex items-start gap-1.5 text-sm font-semibold text-(--danger)">
            <TriangleAlert aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
            <span>
              {i18n._("The name mixes letters of different scripts. Please check that it is who you mean.")}
            </span>
          </p>
        )}
        {problem !== null && (
          <p className="mt-1 flex items-start gap-1.5 text-sm font-semibold text-(--danger)">
            <MailX aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
            <span>{i18n._("The mail came back: {problem}", { problem })}</span>
          </p>
        )}
        {waitingFor !== null && (
          <p className="mt-1 flex items-start gap-1.5 text-sm font-semibold">
            <Hourglass aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
            <span>{whatIsMissing(i18n, waitingFor)}</span>
          </p>
        )}
      </div>
      {mayRemove && <RemoveSigner requestId={request.id} signature={signature} />}
    </li>
  )
}

/** The person has pressed "sign"; the rest comes by itself. */
function whatIsMissing(i18n: I18n, waitingFor: NonNullable<Signature["waiting_for"]>): string {
  switch (waitingFor) {
    case "KEYS":
      return i18n._("Signed by the person; we wait for the signing keys.")
    case "TIMESTAMP":
      return i18n._("Signed by the person; we wait for a time-stamp.")
    case "REVOCATION":
      return i18n._("Signed by the person; we wait for word on the certificates.")
    case "PROVIDER":
      return i18n._("Confirmed by the person; we wait for the provider of the certificate.")
  }
}

type RemoveSignerProps = { readonly requestId: string; readonly signature: Signature }

function RemoveSigner({ requestId, signature }: RemoveSignerProps) {
  const { i18n } = useLingui()
  const who = calledOf(signature)
  const remove = useAction(requestId, actions.removeSigner, () =>
    announce(i18n._("{who} was removed.", { who })),
  )
  return (
    <div>
      <Button
        look="icon"
        busy={remove.isPending}
        aria-label={i18n._("Remove {who}", { who })}
        title={i18n._("Remove {who}", { who })}
        onClick={() => remove.mutate([requestId, signature.sid])}
      >
        <UserMinus aria-hidden="true" size={18} />
      </Button>
      <Wrong error={remove.error} />
    </div>
  )
}

function stateOf(i18n: I18n, signature: Signature, { status_overall, signatures }: SignatureRequest) {
  const quiet = "bg-(--quiet-soft) text-(--muted)"
  const bad = "bg-(--danger-soft) text-(--danger)"
  switch (signature.status_code) {
    case "SIGNED":
      return { Sign: Check, colours: "bg-(--good-soft) text-(--good)", word: i18n._("Signed") }
    case "DECLINED":
      return { Sign: Ban, colours: bad, word: i18n._("Declined") }
    case "ERROR":
      return { Sign: TriangleAlert, colours: bad, word: i18n._("Signing failed") }
    default: {
      if (status_overall !== "OPEN") return { Sign: Clock, colours: quiet, word: i18n._("Not signed") }
      const waits = signatures.some(
        ({ status_code, sequence }) =>
          status_code === "OPEN" && sequence > 0 && sequence < signature.sequence,
      )
      if (waits) return { Sign: Clock, colours: quiet, word: i18n._("Waits for others") }
      const Sign = signature.last_viewed_at === null ? Clock : Eye
      return { Sign, colours: "bg-(--accent-soft) text-(--accent)", word: i18n._("Asked to sign") }
    }
  }
}
