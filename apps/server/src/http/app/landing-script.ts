export const LANDING_SCRIPT_PATH = "/app/landing.js"

/** The header that carries the secret of a mailed link. Addresses are in logs and histories, headers are not. */
export const LINK_HEADER = "paraph-link"

/**
 * The script of the page that a mailed link opens. The secret is in the fragment, which browsers send to no server; the script sends it in a
 * header and shows the page that the server writes for it. Showing changes nothing, so a scanner that runs scripts uses nothing up.
 */
export const LANDING_SCRIPT = `
// Also read where the script could not be loaded, so it is no noscript element.
document.getElementById("without-script").remove()
const failed = document.getElementById("failed").textContent

const send = (path) =>
  fetch(path + location.search, {
    method: "POST",
    headers: { "${LINK_HEADER}": location.hash.slice(1) },
    redirect: "manual",
    cache: "no-store",
  })

async function show() {
  const page = new DOMParser().parseFromString(await (await send("/sign/show")).text(), "text/html")
  document.documentElement.lang = page.documentElement.lang
  document.title = page.title
  for (const link of page.head.querySelectorAll("link"))
    if (!document.head.querySelector('link[href="' + CSS.escape(link.getAttribute("href")) + '"]'))
      document.head.append(document.adoptNode(link))
  document.body.replaceWith(document.adoptNode(page.body))
  document.querySelector("form")?.addEventListener("submit", (event) => {
    event.preventDefault()
    void enter()
  })
}

async function enter() {
  const { type } = await send("/sign/").catch(() => ({ type: "error" }))
  // The session is open: on to the application, whose address has no secret.
  if (type === "opaqueredirect") location.assign("/app/")
  else await tryToShow()
}

const tryToShow = () =>
  show().catch(() => {
    const told = document.createElement("p")
    told.setAttribute("role", "alert")
    told.textContent = failed
    document.querySelector("main div").append(told)
  })

addEventListener("hashchange", () => location.reload())
void tryToShow()
`
