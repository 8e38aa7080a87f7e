// The pages of the mailbox, for people who develop.
import type { Mail } from "./mailbox-store.ts"

/** Mails are shown, never run: no script anywhere, and pictures only from this machine. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: http://localhost:* http://127.0.0.1:*; frame-ancestors 'none'"

export function listPage(mails: readonly Mail[]): string {
  const rows = mails.toReversed().map(
    ({ id, to, subject, receivedAt }) => `<tr>
      <td><a href="/mails/${id}">${escaped(subject || "(no subject)")}</a></td>
      <td>${escaped(to.join(", "))}</td>
      <td><time>${escaped(receivedAt.slice(0, 19).replace("T", " "))}</time></td>
    </tr>`,
  )
  const table = `<table>
    <thead><tr><th>Subject</th><th>To</th><th>Received (UTC)</th></tr></thead>
    <tbody>${rows.join("")}</tbody>
  </table>`
  const hint = "<p>No message yet. Every mail and every text message will appear here; reload the page.</p>"
  return page("Messages", `<h1>Messages</h1>${rows.length > 0 ? table : hint}`)
}

export function mailPage({ subject, from, to, receivedAt, text, html }: Mail): string {
  const head = [
    ["From", from],
    ["To", to.join(", ")],
    ["Received", receivedAt],
  ].map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value ?? "")}</dd>`)
  return page(
    subject,
    `<p><a href="/">All messages</a></p>
    <h1>${escaped(subject || "(no subject)")}</h1>
    <dl>${head.join("")}</dl>
    <h2>Text</h2>
    <pre>${linked(text)}</pre>
    ${html ? `<h2>HTML</h2>${framed(html)}` : ""}`,
  )
}

/** The sandbox lets a link open a tab of its own, as a mail program would, and nothing else. */
function framed(html: string): string {
  const opening = '<base target="_blank">'
  const allowed = "allow-popups allow-popups-to-escape-sandbox"
  return `<iframe title="HTML part" sandbox="${allowed}" srcdoc="${escaped(opening + html)}"></iframe>`
}

function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escaped(part)}">${escaped(part)}</a>` : escaped(part),
    )
    .join("")
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title || "(no subject)")}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #ddd; vertical-align: top }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }
dt { color: #666 } dd { margin: 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f6; padding: 1rem }
iframe { width: 100%; box-sizing: border-box; height: 40rem; border: 1px solid #ddd; background: #fff }
time { white-space: nowrap }
@media (max-width: 40rem) {
  thead { display: none }
  tr { display: block; padding: .6rem 0; border-bottom: 1px solid #ddd }
  td { display: block; padding: 0; border: 0; overflow-wrap: anywhere }
  td + td { color: #666; font-size: .875rem }
}
</style>
</head>
<body>${body}</body>
</html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
