// Three requests as the service itself writes them; what a database is filled with are copies of their rows (copies.ts).
import { linkMailedTo } from "../../service/mailbox.ts"
import { createRequest, newAddress, sentTo, uploadTo } from "../../service/requests.ts"
import type { Service } from "../../service/service.ts"
import { openSession } from "../../service/signer.ts"
import { until } from "../../service/until.ts"

export type Templates = {
  readonly open: string
  readonly draft: string
  readonly signed: string
}

export async function makeTemplates(service: Service): Promise<Templates> {
  const { caller } = service
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const send = async (name: string) => {
    const email = newAddress(name)
    const { id } = await sentTo(caller, "v2", [email], { expires_at: inAMonth })
    return { id: id as string, link: await linkMailedTo(email) }
  }
  const [open, signed] = [await send("open"), await send("signed")]
  const signatures = [{ account_email: newAddress("draft") }]
  const draft = await createRequest(caller, "v3", await uploadTo(caller, "v3"), { signatures })
  const session = await openSession(service.url, signed.link)
  await session.press("Ada Lovelace")
  await until("it is signed and everything has its index", async () => {
    const { body } = await caller.get(`/v2/signature-requests/${signed.id}`)
    return body.status_overall === "SIGNED" && (await service.sql("select count(*) from log_waiting")) === "0"
  })
  return { open: open.id, draft: draft.body.id, signed: signed.id }
}
