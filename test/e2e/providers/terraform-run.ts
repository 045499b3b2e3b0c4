import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface TerraformOutcome {
  readonly code: number
  readonly output: string
}

/** A directory with a configuration for real Terraform, and Terraform in it. */
export class TerraformRun {
  readonly directory: string
  readonly #terraform: string
  readonly #cliConfig: string

  /** The provider is `local/test/<type>`, and its executable is used as it is, without `init`. */
  constructor(terraform: string, providers: Readonly<Record<string, string>>) {
    this.#terraform = terraform
    this.directory = mkdtempSync(join(tmpdir(), 'terraform-run-'))
    onTestFinished(() => rmSync(this.directory, { recursive: true, force: true }))
    this.#cliConfig = join(this.directory, 'cli.tfrc')
    const overrides = Object.entries(providers).map(
      ([type, executable]) => `"local/test/${type}" = ${JSON.stringify(dirname(executable))}`,
    )
    writeFileSync(
      this.#cliConfig,
      `provider_installation {\n  dev_overrides {\n    ${overrides.join('\n    ')}\n  }\n  direct {}\n}\n`,
    )
    const required = Object.keys(providers).map((type) => `${type} = { source = "local/test/${type}" }`)
    writeFileSync(
      join(this.directory, 'versions.tf'),
      `terraform {\n  required_providers {\n    ${required.join('\n    ')}\n  }\n}\n`,
    )
  }

  write(configuration: string): void {
    writeFileSync(join(this.directory, 'main.tf'), configuration)
  }

  run(...args: readonly string[]): Promise<TerraformOutcome> {
    const env = {
      ...process.env,
      TF_CLI_CONFIG_FILE: this.#cliConfig,
      TF_IN_AUTOMATION: '1',
      CHECKPOINT_DISABLE: '1',
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    }
    return new Promise((resolve) => {
      execFile(this.#terraform, [...args, '-no-color'], { cwd: this.directory, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      )
    })
  }

  apply(...args: readonly string[]): Promise<TerraformOutcome> {
    return this.run('apply', '-auto-approve', '-input=false', ...args)
  }

  /** Exit code 2 says that there are changes. */
  plan(...args: readonly string[]): Promise<TerraformOutcome> {
    return this.run('plan', '-detailed-exitcode', '-input=false', ...args)
  }
}
