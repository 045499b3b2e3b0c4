import type { ChangeOutcome, PlanPhase } from '@hykube/machinery/plan-api'
import { generated, table } from './table.ts'

/**
 * Meaning and remedy of the reasons of resource conditions. The test next to this file compares them with the source.
 */
export const resourceReasons: Readonly<Record<string, string>> = {
  NotApplied: 'The object was never applied, or its real resource was destroyed. Plan and apply.',
  NeverRefreshed: 'The real resource has not been refreshed yet.',
  Progressing: 'No manual action is needed.',
  Applied: 'The real resource is as last applied.',
  PartiallyApplied: 'Some instances are not as desired: `hykube instances ADDRESS` lists them. Plan again.',
  Pending:
    'The spec was edited or the object was deleted, and that was not applied yet. Plan and apply; a plan that finds nothing to change sets `Applied` to True.',
  ApplyFailed: 'The provider returned an error; see the message. Fix the cause and plan again.',
  ReplacementIncomplete:
    'The old resource of a replacement was destroyed or forgotten, and the new one was not created yet. Unless a plan is being applied, plan and apply again.',
  Imported:
    'The object was taken over from a state file. While `Applied` is False, plan to see how the spec differs from the state.',
  Read: 'A plan read the data source; the result is in `status.attributes`.',
  AsApplied: 'The last refresh found no drift.',
  ChangedOutside:
    'The real resource differs from what was applied; the message lists the attributes. Plan to restore it, or accept the drift with mode RefreshOnly.',
  Accepted: 'Drift was accepted by a plan in mode RefreshOnly.',
  OutcomeUnknown:
    'A provider call was started and its response was lost. Check the real resource, then run `hykube resolve ADDRESS`.',
  Resolved: 'A lost response was resolved manually. Plan again.',
}

/** Reasons of Provider conditions other than those in [provider packages](../provider-packages.md). */
export const providerReasons: Readonly<Record<string, string>> = {
  Pending: 'The Provider was created and is not installed yet.',
  Installed: 'The package is downloaded, verified and locked.',
  Served: 'The kinds of the provider are served.',
  ObjectsRemain:
    'The Provider was deleted and waits for a plan that destroys its real resources; the message has their number. Plan and apply with `-A`.',
  Failed: 'Another error; see the message.',
}

/** Meanings of a Plan's phases. */
const planPhases: Readonly<Record<PlanPhase, string>> = {
  Pending: 'The plan was created.',
  Planning: 'Changes are being computed.',
  Planned: 'The plan waits for approval until `expiresAfter` has passed.',
  NoChanges: 'There are no changes.',
  Blocked: 'All changes are blocked; `changes` has the reasons. Fix them and plan again.',
  Approved: 'The plan was approved and will be applied.',
  Rejected: 'The plan was rejected.',
  Applying: 'Changes are being applied; see `status.progress`.',
  Applied: 'All changes were applied.',
  PartiallyApplied: 'Some changes were not applied; `changes` has the reasons. Plan again.',
  Failed: 'Planning failed, or no change could be applied; see the message.',
  Canceled: 'The plan was canceled; changes that were running have ended.',
  Stale: 'All changes were rejected, because their inputs changed after planning. Plan again.',
  Expired: 'The plan was not approved in time.',
}

/** Possible results of a change. */
const changeResults: Readonly<Record<ChangeOutcome['result'], string>> = {
  applied: 'The change was applied.',
  failed: 'The provider returned an error.',
  refused: 'An input changed after planning; nothing was applied.',
  skipped: 'A change it depends on was not applied.',
  unknown: 'The response of the provider was lost; run `hykube resolve`.',
}

/** Builds the page of conditions, reasons and phases. */
export function conditionsPage(): string {
  const rows = (meanings: Readonly<Record<string, string>>) =>
    Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, meaning])
  return [
    '# Conditions, reasons and phases',
    generated,
    '## Conditions of an object of a provider',
    table(
      ['condition', 'True means'],
      [
        ['`Ready`', 'the real resource is as last applied'],
        ['`Applied`', 'the current generation was applied'],
        ['`Drifted`', 'the real resource differs from what was applied (per instance)'],
        ['`Stalled`', 'manual action is needed'],
      ],
    ),
    '### Reasons',
    table(['reason', 'meaning and remedy'], rows(resourceReasons)),
    '## Conditions of a Provider',
    '`Installed` and `Ready`, and `Terminating` after deletion. For failed installations and provider errors see [provider packages](../provider-packages.md).',
    table(['reason', 'meaning'], rows(providerReasons)),
    '## Phases of a Plan',
    table(['phase', 'meaning'], rows(planPhases)),
    '## Results of a change',
    table(['result', 'meaning'], rows(changeResults)),
  ].join('\n\n')
}
