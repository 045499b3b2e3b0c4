import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** Chromium; it must be installed, because browsers are not in package registries. */
export const chromium: RealPart = {
  name: 'chromium',
  description: 'the Chromium of this machine',
  heavy: false,
  locate: () => ['chromium', 'chromium-browser', 'google-chrome'].map(onPath).find((path) => path !== undefined),
  remedy: 'install chromium',
}
