/** Takes what is secret out of a text for people. */
export function redact(text: string, secrets: Iterable<string>): string {
  const whole = [...secrets].flatMap((secret) => [secret, ...linesOf(secret)]).filter((secret) => secret !== '')
  // The longest first, so that no part of a secret is left of another that begins alike.
  const ordered = [...new Set(whole)].sort((a, b) => b.length - a.length)
  return ordered.reduce((rest, secret) => rest.replaceAll(secret, '(sensitive value)'), text)
}

// A program may complain of a single line of a key; lines that are too short to be secret would blacken the text.
function linesOf(secret: string): string[] {
  return secret.split('\n').flatMap((line) => (line.trim().length >= 8 ? [line.trim()] : []))
}
