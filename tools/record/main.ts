import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { recordedSession } from './session.ts'
import { terminalSvg } from './svg.ts'

/** `node tools/run.cjs record`: generates docs/terminal.svg from a real run. Needs kubectl on the PATH and `script`. */
const columns = 84
writeFileSync(join(root, 'docs/terminal.svg'), terminalSvg(await recordedSession(columns), columns))
