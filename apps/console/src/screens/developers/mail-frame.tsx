import { useEffect, useRef } from "react"

type MailFrameProps = {
  readonly html: string
  readonly title: string
  /** The picture that the mail carries along as a part of its own (RFC 2392), where it does. */
  readonly logo: string | null
}

/**
 * A mail as a mail program shows it, in a frame that runs no script. Its styles stand in attributes, which our content
 * security policy refuses when they are parsed, in the frame as well; set through the style object they are fine.
 */
export function MailFrame({ html, title, logo }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const element = frame.current
    const inside = element?.contentDocument
    if (element === null || inside == null) return
    const { mail, styles } = read(html)
    const Sheet = inside.defaultView?.CSSStyleSheet
    if (Sheet !== undefined) {
      const sheet = new Sheet()
      sheet.replaceSync(styles)
      inside.adoptedStyleSheets = [sheet]
    }
    inside.documentElement.lang = mail.documentElement.lang
    inside.title = title
    inside.body.replaceChildren()
    inside.body.className = mail.body.className
    wear(inside.body, mail.body)
    for (const image of mail.querySelectorAll('img[src^="cid:"]'))
      if (logo === null) image.remove()
      else image.setAttribute("src", logo)
    copy(mail.body, inside.body)
    const grow = () => {
      element.style.height = `${inside.documentElement.scrollHeight}px`
    }
    grow()
    const watcher = new ResizeObserver(grow)
    watcher.observe(inside.body)
    return () => watcher.disconnect()
  }, [html, title, logo])
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      className="block min-h-96 w-full bg-white"
    />
  )
}

const STYLE = "data-style"

const STYLES = /<style>([^<]*)<\/style>/g

/** Under another name the parser lets styles in attributes pass; those of the head are taken out before. */
function read(html: string) {
  const styles = [...html.matchAll(STYLES)].map(([, rules = ""]) => rules).join("\n")
  const rest = html.replace(STYLES, "").replace(/<[^>]+>/g, (tag) => tag.replace(/\sstyle=/gi, ` ${STYLE}=`))
  return { mail: new DOMParser().parseFromString(rest, "text/html"), styles }
}

/** What a letter is made of; anything else has no business in it. */
const LEFT_OUT = "script,style,link,meta,base,iframe,object,embed,form,input,button,template,svg"

function copy(from: Element, to: Element): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? "")
    if (!(node instanceof HTMLElement) || node.matches(LEFT_OUT)) continue
    const element = to.ownerDocument.createElement(node.localName)
    for (const { name, value } of node.attributes)
      if (name !== STYLE && !name.startsWith("on")) element.setAttribute(name, value)
    wear(element, node)
    if (node.localName === "a") {
      element.setAttribute("target", "_blank")
      element.setAttribute("rel", "noopener noreferrer")
    }
    copy(node, element)
    to.append(element)
  }
}

function wear(element: HTMLElement, like: HTMLElement): void {
  element.style.cssText = like.getAttribute(STYLE) ?? ""
}
