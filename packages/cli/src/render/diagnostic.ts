import type { PlanDiagnostic } from './plan-view.ts'
import type { Style } from './style.ts'

/** A diagnostic in Terraform's frame: what, where, why and what to do. */
export function renderDiagnostic(diagnostic: PlanDiagnostic, style: Style, columns = 80): string {
  const { severity, summary, detail, field, address } = diagnostic
  const color = severity === 'error' ? style.red : style.yellow
  const place = [address, field].filter((part) => part !== undefined && part !== '')
  const lines = [
    `${style.bold(color(severity === 'error' ? 'Error: ' : 'Warning: '))}${style.bold(summary)}`,
    ...(place.length === 0 ? [] : ['', `  with ${place.join(', ')}`]),
    ...(detail === undefined || detail === '' ? [] : ['', ...wrap(detail, Math.max(40, columns - 2))]),
  ]
  return [color('╷'), ...lines.map((line) => `${color('│')} ${line}`.trimEnd()), color('╵'), ''].join('\n')
}

/** Breaks lines between words so that none is wider, where a word allows it. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length <= width || line.startsWith(' ')) return [line]
    const lines: string[] = []
    let current = ''
    for (const word of line.split(' ')) {
      if (current !== '' && current.length + 1 + word.length > width) {
        lines.push(current)
        current = word
      } else current = current === '' ? word : `${current} ${word}`
    }
    return [...lines, current]
  })
}
