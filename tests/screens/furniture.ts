import { API, type Person } from "../service/account.ts"
import { type Api, call, type Json } from "../service/api.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { writeContract } from "./contract.ts"
import { linkAfter, mustBeTaken, type Office, TITLE } from "./office.ts"

type Kind = "demo" | "production"
type Desk = Pick<Api, "get" | "post" | "put" | "patch">

const named = (first_name: string, last_name: string, email_address: string) => ({
  signer_identity_data: { first_name, last_name, email_address },
})
const ADA = named("Ada", "Lovelace", "ada@example.org")
const BEN = named("Ben", "Müller", "ben.mueller@example.org")
const place = (x: number, page = "1") => ({ position: { page, x, y: 132, width: 180, height: 54 } })

/** What a member does with the interface. */
export async function deskOf(office: Office, who: Person, kind: Kind): Promise<Desk> {
  const { url } = office.service
  const { token } = mustBeTaken(await who.post(`${API}/token`, { businessId: office.business, kind }))
  const ask =
    (method: string) =>
    (path: string, sent?: unknown, more: Record<string, string> = {}) =>
      call(url, method, `/v3${path}`, sent, { authorization: `Bearer ${token}`, ...more })
  return { get: (path) => ask("GET")(path), post: ask("POST"), put: ask("PUT"), patch: ask("PATCH") }
}

/** Work that is there when somebody looks; by name, the id. */
export async function furnish(
  office: Office,
  desk: Desk,
  kind: Kind,
  hook: string,
): Promise<Record<string, string>> {
  const make = async (path: string, body: object): Promise<Json> => mustBeTaken(await desk.post(path, body))
  const upload = async (name: string): Promise<string> => {
    const content = writeContract(2, name).toString("base64")
    return (await make("/documents", { title: `${name}.pdf`, content })).id
  }
  const draft = async (title: string, signatures: readonly object[], more: object = {}): Promise<string> => {
    const documents = [{ id: await upload(title) }]
    return (await make("/signature-requests", { title, documents, signatures, ...more })).id
  }
  const send = async (title: string, signatures: readonly object[], more: object = {}): Promise<string> => {
    const id = await draft(title, signatures, { message: "Please sign this week, if you can.", ...more })
    await make(`/signature-requests/${id}/initiate`, {})
    return id
  }
  const webhook = (await make("/webhooks", { url: `${hook}/paraph` })).id
  // Each kind has people of its own, so that a mail is never taken for one of the other.
  const domain = kind === "demo" ? "example.com" : "example.org"
  const [paul, jan, chiara] = [`paul.weber@${domain}`, `jan.novak@${domain}`, `chiara.rossi@${domain}`]
  const declined = await send("Mandate of the caretaker", [named("Paul", "Weber", paul)])
  await act(office, paul, (signer) => signer.decline("The hours have changed."))
  const signed = await send("Employment contract Jan Novák", [named("Jan", "Novák", jan)])
  await act(office, jan, (signer) => signer.press("Jan Novák"))
  await until("it is complete", async () => {
    const { body } = await desk.get(`/signature-requests/${signed}`)
    return body.status_overall === "SIGNED"
  })
  await send("Garage 14, addendum", [BEN], { expires_at: inDays(20) })
  const request = await send(
    TITLE,
    [
      { ...named("Chiara", "Rossi", chiara), sequence: 1 },
      { ...ADA, sequence: 2 },
    ],
    { expires_at: inDays(40) },
  )
  await act(office, chiara, (signer) => signer.press("Chiara Rossi"))
  const seats = [
    { ...ADA, visual_signature: place(72) },
    { ...BEN, visual_signature: place(320) },
  ]
  const rules = await draft("House rules", seats, { message: "The new house rules, as we spoke about them." })
  const template = (await make("/templates", await tenancy(upload))).id
  await make("/templates", { ...(await tenancy(upload)), name: "Parking space" })
  const group = (await make("/groups", { name: "Management", members: BOARD })).id
  await make("/groups", { name: "Auditors", members: AUDITORS })
  await make("/api-keys", { name: kind === "demo" ? "Web shop, tests" : "Web shop", kind })
  return { webhook, declined, signed, request, draft: rules, template, group }
}

const BOARD = [
  { email: "mia.keller@acme.example", first_name: "Mia", last_name: "Keller" },
  { email: "leo.brunner@acme.example", first_name: "Leo", last_name: "Brunner" },
]
const AUDITORS = [{ email: "vera@audit.example" }, { email: "tom@audit.example" }]

async function tenancy(upload: (title: string) => Promise<string>): Promise<object> {
  const at = (x: number) => [{ document: 0, ...place(x).position }]
  const signatures = [
    { label: "Tenant", places: at(72) },
    { label: "Landlord", places: at(320) },
  ]
  const request = { title: "Rental agreement", message: "Welcome!", expires_in_days: 30, signatures }
  return { name: "Tenancy", request, document_ids: [await upload("Rental agreement")] }
}

/** Somebody reads their mail and acts. */
async function act(
  { service }: Office,
  email: string,
  how: (signer: Awaited<ReturnType<typeof openSession>>) => Promise<{ readonly status: number }>,
): Promise<void> {
  const { status } = await how(await openSession(service.url, await linkAfter(service, email)))
  if (status >= 300) throw new Error(`The pages answered ${status}.`)
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Five months before this day, so that the charts have something to draw. */
export async function giveHistory({ service, business }: Office): Promise<void> {
  const rows = (what: string, share: number) => `
    insert into usage_day (business_id, day, kind, what, slot, count)
      select '${business}', day, 'production', '${what}', 0, 1 + floor(${share} * abs(sin(extract(doy from day) * 1.7)))::int
        from generate_series(current_date - 150, current_date - 1, interval '1 day') as day
       where extract(isodow from day) < 6`
  for (const [what, share] of HISTORY) await service.sql(rows(what, share))
}

const HISTORY = [
  ["requests", 9],
  ["signatures SES", 14],
  ["documents", 11],
  ["mails", 26],
  ["declined", 0.6],
] as const
