import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PackageSchema, type ProviderPackage, ProviderProcesses } from '../../provider/index.ts'

/** The simulated cloud provider as a process that the engines of many tests share. */
export class TestSim {
  readonly directory: string
  readonly processes: ProviderProcesses
  readonly package: ProviderPackage
  readonly schema: PackageSchema

  private constructor(
    directory: string,
    processes: ProviderProcesses,
    ofPackage: ProviderPackage,
    schema: PackageSchema,
  ) {
    this.directory = directory
    this.processes = processes
    this.package = ofPackage
    this.schema = schema
  }

  static async start(): Promise<TestSim> {
    const directory = mkdtempSync(join(tmpdir(), 'hykube-engine-'))
    const processes = new ProviderProcesses({
      schemaDirectory: join(directory, 'schemas'),
      environment: process.env,
    })
    const executable = fileURLToPath(
      new URL('../../../../../providers/sim/bin/terraform-provider-sim', import.meta.url),
    )
    const ofPackage = { source: 'hykube/sim', version: '0.1.0', hash: 'sim', executable }
    return new TestSim(directory, processes, ofPackage, await processes.schemaOf(ofPackage))
  }

  /** The default file of simulated resources. */
  get world(): string {
    return join(this.directory, 'world.db')
  }

  async close(): Promise<void> {
    await this.processes.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
