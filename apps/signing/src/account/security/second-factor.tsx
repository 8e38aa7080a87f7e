import { useState } from "react"
import { say } from "../../words.ts"
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes, type Totp } from "../api.ts"
import { CodeField, digits, Submit, useSending } from "../form.tsx"
import { RecoveryCodes } from "./recovery-codes.tsx"
import { type SectionProps, SectionTrouble } from "./section.tsx"

export function SecondFactor({ account, onChange }: SectionProps) {
  const [begun, setBegun] = useState<Totp | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { busy, trouble, send } = useSending(({ key }) =>
    key === "error.code.wrong" ? say("trouble.second") : null,
  )
  const { totp, recoveryCodes } = account.factors
  const quiet = (words: string, act: () => Promise<void>) => (
    <button type="button" className="button button-quiet" aria-disabled={busy} onClick={() => send(act)}>
      {words}
    </button>
  )
  return (
    <section className="section" aria-labelledby="totp">
      <h2 id="totp">{say("totp")}</h2>
      <p role="status">{say(totp ? "totp.on" : "totp.off")}</p>
      <SectionTrouble said={trouble} />
      {codes !== null && <RecoveryCodes codes={codes} />}
      {totp && <p>{say("totp.codes", { count: recoveryCodes })}</p>}
      {begun !== null && !totp && (
        <SetUp
          {...begun}
          busy={busy}
          onCode={(code) =>
            send(async () => {
              setCodes(await confirmTotp(digits(code)))
              setBegun(null)
              onChange()
            })
          }
        />
      )}
      <div className="flex flex-wrap gap-3">
        {!totp && begun === null && quiet(say("totp.set-up"), async () => setBegun(await beginTotp()))}
        {totp &&
          quiet(say("totp.new-codes"), async () => {
            setCodes(await renewRecoveryCodes())
            onChange()
          })}
        {totp &&
          quiet(say("totp.turn-off"), async () => {
            await removeTotp()
            setCodes(null)
            onChange()
          })}
      </div>
    </section>
  )
}

type SetUpProps = Totp & { readonly busy: boolean; readonly onCode: (code: string) => void }

/** The picture for the camera, and the same in letters for whoever types. */
function SetUp({ secret, qr, busy, onCode }: SetUpProps) {
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(String(new FormData(event.currentTarget).get("code") ?? ""))
      }}
    >
      <p>{say("totp.scan")}</p>
      <svg className="qr" viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={say("totp.qr")}>
        <path d={qr.path} fill="currentColor" shapeRendering="crispEdges" />
      </svg>
      <p>
        <span className="block text-sm text-(--muted)">{say("totp.type")}</span>
        <code>{secret.match(/.{1,4}/g)?.join(" ")}</code>
      </p>
      <CodeField from="app" label={say("totp.code")} />
      <Submit busy={busy}>{say("totp.confirm")}</Submit>
    </form>
  )
}
