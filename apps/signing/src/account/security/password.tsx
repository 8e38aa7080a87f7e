import { useState } from "react"
import { say } from "../../words.ts"
import { changePassword } from "../api.ts"
import { PasswordField, Submit, useSending } from "../form.tsx"
import { type SectionProps, SectionTrouble } from "./section.tsx"

export function Password({ account, onChange }: SectionProps) {
  const { factors } = account
  const [state, setState] = useState<"closed" | "open" | "done">("closed")
  const { busy, trouble, send } = useSending(({ key }) =>
    key === "error.auth.credentials_invalid" ? say("trouble.current-password") : null,
  )
  return (
    <section className="section" aria-labelledby="password">
      <h2 id="password">{say("password")}</h2>
      <p>{say(factors.password ? "password.is" : "password.none")}</p>
      <p role="status" className="font-semibold text-(--good) empty:hidden">
        {state === "done" ? say("password.done") : ""}
      </p>
      {state === "open" ? (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            const given = new FormData(event.currentTarget)
            const [password, current] = [given.get("password"), given.get("current")].map(String)
            send(async () => {
              await changePassword({
                password: password ?? "",
                ...(factors.password && { current: current ?? "" }),
              })
              setState("done")
              onChange()
            })
          }}
        >
          <SectionTrouble said={trouble} />
          <input type="hidden" name="username" autoComplete="username" value={account.email} />
          {factors.password && <PasswordField label={say("password.current")} name="current" />}
          <PasswordField label={say("password.choose")} isNew />
          <Submit busy={busy}>{say("password.save")}</Submit>
        </form>
      ) : (
        <button
          type="button"
          className="button button-quiet justify-self-start"
          onClick={() => setState("open")}
        >
          {say(factors.password ? "password.change" : "password.add")}
        </button>
      )}
    </section>
  )
}
