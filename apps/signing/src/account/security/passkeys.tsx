import { useCallback, useEffect, useState } from "react"
import { isolated, say } from "../../words.ts"
import {
  addPasskey,
  knowsPasskeys,
  loadPasskeys,
  type Passkey,
  removePasskey,
  renewRecoveryCodes,
} from "../api.ts"
import { useSending } from "../form.tsx"
import { RecoveryCodes } from "./recovery-codes.tsx"
import { sayTime } from "./say-time.ts"
import { type SectionProps, SectionTrouble } from "./section.tsx"

export function Passkeys({ account, onChange }: SectionProps) {
  const [passkeys, setPasskeys] = useState<readonly Passkey[]>([])
  const [codes, setCodes] = useState<readonly string[]>([])
  const { busy, trouble, send } = useSending()
  const load = useCallback(() => loadPasskeys().then(setPasskeys, () => undefined), [])
  useEffect(() => void load(), [load])
  const act = (change: () => Promise<void>) =>
    send(async () => {
      await change()
      await load()
      onChange()
    })
  const isLast = !account.factors.password && passkeys.length === 1
  return (
    <section className="section" aria-labelledby="passkeys">
      <h2 id="passkeys">{say("passkeys")}</h2>
      <p>{say("passkeys.about")}</p>
      <SectionTrouble said={trouble} />
      {codes.length > 0 && <RecoveryCodes codes={codes} />}
      {passkeys.length > 0 && !account.factors.totp && (
        <p>{say("totp.codes", { count: account.factors.recoveryCodes })}</p>
      )}
      {passkeys.length > 0 && (
        <ul className="rows">
          {passkeys.map(({ id, name, createdAt, usedAt }) => (
            <li key={id} className="row">
              <p>
                <span className="block font-semibold" dir="auto">
                  {name}
                </span>
                <span className="block text-sm text-(--muted)">
                  {say("passkeys.made", { time: sayTime(createdAt) })}
                  {usedAt !== null && ` · ${say("passkeys.used", { time: sayTime(usedAt) })}`}
                </span>
              </p>
              {!isLast && (
                <button
                  type="button"
                  className="button button-quiet"
                  aria-label={say("passkeys.remove-one", { name: isolated(name) })}
                  onClick={() => act(() => removePasskey(id))}
                >
                  {say("remove")}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {knowsPasskeys() && (
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={busy}
            onClick={() => act(async () => setCodes(await addPasskey("")))}
          >
            {say(busy ? "one-moment" : "passkeys.add")}
          </button>
        )}
        {passkeys.length > 0 && !account.factors.totp && (
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={busy}
            onClick={() => act(async () => setCodes(await renewRecoveryCodes()))}
          >
            {say("totp.new-codes")}
          </button>
        )}
      </div>
    </section>
  )
}
