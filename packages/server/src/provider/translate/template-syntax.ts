/** What texts that may hold expressions look like. Asked for every text of every object that is written: cheap. */
export interface TemplateSyntax {
  /** Whether a text holds an expression, alone or among other text. An escaped one (`$${`) is none. */
  holdsExpression(text: string): boolean
  /** Whether a text is one expression and nothing else, so that its value keeps its type. */
  isWhole(text: string): boolean
  /** What is wrong with the expressions in a text; undefined when nothing is. */
  problem(text: string): string | undefined
}
