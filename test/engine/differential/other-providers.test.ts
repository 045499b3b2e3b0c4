import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestServer } from '@hykube/server/app/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TerraformRun } from '../../e2e/providers/terraform-run.ts'
import { describeWith } from '../../real-parts/index.ts'
import { diceOf } from './configuration.ts'
import { FileWorld } from './file-world.ts'
import { frame, legacy, type OtherProvider, otherCase, time } from './go-cases.ts'
import { runRound } from './round.ts'
import { provide, ServerSide } from './server-side.ts'
import { TerraformSide } from './terraform-side.ts'

const seed = Number(process.env.HYKUBE_DIFFERENTIAL_SEED ?? 1)
const count = process.env.HYKUBE_DIFFERENTIAL_THOROUGH === '1' ? 30 : 3
const only = process.env.HYKUBE_DIFFERENTIAL_ONLY

for (const provider of [frame, legacy, time]) compareWith(provider)

function compareWith(provider: OtherProvider): void {
  const { name, hasWorld, drift } = provider
  const program = `terraform-provider-${name}`
  describeWith(['terraform', program], `${name}, through Hykube and real terraform`, (terraform, executable) => {
    let directory: string
    let server: TestServer

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'hykube-other-'))
      for (const each of ['mirror', 'ours', 'theirs']) mkdirSync(join(directory, each))
      symlinkSync(executable, join(directory, 'mirror', program))
      // The provider runs as a user of its own, which must reach its world.
      chmodSync(directory, 0o711)
      server = await TestServer.open({
        providerDirectories: [join(directory, 'mirror')],
        providerPaths: [`${name}=${join(directory, 'ours')}`],
      })
      const config = hasWorld ? { world: join(directory, 'ours') } : {}
      await provide(server, name, config)
    })

    afterAll(async () => {
      await server?.close()
      rmSync(directory, { recursive: true, force: true })
    })

    test(`${count} random configurations and edits, seed ${seed}`, { timeout: 600_000 }, async () => {
      const dice = diceOf(seed)
      const cases = Array.from({ length: count }, (_, number) => otherCase(provider, number, dice))
      const ours = new FileWorld(join(directory, 'ours'))
      const theirs = new FileWorld(join(directory, 'theirs'))
      const run = new TerraformRun(terraform, { [name]: join(directory, 'mirror', program) })
      const settings = hasWorld ? `world = ${JSON.stringify(theirs.directory)}` : ''
      const differences = await runRound({
        cases: cases.filter(({ number }) => only === undefined || only.split(',').includes(String(number))),
        ours: new ServerSide(server, ours),
        theirs: new TerraformSide(run, `provider "${name}" {\n${settings}\n}`, theirs),
        dice,
        refusals: [undefined],
        drift,
        ...(provider.normalise && { normalise: provider.normalise }),
      })
      expect(differences).toEqual([])
    })
  })
}
