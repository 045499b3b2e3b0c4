import { commandsPage } from './commands.ts'
import { conditionsPage } from './conditions.ts'
import { kindsPage } from './kinds.ts'
import { metricsPage } from './metrics.ts'
import { withRunningServer } from './running-server.ts'

/** Builds all reference pages, by path in the repository, from a running server where possible. */
export function referencePages(): Promise<ReadonlyMap<string, string>> {
  return withRunningServer(async (ask) => {
    const pages: [string, string][] = [
      ['commands', await commandsPage()],
      ['kinds', await kindsPage(ask)],
      ['conditions', conditionsPage()],
      ['metrics', metricsPage(await ask('/metrics'))],
    ]
    return new Map(pages.map(([name, text]) => [`docs/reference/${name}.md`, `${text.trim()}\n`]))
  })
}
