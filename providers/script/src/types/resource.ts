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
import { commandProblem, executionAttributes } from './execution-options.ts'

const { resource } = definitionsFor<Scripts>()

function command(options: { readonly description: string }) {
  return attribute.list(valueType.string, { optional: true, validate: commandProblem, ...options })
}

const scriptSchema = schema({
  description: 'A resource managed by commands that use JSON on standard input and output.',
  attributes: {
    id: attribute.string({
      computed: true,
      useStateForUnknown: true,
      description: 'The id from the create command; random by default.',
    }),
    create: attribute.list(valueType.string, {
      required: true,
      validate: commandProblem,
      description: 'Creates the object. Program and arguments, without a shell.',
    }),
    read: command({ description: 'Reads the object; writes `null` when it does not exist. Default: it is not read.' }),
    update: command({ description: 'Updates the object when `input` changes. Default: the object is replaced.' }),
    delete: command({ description: 'Deletes the object. Default: it is only removed from the state.' }),
    input: attribute.dynamic({ optional: true, description: 'Desired properties, the input of the commands.' }),
    output: attribute.dynamic({ computed: true, description: 'Output of the commands.' }),
    sensitive_output: attribute.dynamic({
      computed: true,
      sensitive: true,
      description: 'Sensitive output of the commands.',
    }),
    triggers: attribute.map(valueType.string, {
      optional: true,
      description: 'The object is replaced when any of these changes.',
    }),
    ...executionAttributes,
  },
})

type ScriptState = State<typeof scriptSchema>

/** A resource managed by commands for create, read, update and delete. */
export const scriptResource = resource({
  schema: scriptSchema,
  // Changes of execution options alone need no command; only a changed input or an adopted object does.
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
      execution: planned,
      request: { input: planned.input },
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
      // It returned an id before it failed, so the object exists and must be deleted later.
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
      execution: state,
      request: inputOf(state),
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
    const request = { ...inputOf(prior), input: planned.input as Value, prior_input: prior.input }
    const call: Call = { operation, words, execution: planned, request, secrets: [prior.sensitive_output], signal }
    return { ...state, ...merged(state, existing(await client.call(call), operation)) }
  },
  async delete({ prior, client, signal }) {
    if (prior.delete === null) return
    const secrets = [prior.sensitive_output]
    await client.call({
      operation: 'delete',
      words: prior.delete,
      execution: prior,
      request: inputOf(prior),
      secrets,
      signal,
    })
  },
})

function toValue(triggers: ScriptState['triggers'] | Unknown): Value {
  return triggers as Value
}

// For an imported object only the id is known.
function isAdopted(prior: ScriptState): boolean {
  return (prior.create as unknown) === null
}

function inputOf({ id, input, output, sensitive_output }: ScriptState): Call['request'] {
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
  throw new ProviderFailure(`The ${operation} command reported that the object does not exist`, {
    detail: 'It wrote `null` to its standard output, which only the read command may do.',
    place: [operation],
  })
}
