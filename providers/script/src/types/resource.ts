import { randomUUID } from 'node:crypto'
import {
  attribute,
  definitionsFor,
  equalValues,
  ProviderFailure,
  type State,
  schema,
  type Unknown,
  type Value,
  valueType,
} from '@hykube/provider-sdk/provider'
import { type Answer, kept } from '../answer.ts'
import { type Call, CommandFailure, type Scripts } from '../scripts.ts'
import { commandProblem, mannerAttributes } from './manner.ts'

const { resource } = definitionsFor<Scripts>()

function command(options: { readonly description: string }) {
  return attribute.list(valueType.string, { optional: true, validate: commandProblem, ...options })
}

const scriptSchema = schema({
  description: 'Something that commands make, read, change and delete. They speak JSON on standard input and output.',
  attributes: {
    id: attribute.string({
      computed: true,
      useStateForUnknown: true,
      description: 'What the create command said, or else a random one.',
    }),
    create: attribute.list(valueType.string, {
      required: true,
      validate: commandProblem,
      description: 'Makes it. Program and arguments; no shell reads them.',
    }),
    read: command({ description: 'Tells how it is now; `null` when it is gone. Without it nobody looks.' }),
    update: command({ description: 'Changes it when `input` changes. Without it a new one is made instead.' }),
    delete: command({ description: 'Deletes it. Without it, it is forgotten.' }),
    input: attribute.dynamic({ optional: true, description: 'What it should be like: told to the commands.' }),
    output: attribute.dynamic({ computed: true, description: 'What the commands said it is like.' }),
    sensitive_output: attribute.dynamic({
      computed: true,
      sensitive: true,
      description: 'The same, for what must not be shown.',
    }),
    triggers: attribute.map(valueType.string, {
      optional: true,
      description: 'A new one is made when any of these changes.',
    }),
    ...mannerAttributes,
  },
})

type ScriptState = State<typeof scriptSchema>

/** Something that commands make, read, change and delete. */
export const scriptResource = resource({
  schema: scriptSchema,
  // How commands run may change without anything being done; only another input, or an adopted object, calls for that.
  modifyPlan({ prior, planned, requiresReplace }) {
    if (prior === null) return planned
    const isSame = equalValues(prior.input, planned.input as Value)
    if (isAdopted(prior)) return planned
    if (!equalValues(toValue(prior.triggers), toValue(planned.triggers))) requiresReplace(['triggers'])
    if (!isSame && planned.update === null) requiresReplace(['input'])
    if (!isSame) return planned
    return { ...planned, output: prior.output, sensitive_output: prior.sensitive_output }
  },
  async create({ planned, client, signal }) {
    const call: Call = {
      operation: 'create',
      words: planned.create,
      manner: planned,
      told: { input: planned.input },
      signal,
    }
    const made = (answer: Answer): ScriptState => ({
      ...planned,
      id: answer.id ?? randomUUID(),
      output: answer.output ?? null!,
      sensitive_output: answer.sensitive_output ?? null!,
    })
    try {
      return made(existing(await client.call(call), 'create'))
    } catch (error) {
      // It gave an id before it failed, so that something is there which must be taken away again.
      if (error instanceof CommandFailure && error.answer?.id !== undefined)
        throw new ProviderFailure(error.message, { ...error, state: made(error.answer) })
      throw error
    }
  },
  async read({ state, client, signal }) {
    if (state.read === null) return state
    const answer = await client.call({
      operation: 'read',
      words: state.read,
      manner: state,
      told: toldOf(state),
      secrets: [state.sensitive_output],
      signal,
    })
    if (answer === null) return null
    return { ...state, ...merged(state, answer), input: kept(state.input, answer.input) }
  },
  async update({ prior, planned, client, signal }) {
    const state = { ...planned, id: prior.id, output: prior.output, sensitive_output: prior.sensitive_output }
    const adopted = isAdopted(prior)
    const [operation, words] =
      planned.update === null ? (['read', planned.read] as const) : (['update', planned.update] as const)
    const isNeeded = adopted || !equalValues(prior.input, planned.input as Value)
    if (!isNeeded || words === null) return state
    const told = { ...toldOf(prior), input: planned.input as Value, prior_input: prior.input }
    const call: Call = { operation, words, manner: planned, told, secrets: [prior.sensitive_output], signal }
    return { ...state, ...merged(state, existing(await client.call(call), operation)) }
  },
  async delete({ prior, client, signal }) {
    if (prior.delete === null) return
    const secrets = [prior.sensitive_output]
    await client.call({ operation: 'delete', words: prior.delete, manner: prior, told: toldOf(prior), secrets, signal })
  },
})

function toValue(triggers: ScriptState['triggers'] | Unknown): Value {
  return triggers as Value
}

// Of an object that was imported only the id is known.
function isAdopted(prior: ScriptState): boolean {
  return (prior.create as unknown) === null
}

function toldOf({ id, input, output, sensitive_output }: ScriptState): Call['told'] {
  return { id, input, output, sensitive_output }
}

function merged(state: ScriptState, answer: Answer): Pick<ScriptState, 'id' | 'output' | 'sensitive_output'> {
  return {
    id: answer.id ?? state.id,
    output: kept(state.output, answer.output) as never,
    sensitive_output: kept(state.sensitive_output, answer.sensitive_output) as never,
  }
}

function existing(answer: Answer | null, operation: string): Answer {
  if (answer !== null) return answer
  throw new ProviderFailure(`The ${operation} command said that the object is gone`, {
    detail: 'It wrote `null` to its standard output, which is for the read command.',
    place: [operation],
  })
}
