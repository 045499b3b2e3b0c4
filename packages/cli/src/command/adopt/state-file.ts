import { readFile } from 'node:fs/promises'
import { isJsonObject, JsonError, type JsonObject, parseJsonText } from '@hykube/machinery/json'
import { CommandError } from '../host/failure.ts'

/** A resource of a state file with its instances, in one instance of its module. */
export interface StateResource {
  readonly file: string
  /** Such as `module.net["eu"]`; empty for the root module. */
  readonly module: string
  readonly type: string
  readonly name: string
  readonly provider: StateProvider
  readonly instances: readonly JsonObject[]
  /** Addresses without module keys, as state files list dependencies. */
  readonly dependencies: readonly string[]
}

/** The provider of a resource: its source, such as `registry.terraform.io/hashicorp/aws`, and its alias. */
export interface StateProvider {
  readonly source: string
  readonly alias: string
}

/** The content of a state file. */
export interface StateFile {
  readonly resources: readonly StateResource[]
  /** The number of data sources, which are not adopted. */
  readonly dataSources: number
}

/** Reads a state file of Terraform or OpenTofu, version 4. */
export async function readStateFile(file: string): Promise<StateFile> {
  const document = documentOf(file, await textOf(file))
  const { version, resources } = document
  if (version !== 4)
    throw new CommandError(
      `${file} is not a state file of version 4: its version is ${JSON.stringify(version ?? null)}`,
      'Terraform 0.12 and later, and OpenTofu, write version 4:  terraform state pull > FILE',
    )
  const all = Array.isArray(resources) ? resources.filter((each) => isJsonObject(each)) : []
  const managed = all.filter(({ mode }) => mode === 'managed')
  return {
    resources: managed.map((each) => resourceFrom(file, each)).filter(({ instances }) => instances.length > 0),
    dataSources: all.length - managed.length,
  }
}

/** The address of a resource in its state file. */
export function stateAddress({ module, type, name }: Pick<StateResource, 'module' | 'type' | 'name'>): string {
  return `${module === '' ? '' : `${module}.`}${type}.${name}`
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`)
  }
}

function documentOf(file: string, text: string): JsonObject {
  try {
    const { value } = parseJsonText(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new CommandError(`cannot read ${file}: ${error.message}`)
  }
  throw new CommandError(`${file} is not a state file: it holds no JSON object`)
}

function resourceFrom(file: string, given: JsonObject): StateResource {
  const { module = '', type, name, provider = '', instances } = given
  if (typeof type !== 'string' || typeof name !== 'string' || !Array.isArray(instances))
    throw new CommandError(`${file} holds a resource without type, name or instances`)
  const all = instances.filter((each) => isJsonObject(each))
  const dependencies = all.flatMap(({ dependencies: of }) => (Array.isArray(of) ? of : []))
  return {
    file,
    module: String(module),
    type,
    name,
    provider: providerFrom(String(provider)),
    instances: all,
    dependencies: [...new Set(dependencies.filter((each) => typeof each === 'string'))],
  }
}

// `module.x.provider["registry.terraform.io/hashicorp/aws"].west`
function providerFrom(text: string): StateProvider {
  const [, source = '', alias = ''] = /provider\["([^"]+)"\](?:\.([\w-]+))?$/.exec(text) ?? []
  return { source, alias }
}
