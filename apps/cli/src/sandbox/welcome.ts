import type { Sandbox } from "./start.ts"
import { TEST_SIGNERS } from "./test-signers.ts"

const RED = "\u001b[41;97m"
const PLAIN = "\u001b[0m"

/** What is printed when it is up: where everything is, and lines that can be pasted. */
export function welcome(sandbox: Sandbox, isTerminal: boolean): string {
  const { url, mailsUrl, business } = sandbox
  const banner = " SANDBOX: nothing that is signed here has legal effect. "
  const signers = Object.entries(TEST_SIGNERS).map(([who, what]) => `  ${who.padEnd(12)} ${what}`)
  return `
${isTerminal ? `${RED}${banner}${PLAIN}` : banner.trim()}

  the service      ${url}
  the console      ${url}/console/   (create an account as ${business.owner}; its code is among the messages)
  every message    ${mailsUrl}
  the interface    ${url}/v2/api-docs

  username         ${business.username}
  demo key         ${business.apiKey}
  production key   ${business.productionKey}

Your first signature, in a second terminal:

${curlLines(sandbox)}

People who act by themselves, whatever stands behind the @:

${signers.join("\n")}

  npx paraph sandbox clock +6d                   moves the clock
  npx paraph sandbox sign --as you@example.org   signs what was sent to that address

Ctrl-C stops it.
`
}

const curlLines = ({
  url,
  mailsUrl,
  business,
}: Sandbox): string => `  TOKEN=$(curl -s ${url}/v2/access/login -H 'content-type: application/json' \\
    -d '{"username":"${business.username}","api-key":"${business.apiKey}"}')

  curl -s ${url}/v2/signature-requests -H "authorization: Bearer $TOKEN" \\
    -H 'content-type: application/json' -d '{"title":"My first contract",
    "content":"'$(curl -s ${mailsUrl}/example.pdf | base64 | tr -d '\\n')'",
    "signatures":[{"account_email":"signs@example.org"}]}'`

/** For programs: one line of JSON. */
export const asJson = ({ url, mailsUrl, folder, business }: Sandbox): string =>
  JSON.stringify({
    url,
    mails: mailsUrl,
    folder,
    username: business.username,
    "api-key": business.apiKey,
    "production-api-key": business.productionKey,
    business: business.business,
    owner: business.owner,
  })
