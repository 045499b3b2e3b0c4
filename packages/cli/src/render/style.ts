import colors from 'picocolors'

/** How parts of a text stand out. Without colours every function gives its text back. */
export interface Style {
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
  readonly gray: (text: string) => string
}

/** The style of a terminal that shows colours, or of anything that does not. */
export function createStyle(color: boolean): Style {
  const { bold, red, green, yellow, cyan, gray } = colors.createColors(color)
  return { bold, red, green, yellow, cyan, gray }
}
