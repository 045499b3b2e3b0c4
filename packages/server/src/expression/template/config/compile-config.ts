import type { JsonObject } from '@hykube/machinery/json'
import type { Block } from '@hykube/tfplugin/schema'
import type { Path, Value } from '@hykube/tfplugin/value'
import type { Meter } from '../../meter.ts'
import type { ValueScope } from '../evaluate/value-scope.ts'
import { type Reference, referenceToText } from '../syntax/reference.ts'
import { TemplateError } from '../syntax/template.ts'
import { templateProblemText } from '../template-syntax.ts'
import { checkCompiled } from '../types/check-template.ts'
import type { TypeScope } from '../types/type-scope.ts'
import { BlockCompiler } from './block-compiler.ts'
import { type ConfigProblem, Evaluation, pieceValue, type TemplateSite } from './config-piece.ts'

/** A compiled configuration of a resource, which is evaluated for each of its instances. */
export interface CompiledConfig {
  /** All references of its expressions, each once. */
  readonly references: readonly Reference[]
  /** Errors that don't depend on referenced values. */
  readonly problems: readonly ConfigProblem[]
  /** Type-checks the expressions. */
  check(types: TypeScope): ConfigProblem[]
  /** Evaluates for one instance. Constant parts are shared between the values of all instances. */
  evaluate(scope: ValueScope, meter: Meter): EvaluatedConfig
}

/** A configuration as it is sent to a provider. */
export interface EvaluatedConfig {
  /** A value of the block's implied type; null in place of values with problems. */
  readonly value: Value
  /** The paths of values derived from sensitive ones. Elements of sets have no stable path, so the whole set is listed. */
  readonly sensitive: readonly Path[]
  readonly problems: readonly ConfigProblem[]
}

/** The fields of a spec that are not attributes: Terraform's meta-arguments. */
export const reservedNames: readonly string[] = ['count', 'for_each', 'provider', 'depends_on', 'lifecycle']

/** Compiles the spec of a resource. Errors are collected in `problems`, not thrown. */
export function compileConfig(block: Block, spec: JsonObject): CompiledConfig {
  const compiler = new BlockCompiler()
  const piece = compiler.block(spec, block, { path: [] }, reservedNames)
  const { problems, sites } = compiler
  return {
    references: distinctReferences(sites),
    problems,
    check: (types) => sites.flatMap((site) => checkSite(site, types)),
    evaluate(scope, meter) {
      const evaluation = new Evaluation(scope, meter)
      const value = pieceValue(piece, evaluation)
      const later = evaluation.problems
      return {
        value,
        sensitive: evaluation.sensitive,
        problems: later.length === 0 ? problems : [...problems, ...later],
      }
    },
  }
}

/** Compiles and evaluates a spec. The compiled form is cached by the identity of spec and block. */
export function evaluateConfig(block: Block, spec: JsonObject, scope: ValueScope, meter: Meter): EvaluatedConfig {
  return cachedConfig(block, spec).evaluate(scope, meter)
}

const cache = new WeakMap<JsonObject, { readonly block: Block; readonly config: CompiledConfig }>()

function cachedConfig(block: Block, spec: JsonObject): CompiledConfig {
  const known = cache.get(spec)
  if (known?.block === block) return known.config
  const config = compileConfig(block, spec)
  cache.set(spec, { block, config })
  return config
}

function distinctReferences(sites: readonly TemplateSite[]): Reference[] {
  const distinct = new Map<string, Reference>()
  for (const { compiled } of sites) {
    for (const { reference } of compiled.references) {
      const text = referenceToText(reference)
      if (!distinct.has(text)) distinct.set(text, reference)
    }
  }
  return [...distinct.values()]
}

function checkSite({ compiled, expected, path }: TemplateSite, types: TypeScope): ConfigProblem[] {
  return checkCompiled(compiled, expected, types).map(({ message, position }) => ({
    path,
    message: templateProblemText(new TemplateError(message, position), compiled.template.text),
  }))
}
