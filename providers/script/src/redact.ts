/** Removes secrets from a text. */
export function redact(text: string, secrets: Iterable<string>): string {
  const whole = [...secrets].flatMap((secret) => [secret, ...linesOf(secret)]).filter((secret) => secret !== '')
  // Longest first, so that no part of a secret remains when another one is its prefix.
  const ordered = [...new Set(whole)].sort((a, b) => b.length - a.length)
  return ordered.reduce((rest, secret) => rest.replaceAll(secret, '(sensitive value)'), text)
}

// A program may print a single line of a key. Short lines are not redacted, because they appear in ordinary text.
function linesOf(secret: string): string[] {
  return secret.split('\n').flatMap((line) => (line.trim().length >= 8 ? [line.trim()] : []))
}
