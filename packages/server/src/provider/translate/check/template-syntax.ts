/** Recognizes expressions in strings. Called for every string of every written object, so it must be cheap. */
export interface TemplateSyntax {
  /** Returns whether a string contains an expression. An escaped one (`$${`) doesn't count. */
  holdsExpression(text: string): boolean
  /** Returns whether a string is a single expression without text around it, so that its value keeps its type. */
  isWhole(text: string): boolean
  /** The syntax error of the expressions in a string; undefined if there is none. */
  problem(text: string): string | undefined
}
