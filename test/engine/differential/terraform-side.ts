import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TerraformRun } from '../../e2e/providers/terraform-run.ts'
import type { Declared } from './declared.ts'
import { asReadNow, type ReadResource } from './known-differences.ts'
import type { Names, ShownChange } from './normal-form.ts'
import type { ComparedWorld, Side, SidePlan, Targeted, Trouble } from './side.ts'

/** Of a plan as JSON, as much as is needed here. */
interface ShownPlan {
  readonly resource_changes?: readonly ShownChange[]
  readonly prior_state?: {
    readonly values?: { readonly root_module?: { readonly resources?: readonly ReadResource[] } }
  }
}

/** Of a state file, as much as is needed here. */
interface StateFile {
  readonly resources: readonly {
    readonly mode: string
    readonly type: string
    readonly name: string
    readonly instances: readonly {
      readonly index_key?: string | number
      readonly deposed?: string
      readonly attributes: { readonly id: string }
    }[]
  }[]
}

/** Real Terraform, of the two that are compared. */
export class TerraformSide implements Side {
  readonly world: ComparedWorld
  readonly #run: TerraformRun
  readonly #providers: string

  /** `providers` is what the configuration says of providers. */
  constructor(run: TerraformRun, providers: string, world: ComparedWorld) {
    this.#run = run
    this.#providers = providers
    this.world = world
  }

  async write(all: readonly Declared[]): Promise<void> {
    this.#run.write(`${this.#providers}\n${all.map(({ hcl }) => hcl).join('\n')}`)
  }

  async plan(replaced: readonly string[], targeted?: Targeted): Promise<SidePlan> {
    const { code, output } = await this.#run.plan(
      '-out=plan',
      ...replaced.map((address) => `-replace=${address}`),
      ...(targeted?.mode === 'Destroy' ? ['-destroy'] : []),
      ...(targeted?.targets ?? []).map((address) => `-target=${address}`),
    )
    if (code === 1) return { changes: [], troubles: [], error: errorIn(output) }
    const shown = (await this.#run.run('show', '-json', 'plan')).output
    const { resource_changes = [], prior_state } = JSON.parse(shown.slice(shown.indexOf('{'))) as ShownPlan
    return { changes: asReadNow(resource_changes, prior_state?.values?.root_module?.resources ?? []), troubles: [] }
  }

  async apply(): Promise<{ readonly troubles: readonly Trouble[]; readonly error?: string }> {
    const { code, output } = await this.#run.run('apply', '-input=false', '-parallelism=20', 'plan')
    if (code === 0) return { troubles: [] }
    const error = errorIn(output)
    const addresses = new Set(error.match(/\b(?:data\.)?\w+_\w+\.c\d+\w+(?:\[[^\]]*\])?/g))
    return { troubles: [...addresses].map((address) => ({ address, text: error })), error }
  }

  // Out of the file: `terraform show` starts the provider.
  async names(): Promise<Names> {
    const file = join(this.#run.directory, 'terraform.tfstate')
    const names = new Map<string, string>()
    if (!existsSync(file)) return names
    const { resources } = JSON.parse(readFileSync(file, 'utf8')) as StateFile
    for (const { mode, type, name, instances } of resources)
      for (const { index_key, deposed, attributes } of mode === 'managed' ? instances : []) {
        const key = index_key === undefined ? '' : `[${JSON.stringify(index_key)}]`
        names.set(attributes.id, `${type}.${name}${key}${deposed === undefined ? '' : ' (deposed)'}`)
      }
    return names
  }
}

function errorIn(output: string): string {
  return output.slice(output.indexOf('Error:'))
}
