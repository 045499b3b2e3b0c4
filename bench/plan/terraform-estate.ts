import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Taken } from './hykube-estate.ts'

const provider = resolve(import.meta.dirname, '../../providers/sim/bin')

/** The same resources under real terraform or tofu, with the same provider. */
export class TerraformEstate {
  readonly #program: string
  readonly #directory = mkdtempSync(join(tmpdir(), 'hykube-bench-terraform-'))

  constructor(program: string) {
    this.#program = program
    this.#file('cli.tfrc', `provider_installation {\n  dev_overrides {\n    "local/test/sim" = "${provider}"\n  }\n}\n`)
  }

  /** Returns the first installed program, or undefined. */
  static async find(): Promise<TerraformEstate | undefined> {
    for (const program of ['tofu', 'terraform'])
      if (await new Promise((done) => execFile(program, ['version'], (error) => done(error === null))))
        return new TerraformEstate(program)
    return undefined
  }

  get name(): string {
    return this.#program
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }

  write(count: number, word: string): void {
    this.#file(
      'main.tf',
      `terraform {
  required_providers {
    sim = { source = "local/test/sim" }
  }
}
provider "sim" { world = "sqlite:${join(this.#directory, 'world.db')}" }
resource "sim_null" "many" {
  count    = ${count}
  triggers = { word = count.index == 0 ? "${word}" : "v", index = tostring(count.index) }
}
`,
    )
  }

  plan(): Promise<Taken> {
    return this.#run('plan -input=false -no-color -out=p.out')
  }

  apply(): Promise<Taken> {
    return this.#run('apply -input=false -no-color p.out')
  }

  #file(name: string, text: string): void {
    writeFileSync(join(this.#directory, name), text)
  }

  // Bash's `time` includes all children that were waited for, the provider among them.
  #run(args: string): Promise<Taken> {
    const begun = performance.now()
    const env = {
      ...process.env,
      TF_CLI_CONFIG_FILE: join(this.#directory, 'cli.tfrc'),
      CHECKPOINT_DISABLE: '1',
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    }
    const script = `TIMEFORMAT='cpu %U %S'; time ${this.#program} ${args} >out.log 2>&1`
    return new Promise((done, fail) => {
      execFile('bash', ['-c', script], { cwd: this.#directory, env }, (error, _, stderr) => {
        const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(stderr) ?? []
        if (error !== null || user === undefined) fail(new Error(`${this.#program} ${args} failed: ${stderr}`))
        else done({ cpu: Number(user) + Number(system), wall: (performance.now() - begun) / 1000 })
      })
    })
  }
}
