// Workloads and rows: the shape of a workload, and the figures that it returns for one contender.
import type { Contender, Hosted } from "./contender.ts";
import type { Scale } from "./scale.ts";
import type { Sink } from "./sink.ts";

export type Row = {
  readonly workload: string;
  readonly contender: string;
  readonly perSecond?: number | null;
  readonly p50?: number | null;
  readonly p95?: number | null;
  readonly max?: number | null;
  readonly p99?: number | null;
  /** Median time from a start request to its answer, in milliseconds. */
  readonly ackP50?: number | null;
  readonly ackP99?: number | null;
  /** Median delay of timers in milliseconds, from the due time to the fire time that the contender recorded. */
  readonly firedP50?: number | null;
  readonly firedP99?: number | null;
  /** The 99th percentile of latency before the neighbour's load began, in milliseconds. */
  readonly quietP99?: number | null;
  readonly cpuMs?: number | null;
  readonly kibibytes?: number | null;
  readonly kibWritten?: number | null;
  /**
   * The number of 503 answers (`busy`), which tell clients to retry, and of 500 answers (`broken`), which are errors.
   */
  readonly busy?: number;
  readonly broken?: number;
  /** Milliseconds from the restart of a killed process to the answer to its first start request. */
  readonly firstAnswerMs?: number | null;
  /** The 99th percentile of latency in the seconds after the first answer, in milliseconds. */
  readonly firstP99?: number | null;
  /** The number of cells in the tenant's pool after the measurement. */
  readonly cells?: number;
  /** Resident memory of the contender's process, in MiB. */
  readonly residentMb?: number | null;
  readonly lost?: number;
  readonly completed?: number;
  readonly asked?: number;
  readonly seconds?: number;
  /** The number of calls that were repeated although the sink had answered 200. */
  readonly repeats: number;
  readonly failedStarts: number;
  /** The answer to the first refused start. Null if none was refused. */
  readonly failure: string | null;
};

export type Workload = {
  readonly name: string;
  readonly title: string;
  readonly contenders: readonly Contender[];
  /** The contenders that a smoke run (`--quick`) measures. */
  readonly smokeContenders: readonly Contender[];
  readonly run: (bench: Bench) => Promise<Measurement>;
};

export type Bench = { readonly hosted: Hosted; readonly sink: Sink; readonly scale: Scale };
export type Measurement = Omit<Row, "workload" | "contender" | "repeats">;
