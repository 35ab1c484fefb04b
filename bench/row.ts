// What a workload is, and what it gives: a row of plain numbers for each of its contenders.
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
  /** How long it took until a start was answered, and so kept. */
  readonly ackP50?: number | null;
  readonly ackP99?: number | null;
  /** How late the timer itself fired, by the word of whoever it belongs to. */
  readonly firedP50?: number | null;
  readonly firedP99?: number | null;
  /** The same before the neighbour came. */
  readonly quietP99?: number | null;
  readonly cpuMs?: number | null;
  readonly kibibytes?: number | null;
  readonly kibWritten?: number | null;
  /** Answers that asked to come again (503), and those that should not be (500). */
  readonly busy?: number;
  readonly broken?: number;
  /** From the killed process's next life's beginning to the answer to its first start. */
  readonly firstAnswerMs?: number | null;
  /** Of the seconds after that. */
  readonly firstP99?: number | null;
  /** Of the tenant's pool, in the end. */
  readonly cells?: number;
  /** What its process holds, all in all. */
  readonly residentMb?: number | null;
  readonly lost?: number;
  readonly completed?: number;
  readonly asked?: number;
  readonly seconds?: number;
  /** Calls that were answered 200 and came again all the same. */
  readonly repeats: number;
  readonly failedStarts: number;
  /** What the first of them was told. */
  readonly failure: string | null;
};

export type Workload = {
  readonly name: string;
  readonly title: string;
  readonly contenders: readonly Contender[];
  /** Those that even a smoke run takes. */
  readonly inQuick: readonly Contender[];
  readonly run: (bench: Bench) => Promise<Measured>;
};

export type Bench = { readonly hosted: Hosted; readonly sink: Sink; readonly scale: Scale };
export type Measured = Omit<Row, "workload" | "contender" | "repeats">;
