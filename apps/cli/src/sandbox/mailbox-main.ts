// The mailbox as a program of its own: node mailbox-main.ts SMTP_PORT HTTP_PORT FILE
import { startMailbox } from "./mailbox.ts"

const [smtpPort, httpPort, file = ""] = process.argv.slice(2)
await startMailbox({ smtpPort: Number(smtpPort), httpPort: Number(httpPort), file })
