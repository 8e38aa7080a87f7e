import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { countriesIn, type Identification, identification, review } from "../../api/identifications.ts"
import { useAction } from "../../api/requests.ts"
import type { Signature, SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Breakable } from "../../parts/breakable.tsx"
import { Button } from "../../parts/button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { calledOf } from "../../parts/people.ts"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"

type ReviewSheetProps = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly evidenceId: string
  readonly onClose: () => void
}

/** Whom we asked for and whom the provider saw, side by side; whoever asked for the signature says whether it is one person. */
export function ReviewSheet({ request, signature, evidenceId, onClose }: ReviewSheetProps) {
  const { i18n } = useLingui()
  const evidence = useQuery(identification(request.id, evidenceId))
  const who = calledOf(signature)
  const decide = useAction(request.id, review, (_, __, decision) =>
    announce(
      decision === "ACCEPTED"
        ? i18n._("{who} can sign now.", { who })
        : i18n._("The identification of {who} was refused.", { who }),
    ),
  )
  const button = (decision: "ACCEPTED" | "REJECTED", words: string) => (
    <Button
      look={decision === "ACCEPTED" ? "main" : "danger"}
      busy={decide.isPending && decide.variables?.[2] === decision}
      onClick={({ currentTarget }) =>
        decide.mutate([request.id, evidenceId, decision], {
          onSuccess: () => closeSheetAround(currentTarget),
        })
      }
    >
      {words}
    </Button>
  )
  return (
    <Sheet heading={i18n._("Is this the person you asked?")} onClose={onClose}>
      {evidence.isPending && <Loading />}
      {evidence.data && <Seen who={who} evidence={evidence.data} />}
      <p className="mb-4">
        {i18n._(
          "If you say yes, the signature carries the verified name. If you say no, it cannot be signed with this identification; the person may be identified again. You cannot change your answer.",
        )}
      </p>
      <Wrong error={evidence.error ?? decide.error} />
      <SheetActions>
        {evidence.data && button("ACCEPTED", i18n._("Yes, accept"))}
        {evidence.data && button("REJECTED", i18n._("No, refuse"))}
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}

function Seen({ who, evidence }: { readonly who: string; readonly evidence: Identification }) {
  const { i18n } = useLingui()
  const countries = countriesIn(evidence)
  return (
    <dl className="mb-4 grid gap-3 rounded-xl bg-(--quiet-soft) px-4 py-3">
      <Row name={i18n._("You asked")}>{who}</Row>
      <Row name={i18n._("The provider verified")}>{evidence.name ?? "–"}</Row>
      {countries.length > 0 && (
        <Row name={i18n._("Papers issued by")}>
          {countries.map((code) => sayCountry(i18n, code)).join(", ")}
        </Row>
      )}
    </dl>
  )
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-(--muted)">{name}</dt>
      <dd className="font-semibold">
        {typeof children === "string" ? <Breakable text={children} /> : children}
      </dd>
    </div>
  )
}

const sayCountry = (i18n: I18n, code: string): string =>
  new Intl.DisplayNames([i18n.locale], { type: "region" }).of(code) ?? code
