import type { Environment } from '@marcbachmann/cel-js'
import { kubernetesEnvironment } from '../kubernetes-environment.ts'
import { meterEnvironment } from '../metered-evaluator.ts'

/** The most arguments that a function is given. */
export const mostArguments = 16

/** The environment that expressions of resources are read in, and in which functions of the library are called. */
export function templateEnvironment(): Environment {
  environment ??= createEnvironment()
  return environment
}

/** The names that the language has by itself: types, and what functions are called on. */
export function isConstant(name: string): boolean {
  constants ??= new Set(
    kubernetesEnvironment()
      .getDefinitions()
      .variables.map((variable) => variable.name),
  )
  return constants.has(name)
}

/** What an argument is called when a function is called on its own. */
export function argumentName(index: number): string {
  return `argument${index}`
}

let environment: Environment | undefined
let constants: ReadonlySet<string> | undefined

// The depth that binary operators reach is bounded by the number of parts, since they nest without a limit of their own.
const limits = { maxAstNodes: 2000, maxDepth: 100, maxCallArguments: mostArguments }

function createEnvironment(): Environment {
  const made = kubernetesEnvironment().clone({ limits } as never)
  for (let i = 0; i < mostArguments + 1; i++) made.registerVariable(argumentName(i), 'dyn')
  meterEnvironment(made)
  return made
}
