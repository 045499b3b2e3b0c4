/** Plans, progress and tables as a person reads them. */
export { renderChange } from './change.ts'
export { renderDiagnostic } from './diagnostic.ts'
export { graphToDot, graphToMermaid, graphToSvg } from './graph/formats.ts'
export { type Graph, type GraphNode, neighbourhood } from './graph/graph.ts'
export { graphToText } from './graph/text.ts'
export { LiveView } from './live-view.ts'
export {
  type ChangePages,
  countChanges,
  furtherLine,
  hasChanges,
  type PlanTelling,
  renderPlan,
  summaryLine,
} from './plan.ts'
export type {
  ChangeAction,
  ChangeOutcome,
  PlanChange,
  PlanDiagnostic,
  PlanSummary,
  ValueChange,
} from './plan-view.ts'
export { type Progress, progressLine, progressLines } from './progress.ts'
export { createStyle, type Style } from './style.ts'
export { fit, renderTable } from './table.ts'
