import { Command } from 'commander'
import { hykubeVersion } from './package-version.ts'

/** `hykube version` */
export function versionCommand(): Command {
  return new Command('version').description('tell the version of this program').action(() => {
    process.stdout.write(`hykube ${hykubeVersion()} (Node ${process.versions.node})\n`)
  })
}
