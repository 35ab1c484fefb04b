// Metrics query: the dimensions and steps of figures, which the API, the policy and the service share.

/** By what figures can be grouped. outcome: how runs ended; such groups have only the number of runs. */
export const figureDimensions = ["definition", "version", "type", "action", "connection", "outcome"] as const;
export type FigureDimension = (typeof figureDimensions)[number];

/** The length of the points of a series. none: no series. */
export const figureSpans = ["hour", "day", "none"] as const;
export type FigureSpan = (typeof figureSpans)[number];

/** The value of each dimension by which figures are grouped. */
export type FigureKey = {
  readonly definition?: string;
  readonly version?: number;
  readonly type?: string;
  readonly action?: string;
  /** null: runs without a connection. */
  readonly connection?: string | null;
  readonly outcome?: string;
};
