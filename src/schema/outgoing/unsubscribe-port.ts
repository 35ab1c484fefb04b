// Unsubscribe port: how a runner gets the unsubscribe link of its message.

export type UnsubscribePort = {
  /** The text that configs and templates contain in place of the link. */
  readonly marker: () => string;
  /** The marker, if a config or a template of this attempt may contain it; otherwise null. */
  readonly insertedMarker: () => string | null;
  /** Returns the link for the message's only recipient; null if the installation has no public URL or signing key. */
  readonly url: (recipient: string) => Promise<string | null>;
};
