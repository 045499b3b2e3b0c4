/**
 * Formats warnings as header values, `299 - "<text>"`, without control characters and below the size limits of clients.
 */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const unique = [...new Set(warnings)]
  const total = unique.reduce((sum, warning) => sum + warning.length, 0)
  const fitting = total <= maximumTotal ? unique : unique.map((warning) => [...warning].slice(0, maximumCut).join(''))
  const headers: string[] = []
  let used = 0
  for (const warning of fitting) {
    if (used + warning.length > maximumTotal) break
    used += warning.length
    headers.push(`299 - ${quote(warning)}`)
  }
  return headers
}

const maximumTotal = 4096
const maximumCut = 256

// Node writes headers as latin-1 and clients read UTF-8, so each byte of the UTF-8 text becomes one character.
function quote(text: string): string {
  const printable = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').replaceAll(/["\\]/g, '\\$&')
  return `"${Buffer.from(printable).toString('latin1')}"`
}
