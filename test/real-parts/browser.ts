import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** Chromium, which only the machine can have: browsers do not come from package registries. */
export const chromium: RealPart = {
  name: 'chromium',
  description: 'the Chromium of this machine',
  heavy: false,
  locate: () => ['chromium', 'chromium-browser', 'google-chrome'].map(onPath).find((path) => path !== undefined),
  remedy: 'install chromium',
}
