import { Environment } from '@marcbachmann/cel-js'
import { conversionFunctions } from './library/conversions.ts'
import { registerFunctions, registerNamespace } from './library/function-table.ts'
import { registerIp } from './library/ip.ts'
import { listFunctions, listsNamespace, setsNamespace } from './library/lists.ts'
import { registerFormats } from './library/named-format.ts'
import { registerQuantity } from './library/quantity.ts'
import { regexFunctions } from './library/regex.ts'
import { registerSemver } from './library/semver.ts'
import { stringFunctions, stringsNamespace } from './library/strings.ts'
import { registerTwoVariables } from './library/two-variables.ts'
import { registerUrl } from './library/url.ts'
import { registerProbe } from './metered-evaluator.ts'

/** CEL with the libraries that Kubernetes adds to it, without variables. Made on first use; environments are made from it. */
export function kubernetesEnvironment(): Environment {
  base ??= createBase()
  return base.clone()
}

let base: Environment | undefined

function createBase(): Environment {
  // Lists of mixed types are let through, because arguments of `format` are such lists.
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  registerProbe(environment)
  environment.registerOperator('optional<dyn> == null', () => false)
  registerFunctions(environment, conversionFunctions)
  registerFunctions(environment, stringFunctions)
  registerFunctions(environment, regexFunctions)
  registerFunctions(environment, listFunctions)
  registerNamespace(environment, 'strings', stringsNamespace)
  registerNamespace(environment, 'lists', listsNamespace)
  registerNamespace(environment, 'sets', setsNamespace)
  registerUrl(environment)
  registerIp(environment)
  registerQuantity(environment)
  registerSemver(environment)
  registerFormats(environment)
  registerTwoVariables(environment)
  return environment
}
