// A person with a browser at the provider, without the browser: the form is filled in and sent, redirects followed.

export type IdentityPerson = {
  readonly givenName: string
  readonly familyName: string
  readonly country?: string
  readonly answer?: "accept" | "pending" | "refuse"
}

const MAX_STEPS = 20

/** Goes where the client sends them; answers where the provider sends them back to. */
export async function visitIdentityProvider(url: string, person: IdentityPerson): Promise<URL> {
  const { givenName, familyName, country = "CH", answer = "accept" } = person
  const cookies = new Map<string, string>()
  const home = new URL(url).origin
  let at = new URL(url)
  let form: URLSearchParams | null = null
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const response = await fetch(at, {
      method: form === null ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== null && { body: form }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get("location")
    const page = await response.text()
    if (location === null) {
      if (!page.includes('<form method="post">')) throw new Error(`${response.status} ${page.slice(0, 1000)}`)
      form = new URLSearchParams({ given_name: givenName, family_name: familyName, country, answer })
      continue
    }
    at = new URL(location, at)
    if (at.origin !== home) return at
    form = null
  }
  throw new Error("The provider goes round in circles.")
}
