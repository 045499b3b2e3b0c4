import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program to completion; an error contains its last lines of output. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { maxBuffer: 64 << 20, ...options })
    return stdout
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').slice(-5).join('\n')
    throw new Error(`${program} ${args.join(' ')} failed: ${said || (error as Error).message}`)
  }
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** Returns the first executable of this name on the PATH. */
export function onPath(name: string): string | undefined {
  const directories = (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
  return directories.map((directory) => join(directory, name)).find(isExecutable)
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
