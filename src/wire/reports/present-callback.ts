// Answers to callbacks, which providers show in their logs.

type Applied = {
  readonly message: {
    readonly named: string;
    readonly event: string | null;
    readonly messageId: string | null;
    readonly reference: { readonly execution: string } | null;
  };
  readonly applied: boolean;
  readonly repeated: boolean;
  readonly recorded: boolean;
  readonly reason: string | null;
};

/** Presents one message with its result, and several messages as counts. DocuSign's message is its envelope. */
export function presentCallback(provider: string, applied: readonly Applied[]): object {
  const [first, ...others] = applied;
  if (first === undefined || others.length > 0) return presentCounts(applied);
  const { message, reason } = first;
  const { event, named, messageId, reference } = message;
  const id = provider === "docusign" ? { envelopeId: messageId } : { recorded: first.recorded, messageId };
  const execution = reference?.execution ?? null;
  return { received: true, applied: first.applied, event: event ?? named, ...id, execution, reason };
}

function presentCounts(applied: readonly Applied[]): object {
  const ignored = Map.groupBy(
    applied.filter(({ reason }) => reason !== null),
    ({ reason }) => reason ?? "",
  );
  return {
    received: true,
    messages: applied.length,
    applied: applied.filter((each) => each.applied).length,
    recorded: applied.filter((each) => each.recorded).length,
    repeated: applied.filter((each) => each.repeated).length,
    notApplied: Object.fromEntries([...ignored].map(([reason, messages]) => [reason, messages.length])),
  };
}
