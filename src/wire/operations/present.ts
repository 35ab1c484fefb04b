// Operations over many dead letters as the wire sees them, and their filters as the inside does.
import type { DeadLetterFilters } from "#schema/dead-letter.ts";
import type { OperationStatus, OperationTotals, OperationTrouble, OperationVerb } from "#schema/operation.ts";
import type { ApiOperation, ApiOperationPreview, ArchiveAllBody } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Shown = {
  readonly id: string;
  readonly verb: OperationVerb;
  readonly status: OperationStatus;
  readonly filter: DeadLetterFilters;
  readonly perSecond: number;
  readonly reason: string | null;
  readonly actor: string;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly estimatedEndAt: number | null;
  readonly counts: OperationTotals;
  readonly trouble: OperationTrouble | null;
};
type Preview = {
  readonly matching: number;
  readonly estimatedSeconds: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly byErrorType: { readonly [type: string]: number };
  readonly skipped: { readonly [reason: string]: number };
  readonly sample:
    | (Omit<Sample, "items" | "outcomes" | "reasons" | "repeatSafe"> & {
        readonly outcomes: { readonly [outcome: string]: number };
        readonly reasons: { readonly [reason: string]: number };
        readonly repeatSafe: Readonly<Sample["repeatSafe"]>;
        readonly items: readonly Readonly<Sample["items"][number]>[];
      })
    | null;
};
type Sample = NonNullable<ApiOperationPreview["sample"]>;

export function presentOperation({ counts, trouble, filter, ...shown }: Shown): ApiOperation {
  const { matched, released, skipped, gone, refused, remaining } = counts;
  return {
    ...shown,
    filter: wireFilter(filter),
    createdAt: toInstant(shown.createdAt),
    finishedAt: toInstant(shown.finishedAt),
    estimatedEndAt: toInstant(shown.estimatedEndAt),
    progress: { matched, released, skipped: { ...skipped }, gone, refused: { ...refused }, remaining },
    trouble: trouble && { ...trouble, since: toInstant(trouble.since) },
  };
}

export function presentPreview(preview: Preview): ApiOperationPreview {
  const { matching, estimatedSeconds, oldest, newest, byErrorType, skipped, sample } = preview;
  return {
    dryRun: true,
    matching,
    estimatedSeconds,
    oldest: toInstant(oldest),
    newest: toInstant(newest),
    byErrorType: { ...byErrorType },
    skipped: { ...skipped },
    sample: sample && {
      ...sample,
      outcomes: { ...sample.outcomes },
      reasons: { ...sample.reasons },
      repeatSafe: { ...sample.repeatSafe },
      items: sample.items.map((item) => ({ ...item })),
    },
  };
}

export function insideFilter({ failedAfter, failedBefore, ...plain }: ArchiveAllBody["filter"]): DeadLetterFilters {
  return {
    ...plain,
    ...(failedAfter === undefined ? {} : { failedAfter: Date.parse(failedAfter) }),
    ...(failedBefore === undefined ? {} : { failedBefore: Date.parse(failedBefore) }),
  };
}

function wireFilter({ failedAfter, failedBefore, ...plain }: DeadLetterFilters): ApiOperation["filter"] {
  const given = Object.entries(plain).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    ...Object.fromEntries(given),
    ...(failedAfter === undefined ? {} : { failedAfter: toInstant(failedAfter) }),
    ...(failedBefore === undefined ? {} : { failedBefore: toInstant(failedBefore) }),
  };
}
