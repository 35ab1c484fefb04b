// Alert channels as API objects.
import type { AlertChannelSettings } from "#schema/alert.ts";
import type { ApiAlertChannel } from "./shape.ts";
import { redactWritten } from "../redact.ts";
import { toInstant } from "#schema/values.ts";

type View = {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly settings: AlertChannelSettings;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export function presentAlertChannel({ id, name, enabled, settings, ...at }: View): ApiAlertChannel {
  const { createdAt, updatedAt } = at;
  const { kind, config } = settings.channel;
  const shown = { ...settings, channel: { kind, config: redactWritten(config) } };
  return { id, name, enabled, ...shown, createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) };
}
