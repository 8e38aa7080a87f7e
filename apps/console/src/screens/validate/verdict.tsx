import { useLingui } from "@lingui/react"
import { FilePlus2 } from "lucide-react"
import { useEffect, useRef } from "react"
import { Button } from "../../parts/button.tsx"
import { saySize } from "../../parts/said.ts"
import { foreign } from "./foreign.tsx"
import { LOOKS, UNSIGNED } from "./look.ts"
import type { Done } from "./use-validation.ts"
import { sayIndication, sayMoment, sayWhole, termOf } from "./words.ts"

type VerdictProps = Pick<Done, "answer" | "file" | "at"> & { readonly onAnother: () => void }

/** A sign, a word and a sentence; it takes the focus, so that it is the first that is heard too. */
export function Verdict({ answer, file, at, onAnother }: VerdictProps) {
  const { i18n } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  const { validation } = answer.additionalInfos
  const isSigned = answer.signatures > 0
  const indication = validation?.indication ?? "INDETERMINATE"
  const { Sign, ink, ground, edge } = isSigned ? LOOKS[indication] : UNSIGNED
  return (
    <section className={`card overflow-hidden border-l-8 ${edge}`}>
      <div className="flex flex-col gap-4 p-5 sm:flex-row sm:items-start sm:gap-6">
        <span className={`grid size-16 shrink-0 place-items-center rounded-full sm:size-20 ${ground} ${ink}`}>
          <Sign aria-hidden="true" size={40} strokeWidth={1.75} />
        </span>
        <div className="min-w-0 grow">
          <h2 ref={heading} tabIndex={-1} className={`display text-3xl outline-none sm:text-4xl ${ink}`}>
            {isSigned ? sayIndication(i18n, indication) : i18n._("No signature")}
          </h2>
          <p className="mt-2 max-w-xl text-lg">
            {isSigned
              ? sayWhole(i18n, indication, answer)
              : i18n._(
                  "This document carries no electronic signature. A picture of a handwritten one may be seen on it, but that proves nothing.",
                )}
          </p>
          {validation && <p className="mt-1 text-sm text-(--muted)">({termOf(validation)})</p>}
          <p className="mt-4 text-sm">
            <bdi className="font-semibold">{foreign(file.name)}</bdi>
            <span className="text-(--muted)">
              {" "}
              · {saySize(i18n, file.size)} · {i18n._("Validated {time}", { time: sayMoment(i18n, at) })}
            </span>
          </p>
        </div>
        <Button look="main" className="shrink-0" onClick={onAnother}>
          <FilePlus2 aria-hidden="true" size={18} />
          {i18n._("Validate another")}
        </Button>
      </div>
    </section>
  )
}
