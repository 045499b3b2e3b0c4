import type { JsonObject } from '@hykube/machinery/json'
import type { Block, Path, Value } from '@hykube/tfplugin/value'
import type { Meter } from '../meter.ts'
import { BlockCompiler } from './block-compiler.ts'
import { checkCompiled } from './check-template.ts'
import { type ConfigProblem, Evaluation, pieceValue, type TemplateSite } from './config-piece.ts'
import { type Reference, referenceToText } from './reference.ts'
import { TemplateError } from './template.ts'
import { templateProblemText } from './template-syntax.ts'
import type { TypeScope } from './type-scope.ts'
import type { ValueScope } from './value-scope.ts'

/** The configuration of a resource, ready to be evaluated for each of its instances. */
export interface CompiledConfig {
  /** All references of its expressions, each once. */
  readonly references: readonly Reference[]
  /** What is wrong whatever the references mean. */
  readonly problems: readonly ConfigProblem[]
  /** What is wrong with the types of its expressions. */
  check(types: TypeScope): ConfigProblem[]
  /** The value for one instance. What is the same for all instances is shared between the values. */
  evaluate(scope: ValueScope, meter: Meter): EvaluatedConfig
}

/** A configuration as a provider gets it. */
export interface EvaluatedConfig {
  /** Of the type that the block implies. Where there is a problem it is null. */
  readonly value: Value
  /** What was made of something sensitive; inside a set it is the set. */
  readonly sensitive: readonly Path[]
  readonly problems: readonly ConfigProblem[]
}

/** The names in a resource's spec that are not the provider's. */
export const reservedNames: readonly string[] = ['count', 'for_each', 'provider', 'depends_on', 'lifecycle']

/** Compiles the spec of a resource by its schema. Never throws: what is wrong is among the problems. */
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

/** Compiles the spec, unless that was done for the same two objects before, and evaluates it. */
export function evaluateConfig(block: Block, spec: JsonObject, scope: ValueScope, meter: Meter): EvaluatedConfig {
  return rememberedConfig(block, spec).evaluate(scope, meter)
}

const remembered = new WeakMap<JsonObject, { readonly block: Block; readonly config: CompiledConfig }>()

function rememberedConfig(block: Block, spec: JsonObject): CompiledConfig {
  const known = remembered.get(spec)
  if (known?.block === block) return known.config
  const config = compileConfig(block, spec)
  remembered.set(spec, { block, config })
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
