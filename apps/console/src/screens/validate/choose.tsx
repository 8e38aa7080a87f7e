import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Coins, EyeOff, FlaskConical, type LucideIcon } from "lucide-react"
import type { ReactNode } from "react"
import { creditInfos } from "../../api/validation.ts"
import { DropZone } from "../../parts/drop-zone.tsx"
import { Nothing, Wrong } from "../../parts/notice.tsx"
import { useSession } from "../../session/session.tsx"
import { leftOf, sayCredits } from "./credits.ts"
import { foreign } from "./foreign.tsx"
import { sayRefused } from "./refused.ts"
import { useDropAnywhere } from "./use-drop-anywhere.ts"
import type { Refused } from "./use-validation.ts"

type ChooseProps = { readonly refused: Refused | null; readonly onFile: (file: File) => void }

/** Before anything is sent: what happens to the document, and what it costs. */
export function Choose({ refused, onFile }: ChooseProps) {
  const { i18n } = useLingui()
  const { kind } = useSession()
  const { data: infos } = useQuery(creditInfos)
  const isUsedUp = infos ? leftOf(infos) === "nothing" : true
  useDropAnywhere(isUsedUp ? null : onFile)
  if (!infos) return null
  return (
    <>
      <p className="-mt-2 mb-5 max-w-2xl text-(--muted)">
        {i18n._(
          "Choose a signed PDF, whoever it comes from. You see who signed it, whether that can be relied on, and whether anything was changed since.",
        )}
      </p>
      <Wrong error={refused && `${foreign(refused.file.name)}: ${sayRefused(i18n, refused.error)}`} />
      {isUsedUp ? (
        <Nothing title={i18n._("Not enough credits are left this month")}>
          {i18n._("New ones come with the next month. Whoever runs this service can agree on more with you.")}
        </Nothing>
      ) : (
        <DropZone
          isLarge
          isSingle
          about={i18n._("PDF, up to 50 MB")}
          onFiles={([file]) => file && onFile(file)}
        />
      )}
      <ul className="mt-6 grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Point Sign={EyeOff}>
          {i18n._(
            "The document is not kept. The result is deleted after ten minutes, or as soon as you say so.",
          )}
        </Point>
        <Point Sign={Coins}>{sayCredits(i18n, infos, kind)}</Point>
        {kind === "demo" && (
          <Point Sign={FlaskConical}>
            {i18n._("In a test, signatures that were made in a test count as well.")}
          </Point>
        )}
      </ul>
    </>
  )
}

function Point({ Sign, children }: { readonly Sign: LucideIcon; readonly children: ReactNode }) {
  return (
    <li className="flex items-start gap-3">
      <Sign aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-(--accent)" />
      <span>{children}</span>
    </li>
  )
}
