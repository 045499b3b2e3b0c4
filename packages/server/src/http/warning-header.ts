/** Warnings as header values: `299 - "<text>"`, without what a header can't hold, and not more than fits. */
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

// Headers are bytes to those who read them and latin-1 to those who write them: so text goes as the bytes of its UTF-8.
function quote(text: string): string {
  const printable = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').replaceAll(/["\\]/g, '\\$&')
  return `"${Buffer.from(printable).toString('latin1')}"`
}
