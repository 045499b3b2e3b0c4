/** Validates a string against a `format` of a schema. Formats that Kubernetes does not know accept every string. */
export function hasFormat(format: string, text: string): boolean {
  return checks[format]?.(text) ?? true
}

/** Returns the names of the formats that Kubernetes validates. */
export function knownFormats(): string[] {
  return Object.keys(checks)
}

// The formats follow go-openapi/strfmt, which kube-apiserver uses, and are less strict than the RFCs in places.
const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(\\.${octet}){3}$`)
const hostname = /^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\.?$/
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const dateTime = /^(\d{4}-\d\d-\d\d)[Tt ](([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60))(\.\d+)?([Zz]|[+-]\d\d:?\d\d)?$/
const goDuration = /^[+-]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d|w))+$/
const longDuration =
  /^\d+ ?(ns|us|µs|ms|milli|millis|s|sec|secs|second|seconds|m|min|mins|minute|minutes|h|hr|hour|hours|d|day|days|w|wk|week|weeks)$/

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: isUri,
  email: (text) => /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(text),
  hostname: (text) => text.length <= 255 && hostname.test(text),
  ipv4: (text) => ipv4.test(text),
  ipv6: isIpv6,
  cidr: isCidr,
  mac: (text) =>
    /^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$|^([0-9a-fA-F]{2}[:-]){7}[0-9a-fA-F]{2}$|^([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}$/.test(
      text,
    ),
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: uuid('4', '[89ab]'),
  uuid5: uuid('5', '[89ab]'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: (text) => new RegExp(`^rgb\\(\\s*${octet}\\s*,\\s*${octet}\\s*,\\s*${octet}\\s*\\)$`).test(text),
  byte: isBase64,
  password: () => true,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isCalendarDate(text),
  datetime: isDateTime,
  'date-time': isDateTime,
  duration: (text) => text === '0' || goDuration.test(text) || longDuration.test(text),
  'k8s-short-name': (text) => label.test(text),
  'k8s-long-name': (text) => text.length <= 253 && subdomain.test(text),
}

// Go's url.ParseRequestURI: an absolute URI or an absolute path.
function isUri(text: string): boolean {
  if (text.startsWith('/')) return !/\s/.test(text)
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\S+$/.test(text)
}

// Eight groups of up to four hexadecimal digits; `::` stands for one or more groups of zeros, and an IPv4 address at the
// end for two groups.
function isIpv6(text: string): boolean {
  const zoneless = text.split('%')[0]!
  if (!zoneless.includes(':') || !/^[0-9a-fA-F:.]+$/.test(zoneless)) return false
  const halves = zoneless.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const tail = last.includes('.') ? 2 : 1
  if (tail === 2 && !ipv4.test(last)) return false
  const plain = tail === 2 ? groups.slice(0, -1) : groups
  if (!plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false
  const count = plain.length + (tail === 2 ? 2 : 0)
  return halves.length === 2 ? count < 8 : count === 8
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false
  return ipv4.test(address) ? Number(bits) <= 32 : isIpv6(address) && Number(bits) <= 128
}

// Dashes are optional, and the case of letters does not matter.
function uuid(version: string, variant = '[0-9a-f]'): (text: string) => boolean {
  const pattern = new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`,
    'i',
  )
  return (text) => pattern.test(text)
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = [...digits].reduce(
    (total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)),
    0,
  )
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
}

// The Luhn checksum.
function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (digits.length < 13 || digits.length > 19) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function isDateTime(text: string): boolean {
  const match = dateTime.exec(text)
  return match !== null && isCalendarDate(match[1]!)
}

// Date accepts February 30 as March 2, so the parsed date has to format to the same text.
function isCalendarDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
