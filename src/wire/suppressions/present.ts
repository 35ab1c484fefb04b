// Suppressions as API objects: the reasons of an address as a list, the strongest first.
import {
  suppressionReasons,
  type ReasonSources,
  type SuppressionChannel,
  type SuppressionReason,
} from "#schema/outgoing/suppression.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiSuppression } from "./shape.ts";

type Suppression = {
  readonly channel: SuppressionChannel;
  readonly address: string;
  readonly reasons: ReasonSources;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export function presentSuppression({ channel, address, reasons, createdAt, updatedAt }: Suppression): ApiSuppression {
  const list = suppressionReasons.flatMap((reason) => sourceOf(reason, reasons));
  const at = { createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) };
  return { channel, address, reason: list[0]?.reason ?? "manual", reasons: list, ...at };
}

function sourceOf(reason: SuppressionReason, reasons: ReasonSources): ApiSuppression["reasons"] {
  const source = reasons[reason];
  if (source === undefined) return [];
  const { at, execution = null, run = null, connection = null, actor = null, via = null } = source;
  return [{ reason, at: toInstant(at), execution, run, connection, actor, via }];
}
