/**
 * Large providers where everyone can get an address. An address there does not show that its user
 * belongs to an organization, so these domains cannot be opened for joining.
 */
const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set([
  '126.com',
  '163.com',
  'aol.com',
  'duck.com',
  'fastmail.com',
  'free.fr',
  'freenet.de',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hey.com',
  'hotmail.com',
  'icloud.com',
  'laposte.net',
  'libero.it',
  'live.com',
  'mac.com',
  'mail.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'naver.com',
  'orange.fr',
  'outlook.com',
  'pm.me',
  'posteo.de',
  'proton.me',
  'protonmail.com',
  'qq.com',
  't-online.de',
  'tuta.com',
  'tutanota.com',
  'web.de',
  'wp.pl',
  'yahoo.com',
  'yandex.com',
  'yandex.ru',
  'zoho.com',
]);
/** First labels of providers that have a domain for each country, such as `yahoo.co.uk`. */
const FREE_MAIL_FAMILIES: ReadonlySet<string> = new Set([
  'gmx',
  'hotmail',
  'live',
  'msn',
  'outlook',
  'rocketmail',
  'yahoo',
  'yandex',
  'ymail',
]);

/** True if everyone can get an address at the domain. */
export function isFreeMailDomain(domain: string): boolean {
  const [label = ''] = domain.split('.', 1);
  return FREE_MAIL_DOMAINS.has(domain) || FREE_MAIL_FAMILIES.has(label);
}
