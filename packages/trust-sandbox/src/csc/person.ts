// A person with a browser at the provider, without the browser: forms are filled in and sent, redirects followed.

export type CscPerson = {
  readonly login: string
  /** What they press on the page of the login, and on the one of the release; yes unless said otherwise. */
  readonly logsIn?: boolean
  readonly releases?: boolean
}

const MAX_STEPS = 20

/** Goes where the client sends them; answers where the provider sends them back to, and the pages that they saw. */
export async function visitCscProvider(
  url: string,
  { login, logsIn = true, releases = true }: CscPerson,
): Promise<{ readonly back: URL; readonly pages: readonly string[] }> {
  const cookies = new Map<string, string>()
  const pages: string[] = []
  const home = new URL(url).origin
  let at = new URL(url)
  let form: URLSearchParams | null = null
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const answer = await fetch(at, {
      method: form === null ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== null && { body: form }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get("location")
    const page = await answer.text()
    if (location === null) {
      if (!page.includes('<form method="post">')) throw new Error(`${answer.status} ${page.slice(0, 1000)}`)
      pages.push(page)
      const isLogin = page.includes('name="login"')
      form = new URLSearchParams({
        ...(isLogin && { login }),
        answer: (isLogin ? logsIn : releases) ? "yes" : "no",
      })
      continue
    }
    at = new URL(location, at)
    if (at.origin !== home) return { back: at, pages }
    form = null
  }
  throw new Error("The provider goes round in circles.")
}
