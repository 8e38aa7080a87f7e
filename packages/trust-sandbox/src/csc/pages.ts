// The two pages of the provider. Plain HTML that needs no script, and that says what it is.

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Paraph sandbox</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
  .note { border-left: .25rem solid #b35900; padding: .5rem 1rem; background: #fff4e5 }
  label { display: block; margin: 1rem 0 .25rem } input { font: inherit; width: 100%; box-sizing: border-box; padding: .6rem; border: 1px solid #555 }
  button { font: inherit; min-height: 44px; padding: 0 1.25rem; margin: 1rem .5rem 0 0; border: 1px solid #1a1a1a; background: #fff }
  button[value=yes] { background: #14532d; color: #fff } code { overflow-wrap: anywhere }
</style>
<main>
<h1>${title}</h1>
<p class="note">A remote signing provider for trying out. Nobody is identified here, and nothing that is signed here has any legal effect.</p>
${body}
</main>
</html>
`

export const loginPage = (hint: string): string =>
  page(
    "Log in to sign",
    `<form method="post">
<label for="login">Your e-mail address, or any name</label>
<input id="login" name="login" required maxlength="200" autocomplete="username" value="${escaped(hint)}">
<button name="answer" value="yes">Log in</button>
<button name="answer" value="no" formnovalidate>Cancel</button>
</form>`,
  )

export type ToRelease = {
  readonly name: string
  readonly client: string
  readonly hashes: readonly string[]
  readonly description: string
}

export const releasePage = ({ name, client, hashes, description }: ToRelease): string =>
  page(
    hashes.length === 1 ? "Sign one document" : `Sign ${hashes.length} documents`,
    `<p><strong>${escaped(client)}</strong> asks for ${hashes.length === 1 ? "a signature" : `${hashes.length} signatures`} of <strong>${escaped(name)}</strong>.</p>
${description === "" ? "" : `<p>${escaped(description)}</p>`}
<p>Only these hashes (SHA-2, in base64) are signed:</p>
<ol>${hashes.map((hash) => `<li><code>${escaped(hash)}</code></li>`).join("\n")}</ol>
<form method="post">
<button name="answer" value="yes">Release</button>
<button name="answer" value="no">Refuse</button>
</form>`,
  )

/** With the scope `service`, where nothing is signed yet. */
export const accessPage = (client: string, name: string): string =>
  page(
    "Show your certificates",
    `<p><strong>${escaped(client)}</strong> wants to see which certificates <strong>${escaped(name)}</strong> has here. Nothing is signed by this.</p>
<form method="post">
<button name="answer" value="yes">Continue</button>
<button name="answer" value="no">Refuse</button>
</form>`,
  )

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
