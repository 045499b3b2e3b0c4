import { compileExpression, dynType, Meter } from '@hykube/server/expression'
import { celValue, isCelValue } from './cel-value.ts'
import type { TextMessage, TextScalar } from './text-proto.ts'

/** Runs one case of the specification. Returns 'right', or the actual result. */
export function runCelCase(given: TextMessage): 'right' | string {
  const expression = text(given.expr)
  const checkOnly = word(given.check_only) === 'true'
  try {
    const bindings = readBindings(given)
    const variables = Object.fromEntries([...variablesOf(given, bindings)].map((name) => [name, dynType]))
    const compiled = compileExpression(expression, variables, { mixedLiterals: true })
    if (checkOnly) return 'right'
    const value = compiled.evaluate(bindings, new Meter())
    if (expectsFailure(given)) return `gave ${String(value)}`
    return isCelValue(value, expectedValue(given)) ? 'right' : `gave ${show(value)}`
  } catch (error) {
    return expectsFailure(given) ? 'right' : `failed: ${(error as Error).message}`
  }
}

function expectsFailure(given: TextMessage): boolean {
  return given.eval_error !== undefined || given.any_eval_errors !== undefined
}

function expectedValue(given: TextMessage): TextMessage {
  const typed = given.typed_result?.[0] as TextMessage | undefined
  return ((given.value ?? typed?.result)?.[0] as TextMessage | undefined) ?? ({ bool_value: [trueWord] } as never)
}

const trueWord = { text: 'true' }

function readBindings(given: TextMessage): Record<string, unknown> {
  const bindings = (given.bindings ?? []) as TextMessage[]
  return Object.fromEntries(
    bindings.map(({ key, value }) => [
      text(key),
      celValue(((value![0] as TextMessage).value![0] ?? {}) as TextMessage),
    ]),
  )
}

function variablesOf(given: TextMessage, bindings: Readonly<Record<string, unknown>>): Set<string> {
  const declared = ((given.type_env ?? []) as TextMessage[]).filter(({ ident }) => ident !== undefined)
  return new Set([...declared.map(({ name }) => text(name)), ...Object.keys(bindings)])
}

function text(values: TextMessage[string] | undefined): string {
  return Buffer.from(String(values?.[0] ?? ''), 'latin1').toString()
}

function word(values: TextMessage[string] | undefined): string {
  return (values?.[0] as TextScalar | undefined)?.text ?? ''
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? String(value)
}
