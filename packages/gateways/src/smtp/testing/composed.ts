// A mail as it would be sent, octet by octet, without anybody to send it to.

import { createTransport } from "nodemailer"
import { type Mail, messageOf } from "../mailer.ts"

const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" })

export async function composed(mail: Mail, from: string): Promise<Uint8Array> {
  const { message } = await transport.sendMail(messageOf(mail, from))
  return message as Buffer
}
