import { messageOf } from '@hykube/machinery/base'
import type { CallFunctionRequest, CallFunctionResponse } from '@hykube/tfplugin/protocol'
import type { FunctionDefinition } from './resource.ts'
import { mismatch, TypeMismatchError, within } from './schema/type-mismatch.ts'
import { readValue, type ValueType, writeValue } from './schema/value-type.ts'

/** Calls a provider function. An error becomes the failure of the call, with the argument index if one is at fault. */
export async function callFunction(
  definition: FunctionDefinition,
  { arguments: given }: CallFunctionRequest,
): Promise<CallFunctionResponse> {
  const names = Object.keys(definition.parameters)
  try {
    const read = given.map((value, i) =>
      within(i, () => {
        const name = names[i]
        const parameter = name === undefined ? definition.variadic : definition.parameters[name]
        return parameter === undefined ? mismatch('no such parameter') : readValue(parameter.type, value)
      }),
    )
    const args = Object.fromEntries(names.map((name, i) => [name, read[i]]))
    const result = await definition.call(args as never, read.slice(names.length) as never)
    return { result: writeValue(definition.returns as ValueType<unknown>, result) }
  } catch (error) {
    const text = messageOf(error)
    const [argument] = error instanceof TypeMismatchError ? error.place : []
    return { error: { text, ...(typeof argument === 'number' && { functionArgument: argument }) } }
  }
}
