import colors from 'picocolors'

/** Colors and weight of text. Without colors every function returns its text unchanged. */
export interface Style {
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
  readonly gray: (text: string) => string
}

/** Creates the style with or without colors. */
export function createStyle(color: boolean): Style {
  const { bold, red, green, yellow, cyan, gray } = colors.createColors(color)
  return { bold, red, green, yellow, cyan, gray }
}
