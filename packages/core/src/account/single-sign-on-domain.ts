/** Where anybody gets an address: who was granted one of these could be everybody there. */
const PUBLIC = new Set(
  `126.com 163.com aol.com bluemail.ch bluewin.ch duck.com email.cz fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de
  gmx.net googlemail.com hey.com hispeed.ch hotmail.ch hotmail.com hotmail.de hotmail.fr hotmail.it hushmail.com icloud.com interia.pl
  laposte.net libero.it live.com live.fr live.it mac.com mail.com mail.de mail.ru mailbox.org me.com msn.com naver.com o2.pl orange.fr
  outlook.com outlook.de outlook.fr outlook.it posteo.ch posteo.de posteo.net proton.me protonmail.ch protonmail.com qq.com rocketmail.com
  seznam.cz sfr.fr sunrise.ch swissonline.ch t-online.de tin.it tiscali.it tuta.com tutanota.com virgilio.it wanadoo.fr web.de wp.pl yahoo.co.uk
  yahoo.com yahoo.de yahoo.fr yahoo.it yandex.com yandex.ru ymail.com zoho.com`.split(/\s+/),
)

export type DomainFault = "no domain" | "public"

/** In the letters of the DNS; null where a business may have it. Names of one part are nobody's. */
export function domainFault(domain: string): DomainFault | null {
  const part = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
  if (domain.length > 253 || !new RegExp(`^(?:${part}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$`).test(domain))
    return "no domain"
  return PUBLIC.has(domain) ? "public" : null
}
