import type { Span } from './screen.ts'

/** A picture of a terminal with these lines. It is one file without scripts or fonts of its own. */
export function terminalSvg(lines: readonly (readonly Span[])[], columns: number): string {
  const width = Math.ceil(columns * charWidth + 2 * margin)
  const height = lines.length * lineHeight + 2 * margin + barHeight
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>hykube in a terminal</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#16181d"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, index) => `<circle cx="${20 + 18 * index}" cy="18" r="6" fill="${fill}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" fill="#d6d8de" xml:space="preserve" style="white-space: pre">`,
    ...lines.flatMap((spans, row) => (spans.length === 0 ? [] : [lineText(spans, row)])),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

const fontSize = 13
const charWidth = 7.83
const lineHeight = 18
const margin = 16
const barHeight = 20

// Those of a dark terminal: black, red, green, yellow, blue, magenta, cyan, white.
const colors = ['#5c6370', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#ffffff']

function lineText(spans: readonly Span[], row: number): string {
  const y = margin + barHeight + (row + 1) * lineHeight - 5
  return `<text x="${margin}" y="${y}">${spans.map(spanText).join('')}</text>`
}

function spanText({ text, color, bold, dim }: Span): string {
  const attributes = [
    color === undefined ? '' : ` fill="${colors[color]}"`,
    bold ? ' font-weight="bold"' : '',
    dim ? ' opacity="0.65"' : '',
  ].join('')
  return attributes === '' ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
