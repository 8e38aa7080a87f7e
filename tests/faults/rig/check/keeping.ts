// I6, I9, I10, I13: what the service has written down, read from outside.
import type { Rig } from "../rig.ts"
import type { Breach } from "./breach.ts"

/** I6: what ends a request comes once, and nothing is signed or declined after it. */
export async function checkHistories(rig: Rig, breaches: Breach[]): Promise<void> {
  const ends = "('request.completed', 'request.ended')"
  const twice = await rig.sql(
    `select request_id from evidence where type in ${ends} group by request_id having count(*) > 1`,
  )
  if (twice !== "") breaches.push({ invariant: "I6", what: `ended twice: ${twice}` })
  const after = await rig.sql(`select e.request_id from evidence e join evidence f using (request_id)
    where e.type in ${ends} and f.seq > e.seq and f.type in ('signature.signed', 'signature.declined', 'signature.consented')`)
  if (after !== "") breaches.push({ invariant: "I6", what: `went on after its end: ${after}` })
  const both =
    await rig.sql(`select signature_id from evidence where type in ('signature.signed', 'signature.declined')
    group by signature_id having count(*) > 1`)
  if (both !== "") breaches.push({ invariant: "I6", what: `signed and declined: ${both}` })
  const gaps = await rig.sql(
    `select request_id from evidence group by request_id having count(*) <> max(seq) - min(seq) + 1`,
  )
  if (gaps !== "") breaches.push({ invariant: "I6", what: `a gap in the evidence: ${gaps}` })
}

export async function checkKeeping(rig: Rig, breaches: Breach[]): Promise<void> {
  const log = await rig
    .paraph("log", "check")
    .catch((error: { stdout?: string }) => JSON.parse(error.stdout || "{}"))
  if (log.holds !== true) breaches.push({ invariant: "I9", what: JSON.stringify(log).slice(0, 500) })
  const objects = await rig
    .paraph("documents", "audit", "--json")
    .catch((error: { stdout?: string }) => JSON.parse(error.stdout || "{}"))
  for (const kind of ["lost", "unnamed", "wrong-size"])
    if (objects[kind] !== 0)
      breaches.push({
        invariant: "I10",
        what: `${objects[kind]} ${kind}: ${JSON.stringify(objects).slice(0, 300)}`,
      })
}

/** I13, and whatever any answer held that it must not (I11). */
export function checkTalk(rig: Rig, breaches: Breach[]): void {
  const logs = rig.fleet.logs()
  const secrets = [
    ...rig.tenants.map(({ key }) => key),
    ...rig.mail.mails.flatMap(({ link }) => (link === null ? [] : [new URL(link).hash.slice(1)])),
    "@example.org",
    "Agreement ",
    rig.env.KEK ?? "no such setting",
  ]
  for (const secret of new Set(secrets))
    if (secret.length > 5 && logs.includes(secret))
      breaches.push({ invariant: "I13", what: `a log has ${secret.slice(0, 12)}…` })
  for (const what of rig.journal.wrong) breaches.push({ invariant: "I11", what })
}
