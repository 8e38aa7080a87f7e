import { say } from "../../words.ts"

/** Shown once: here is the only place where they are not a hash. */
export function RecoveryCodes({
  codes,
  hasHeading = true,
}: {
  readonly codes: readonly string[]
  readonly hasHeading?: boolean
}) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\n")}\n`)}`
  return (
    <div className="grid gap-3 rounded-xl border-2 border-(--accent) p-4" role="status">
      {hasHeading && <h3 className="font-semibold">{say("totp.codes-heading")}</h3>}
      <p>{say("totp.codes-keep")}</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <a className="button button-main justify-self-start" href={file} download="paraph-recovery-codes.txt">
        {say("totp.codes-save")}
      </a>
    </div>
  )
}
