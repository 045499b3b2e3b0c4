import type { Environment } from '@marcbachmann/cel-js'

/** Functions by signature, as `string.charAt(int): string`. */
export type FunctionTable = Readonly<Record<string, (...values: never[]) => unknown>>

/** What a function fails with; the message is told to whoever wrote the value. */
export class FunctionFailure extends Error {}

/** Adds functions to an environment. */
export function registerFunctions(environment: Environment, table: FunctionTable): void {
  for (const [signature, handler] of Object.entries(table)) {
    environment.registerFunction(signature, handler as (...values: unknown[]) => unknown, { async: false })
  }
}

/** Adds a name that functions are called on, as `sets` in `sets.contains(a, b)`. */
export function registerNamespace(environment: Environment, name: string, table: FunctionTable): void {
  const typeName = `${name[0]!.toUpperCase()}${name.slice(1)}Namespace`
  const Namespace = class {}
  environment.registerType(typeName, Namespace)
  environment.registerConstant(name, typeName, new Namespace())
  for (const [signature, handler] of Object.entries(table)) {
    const call = handler as (...values: unknown[]) => unknown
    environment.registerFunction(`${typeName}.${signature}`, (_: unknown, ...values: unknown[]) => call(...values), {
      async: false,
    })
  }
}

/** A whole number as CEL has it. */
export type Int = bigint
